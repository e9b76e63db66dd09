//===- PassPlugin.cpp - The passes as a pass plugin -----------------------===//
//
// Clang reaches the passes through the front end's plugin action that parses a
// source. This entry point is for tools that start from IR: opt with
// -load-pass-plugin=, and Clang with -fpass-plugin=. If both are in use, the
// second run of the passes finds no marks left.
//
//===----------------------------------------------------------------------===//

#include "llvm/Plugins/PassPlugin.h"
#include "Register.h"

extern "C" LLVM_ATTRIBUTE_WEAK
    LLVM_ATTRIBUTE_VISIBILITY_DEFAULT llvm::PassPluginLibraryInfo
    llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "heddle", LLVM_VERSION_STRING,
          heddle::registerAsyncPasses};
}
