# Finds the MLIR of the same LLVM, for what is generated through it: libMLIR.so
# as a whole, which is what Debian's packages hold.

find_package(MLIR REQUIRED CONFIG
  PATHS ${LLVM_INSTALL_PREFIX}/lib/cmake/mlir NO_DEFAULT_PATH)
list(APPEND CMAKE_MODULE_PATH ${LLVM_CMAKE_DIR} ${MLIR_CMAKE_DIR})
include(TableGen)
include(AddMLIR)

# heddle_use_mlir(<target>): headers of MLIR and LLVM, with the settings that
# LLVM itself was built with.
function(heddle_use_mlir target)
  heddle_use_llvm(${target})
  target_include_directories(${target} SYSTEM PRIVATE ${MLIR_INCLUDE_DIRS})
endfunction()
