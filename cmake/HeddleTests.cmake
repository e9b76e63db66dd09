# How a directory adds to the tests.

find_package(GTest REQUIRED)

# heddle_add_unit_test(<name> <source>...): a GoogleTest binary that `check` and
# `check-unit` run. <name> must end in "Tests". The caller links what it tests.
function(heddle_add_unit_test name)
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE GTest::gtest_main)
  # Library loops are left alone where callbacks of tests may throw, and where
  # sanitizers may end the program.
  target_compile_options(${name} PRIVATE -Wno-pass-failed)
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/test/unit)
  set_property(GLOBAL APPEND PROPERTY HEDDLE_UNIT_TESTS ${name})
endfunction()

# heddle_collect_targets(<directory> <variable>): every target that the
# directory and those below it build.
function(heddle_collect_targets directory variable)
  get_property(targets DIRECTORY ${directory} PROPERTY BUILDSYSTEM_TARGETS)
  get_property(subdirectories DIRECTORY ${directory} PROPERTY SUBDIRECTORIES)
  foreach(subdirectory ${subdirectories})
    heddle_collect_targets(${subdirectory} below)
    list(APPEND targets ${below})
  endforeach()
  set(${variable} ${targets} PARENT_SCOPE)
endfunction()
