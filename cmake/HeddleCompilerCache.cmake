# Compilations by way of ccache, where it is installed. It has to know that
# Clang's precompiled headers hold no times (HeddleCompilerCache is included
# before any target), and plugins are told apart by their contents. A new checkout
# in the same place finds everything; in another place, what is compiled with
# precompiled headers is compiled again, because these hold paths.

option(HEDDLE_COMPILER_CACHE "Compile by way of ccache, if it is installed" ON)
find_program(HEDDLE_CCACHE ccache)
mark_as_advanced(HEDDLE_CCACHE)
set(HEDDLE_CCACHE_LAUNCHER "")
if(HEDDLE_COMPILER_CACHE AND HEDDLE_CCACHE)
  set(HEDDLE_CCACHE_LAUNCHER ${CMAKE_COMMAND} -E env
    CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}
    CCACHE_COMPILERCHECK=content
    CCACHE_NOHASHDIR=1
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime)
  set(CMAKE_C_COMPILER_LAUNCHER ${HEDDLE_CCACHE_LAUNCHER} ${HEDDLE_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${HEDDLE_CCACHE_LAUNCHER} ${HEDDLE_CCACHE})
  add_compile_options("SHELL:-Xclang -fno-pch-timestamp")
endif()

# heddle_cache_with(<target> <file>): compilations of <target> load <file>, which
# no command names.
function(heddle_cache_with target file)
  if(HEDDLE_CCACHE_LAUNCHER)
    set(launcher ${HEDDLE_CCACHE_LAUNCHER} CCACHE_EXTRAFILES=${file}
      ${HEDDLE_CCACHE})
    set_target_properties(${target} PROPERTIES
      C_COMPILER_LAUNCHER "${launcher}"
      CXX_COMPILER_LAUNCHER "${launcher}")
  endif()
endfunction()
