# The layout of `cmake --install`. The directories are fixed relative to one
# another, because the wrappers and the CMake package find the rest from where
# they lie themselves.

include(CMakePackageConfigHelpers)

install(TARGETS heddle_tool RUNTIME DESTINATION bin)
get_property(programs GLOBAL PROPERTY HEDDLE_BENCH_PROGRAMS)
if(programs)
  install(TARGETS ${programs} RUNTIME DESTINATION libexec/heddle)
endif()

if(TARGET HeddlePlugin)
  install(TARGETS heddle-opt RUNTIME DESTINATION bin)
  install(TARGETS HeddleMLIR HeddlePasses HeddlePlugin HeddleVectorSparse
    LIBRARY DESTINATION lib)
else()
  cmake_path(GET HEDDLE_PREBUILT_PLUGIN PARENT_PATH plugin_directory)
  install(PROGRAMS ${HEDDLE_PREBUILT_PLUGIN} ${plugin_directory}/HeddleVectorSparse.so
    DESTINATION lib)
endif()

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/heddle DESTINATION include
  FILES_MATCHING PATTERN "*.h" PATTERN "*.f90" PATTERN "README.md")

set_target_properties(heddle_runtime PROPERTIES EXPORT_NAME runtime)
set_target_properties(heddle_check PROPERTIES EXPORT_NAME check)
install(TARGETS heddle_runtime heddle_check EXPORT HeddleTargets
  ARCHIVE DESTINATION lib
  INCLUDES DESTINATION include)
install(EXPORT HeddleTargets NAMESPACE Heddle:: DESTINATION lib/cmake/Heddle)

# Apart from the rest, because it needs liburing.
set_target_properties(heddle_far PROPERTIES EXPORT_NAME far)
install(TARGETS heddle_far EXPORT HeddleFarTargets
  ARCHIVE DESTINATION lib
  INCLUDES DESTINATION include)
install(EXPORT HeddleFarTargets NAMESPACE Heddle:: DESTINATION lib/cmake/Heddle)

# Apart from the rest, because it needs C++ and other packages.
set_target_properties(heddle_graphlib PROPERTIES EXPORT_NAME graph)
install(TARGETS heddle_graphlib EXPORT HeddleGraphTargets
  ARCHIVE DESTINATION lib
  INCLUDES DESTINATION include)
install(EXPORT HeddleGraphTargets NAMESPACE Heddle::
  DESTINATION lib/cmake/Heddle)

set_target_properties(heddle_ooc PROPERTIES EXPORT_NAME ooc)
install(TARGETS heddle_ooc EXPORT HeddleOocTargets
  ARCHIVE DESTINATION lib
  INCLUDES DESTINATION include)
install(EXPORT HeddleOocTargets NAMESPACE Heddle::
  DESTINATION lib/cmake/Heddle)

set_target_properties(heddle_ooc_mpi PROPERTIES EXPORT_NAME ooc-mpi)
install(TARGETS heddle_ooc_mpi EXPORT HeddleOocMpiTargets
  ARCHIVE DESTINATION lib
  INCLUDES DESTINATION include)
install(EXPORT HeddleOocMpiTargets NAMESPACE Heddle::
  DESTINATION lib/cmake/Heddle)

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/HeddleConfig.cmake.in
  ${PROJECT_BINARY_DIR}/cmake/HeddleConfig.cmake
  INSTALL_DESTINATION lib/cmake/Heddle
  NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/cmake/HeddleConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/cmake/HeddleConfig.cmake
  ${PROJECT_BINARY_DIR}/cmake/HeddleConfigVersion.cmake
  DESTINATION lib/cmake/Heddle)
