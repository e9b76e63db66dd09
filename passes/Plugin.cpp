//===- Plugin.cpp - The pass plugin's entry point -------------------------===//
//
// Clang reaches the passes through the front end's plugin action. This entry
// point is for `opt -load-pass-plugin`.
//
//===----------------------------------------------------------------------===//

#include "async/Register.h"
#include "llvm/Plugins/PassPlugin.h"

extern "C" LLVM_ATTRIBUTE_WEAK llvm::PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "heddle", LLVM_VERSION_STRING,
          heddle::registerAsyncPasses};
}
