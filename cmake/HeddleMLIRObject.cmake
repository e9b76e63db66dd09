# Programs in MLIR, compiled by this build's heddle-opt and passes.

find_program(HEDDLE_MLIR_TRANSLATE mlir-translate
  PATHS ${LLVM_TOOLS_BINARY_DIR} NO_DEFAULT_PATH REQUIRED)

# heddle_mlir_object(<variable> <name> <source> <argument>...): compiles
# <source>, which the arguments of heddle-opt take to the llvm dialect, and sets
# <variable> to the object file.
function(heddle_mlir_object variable name source)
  cmake_path(ABSOLUTE_PATH source)
  set(stem ${CMAKE_CURRENT_BINARY_DIR}/${name})
  add_custom_command(OUTPUT ${stem}.o
    COMMAND heddle-opt ${source} ${ARGN} -o ${stem}.llvm.mlir
    COMMAND ${HEDDLE_MLIR_TRANSLATE} --mlir-to-llvmir ${stem}.llvm.mlir
      -o ${stem}.ll
    COMMAND ${CMAKE_C_COMPILER} -Wno-override-module -O3 -march=native -fPIC
      -fpass-plugin=$<TARGET_FILE:HeddlePasses> -c ${stem}.ll -o ${stem}.o
    DEPENDS heddle-opt HeddlePasses ${source}
    COMMENT "Compiling ${name} from MLIR"
    VERBATIM)
  set(${variable} ${stem}.o PARENT_SCOPE)
endfunction()
