# Finds the Flang of the same LLVM, which can load the same passes. Without it
# there is no heddle-flang, and nothing else is missing.

find_program(HEDDLE_FLANG flang PATHS ${LLVM_TOOLS_BINARY_DIR} NO_DEFAULT_PATH
  DOC "The Flang that heddle-flang runs")
if(HEDDLE_FLANG)
  execute_process(COMMAND ${HEDDLE_FLANG} --version
    OUTPUT_VARIABLE version RESULT_VARIABLE failed ERROR_QUIET)
  string(FIND "${version}" "version ${LLVM_PACKAGE_VERSION}" found)
  if(failed OR found EQUAL -1)
    message(STATUS
      "No heddle-flang: ${HEDDLE_FLANG} is not Flang ${LLVM_PACKAGE_VERSION}")
    set(HEDDLE_FLANG "")
  endif()
else()
  set(HEDDLE_FLANG "")
endif()
