//===- Pipeline.cpp - From heddle.pull to the llvm dialect ----------------===//

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/HeddlePasses.h"

using namespace mlir;

void heddle::addPullToLLVM(OpPassManager &Manager,
                           const LowerPullPassOptions &Options) {
  Manager.addPass(createLowerPullPass(Options));
  Manager.addPass(createSCFToControlFlowPass());
  ConvertVectorToLLVMPassOptions VectorOptions;
  VectorOptions.force32BitVectorIndices = false;
  Manager.addPass(createConvertVectorToLLVMPass(VectorOptions));
  Manager.addPass(createFinalizeMemRefToLLVMConversionPass());
  Manager.addPass(createConvertMathToLLVMPass());
  Manager.addPass(createArithToLLVMConversionPass());
  Manager.addPass(createConvertControlFlowToLLVMPass());
  Manager.addPass(createConvertFuncToLLVMPass());
  Manager.addPass(createReconcileUnrealizedCastsPass());
}

namespace {
struct PullToLLVMOptions : PassPipelineOptions<PullToLLVMOptions> {
  Option<bool> Scalable{*this, "scalable",
                        llvm::cl::desc("As in heddle-lower-pull"),
                        llvm::cl::init(false)};
  Option<unsigned> NarrowestGather{*this, "narrowest-gather",
                                   llvm::cl::desc("As in heddle-lower-pull"),
                                   llvm::cl::init(32)};
  Option<bool> WholeArrays{*this, "whole-arrays",
                           llvm::cl::desc("As in heddle-lower-pull"),
                           llvm::cl::init(true)};
};
} // namespace

void heddle::registerPullToLLVM() {
  PassPipelineRegistration<PullToLLVMOptions>(
      "heddle-pull-to-llvm",
      "Everything from heddle.pull to the llvm dialect alone",
      [](OpPassManager &Manager, const PullToLLVMOptions &Options) {
        addPullToLLVM(Manager, {Options.Scalable, Options.NarrowestGather,
                                Options.WholeArrays});
      });
}
