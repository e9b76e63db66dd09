# Programs in MLIR, compiled by this build's heddle-opt and passes.

find_program(HEDDLE_MLIR_TRANSLATE mlir-translate
  PATHS ${LLVM_TOOLS_BINARY_DIR} NO_DEFAULT_PATH REQUIRED)

# heddle_mlir_to_llvm(<name> <source> <argument>...): translates <source>, which
# the arguments of heddle-opt take to the llvm dialect.
function(heddle_mlir_to_llvm name source)
  cmake_path(ABSOLUTE_PATH source)
  set(stem ${CMAKE_CURRENT_BINARY_DIR}/${name})
  add_custom_command(OUTPUT ${stem}.ll
    COMMAND heddle-opt ${source} ${ARGN} -o ${stem}.llvm.mlir
    COMMAND ${HEDDLE_MLIR_TRANSLATE} --mlir-to-llvmir ${stem}.llvm.mlir
      -o ${stem}.ll
    DEPENDS heddle-opt ${source}
    COMMENT "Translating ${name} from MLIR"
    VERBATIM)
endfunction()

# heddle_mlir_object(<variable> <name> <suffix> <flag>...): compiles what
# heddle_mlir_to_llvm has translated under that name, in the same folder, and
# sets <variable> to the object file, which has a name with the suffix.
function(heddle_mlir_object variable name suffix)
  set(stem ${CMAKE_CURRENT_BINARY_DIR}/${name})
  add_custom_command(OUTPUT ${stem}-${suffix}.o
    COMMAND ${CMAKE_C_COMPILER} -Wno-override-module ${ARGN} -fPIC
      -fpass-plugin=$<TARGET_FILE:HeddlePasses> -c ${stem}.ll
      -o ${stem}-${suffix}.o
    DEPENDS HeddlePasses ${stem}.ll
    COMMENT "Compiling ${name} for ${suffix}"
    VERBATIM)
  set(${variable} ${stem}-${suffix}.o PARENT_SCOPE)
endfunction()
