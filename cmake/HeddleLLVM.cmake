# Finds LLVM and Clang 22 and checks that the project is being compiled by that
# Clang: the examples and tests are compiled with the plugin loaded, which only
# works in the Clang it was built against.

foreach(language C CXX)
  if(NOT CMAKE_${language}_COMPILER_ID STREQUAL "Clang" OR
      NOT CMAKE_${language}_COMPILER_VERSION MATCHES "^22\\.")
    message(FATAL_ERROR
      "Heddle needs Clang 22 as ${language} compiler, not "
      "${CMAKE_${language}_COMPILER_ID} ${CMAKE_${language}_COMPILER_VERSION} "
      "(${CMAKE_${language}_COMPILER}): configure with "
      "`cmake --preset release`, or set CMAKE_C_COMPILER=clang-22 and "
      "CMAKE_CXX_COMPILER=clang++-22.")
  endif()
endforeach()

find_package(LLVM 22.1 REQUIRED QUIET CONFIG HINTS /usr/lib/llvm-22)
find_package(Clang REQUIRED CONFIG
  PATHS ${LLVM_INSTALL_PREFIX}/lib/cmake/clang NO_DEFAULT_PATH)
message(STATUS "LLVM ${LLVM_PACKAGE_VERSION} in ${LLVM_INSTALL_PREFIX}")

# heddle_use_llvm(<target>): headers of LLVM and Clang, with the settings that
# LLVM itself was built with.
function(heddle_use_llvm target)
  separate_arguments(definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
  target_compile_definitions(${target} PRIVATE ${definitions})
  target_include_directories(${target} SYSTEM PRIVATE
    ${LLVM_INCLUDE_DIRS} ${CLANG_INCLUDE_DIRS})
  if(NOT LLVM_ENABLE_RTTI)
    target_compile_options(${target} PRIVATE -fno-rtti)
  endif()
endfunction()
