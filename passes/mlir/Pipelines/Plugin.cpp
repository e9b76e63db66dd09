//===- Plugin.cpp - The dialect and its passes for stock tools ------------===//
//
// mlir-opt and fir-opt load this with -load-dialect-plugin= and
// -load-pass-plugin=. They know the passes in --pass-pipeline= only.
//
//===----------------------------------------------------------------------===//

#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "mlir/Transforms/HeddlePasses.h"

extern "C" LLVM_ATTRIBUTE_WEAK
    LLVM_ATTRIBUTE_VISIBILITY_DEFAULT mlir::DialectPluginLibraryInfo
    mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "heddle", LLVM_VERSION_STRING,
          [](mlir::DialectRegistry *Registry) {
            Registry->insert<heddle::HeddleDialect>();
          }};
}

extern "C" LLVM_ATTRIBUTE_WEAK
    LLVM_ATTRIBUTE_VISIBILITY_DEFAULT mlir::PassPluginLibraryInfo
    mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "heddle", LLVM_VERSION_STRING,
          heddle::registerAll};
}
