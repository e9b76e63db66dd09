# What a target inside this build needs to be compiled with the directive
# honoured. Projects outside get the same from find_package(Heddle) and the
# target Heddle::async.

set(HEDDLE_PLUGIN_FILE ${PROJECT_BINARY_DIR}/lib/HeddlePlugin.so)

# heddle_import_plugin(<file>): take the plugin from another build.
function(heddle_import_plugin file)
  if(NOT EXISTS ${file})
    message(FATAL_ERROR "HEDDLE_PREBUILT_PLUGIN: there is no file ${file}")
  endif()
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
  file(CREATE_LINK ${file} ${HEDDLE_PLUGIN_FILE} SYMBOLIC)
endfunction()

# heddle_target_async(<target>): compile the C and C++ sources of <target> with
# the plugin and link it with the runtime. Sources are recompiled when the
# plugin changes.
function(heddle_target_async target)
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANGUAGE:C,CXX>:-fplugin=${HEDDLE_PLUGIN_FILE}>)
  get_target_property(sources ${target} SOURCES)
  set_property(SOURCE ${sources} APPEND PROPERTY
    OBJECT_DEPENDS ${HEDDLE_PLUGIN_FILE})
  target_link_libraries(${target} PRIVATE Heddle::runtime)
  # Transformed loops refer to the runtime weakly, and a weak reference takes
  # no member out of an archive. Public, so that it reaches the program that an
  # object library becomes part of.
  target_link_options(${target} PUBLIC
    LINKER:-u,heddle_site_begin,-u,heddle_site_end)
endfunction()
