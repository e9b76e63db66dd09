# The flags with which a target inside this build is compiled with the directive
# honoured. Projects outside get the same from find_package(Heddle) and the
# target Heddle::async.

set(HEDDLE_PLUGIN_FILE ${PROJECT_BINARY_DIR}/lib/HeddlePlugin.so)
# The plugin finds it beside itself.
set(HEDDLE_GENERATOR_FILE ${PROJECT_BINARY_DIR}/lib/HeddleVectorSparse.so)

# heddle_import_plugin(<file>): take the plugin from another build.
function(heddle_import_plugin file)
  cmake_path(GET file PARENT_PATH directory)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
  foreach(name HeddlePlugin.so HeddleVectorSparse.so)
    if(NOT EXISTS ${directory}/${name})
      message(FATAL_ERROR
        "HEDDLE_PREBUILT_PLUGIN: there is no file ${directory}/${name}")
    endif()
    file(CREATE_LINK ${directory}/${name} ${PROJECT_BINARY_DIR}/lib/${name}
      SYMBOLIC)
  endforeach()
endfunction()

# heddle_target_async(<target>): compile the C and C++ sources of <target> with
# the plugin and link it with the runtime. Sources are recompiled when the
# plugin changes.
function(heddle_target_async target)
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANGUAGE:C,CXX>:-fplugin=${HEDDLE_PLUGIN_FILE}>)
  heddle_cache_with(${target} ${HEDDLE_GENERATOR_FILE})
  get_target_property(sources ${target} SOURCES)
  heddle_need_plugin(${target} ${sources})
endfunction()

# heddle_source_async(<target> <source>...): the same for some of its sources.
function(heddle_source_async target)
  heddle_cache_with(${target} ${HEDDLE_GENERATOR_FILE})
  set_property(SOURCE ${ARGN} APPEND PROPERTY
    COMPILE_OPTIONS -fplugin=${HEDDLE_PLUGIN_FILE})
  heddle_need_plugin(${target} ${ARGN})
endfunction()

function(heddle_need_plugin target)
  set_property(SOURCE ${ARGN} APPEND PROPERTY
    OBJECT_DEPENDS "${HEDDLE_PLUGIN_FILE};${HEDDLE_GENERATOR_FILE}")
  # Precompiled headers are compiled with it too. Nothing that is compiled waits
  # for a library to be linked, but for a custom target it does.
  if(TARGET HeddlePlugin)
    if(NOT TARGET heddle_linked_plugin)
      add_custom_target(heddle_linked_plugin DEPENDS HeddlePlugin)
    endif()
    add_dependencies(${target} heddle_linked_plugin)
  endif()
  target_link_libraries(${target} PRIVATE Heddle::runtime)
  # Transformed loops refer to the runtime weakly, and a weak reference takes
  # no member out of an archive. Public, so that it reaches the program that an
  # object library becomes part of.
  target_link_options(${target} PUBLIC
    LINKER:-u,heddle_site_begin,-u,heddle_site_end,-u,heddle_contexts_begin,-u,heddle_contexts_end)
endfunction()
