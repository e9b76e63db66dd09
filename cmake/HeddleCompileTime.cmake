# Settings that make a build quick, which presets ask for.

option(HEDDLE_UNITY_BUILD
  "Compile sources together whose headers take most of the time" OFF)

# heddle_compile_together(<target> <number>): sources of <target> are compiled
# <number> at a time, so that the compiler sees their headers once. Names in
# their unnamed namespaces must differ. Not for sources compiled with the
# plugin: they would not be compiled again when it changes.
function(heddle_compile_together target number)
  if(HEDDLE_UNITY_BUILD)
    set_target_properties(${target} PROPERTIES
      UNITY_BUILD ON
      UNITY_BUILD_BATCH_SIZE ${number})
  endif()
endfunction()

# heddle_compile_quickly(<target>): nothing in <target> takes long to run.
function(heddle_compile_quickly target)
  if(HEDDLE_ASSERTIONS)
    target_compile_options(${target} PRIVATE -O0)
  endif()
endfunction()
