//===- PassPlugin.cpp - The passes as a pass plugin -----------------------===//
//
// Clang reaches the passes through the front end's plugin action where it
// parses a source. This entry point is for what starts from IR: opt with
// -load-pass-plugin=, and Clang with -fpass-plugin=. Where both are in use, the
// passes that come second find nothing left to do.
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
