//===- TensorsToLoops.cpp - Operations on tensors as loops ----------------===//

#include "mlir/Conversion/BufferizationToMemRef/BufferizationToMemRef.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SparseTensor/IR/SparseTensor.h"
#include "mlir/Dialect/SparseTensor/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/HeddlePasses.h"
#include "mlir/Transforms/Passes.h"

namespace heddle {
#define GEN_PASS_DEF_TENSORSTOLOOPSPASS
#include "mlir/Transforms/HeddlePasses.h.inc"
} // namespace heddle

using namespace mlir;

namespace {

struct TensorsToLoops : heddle::impl::TensorsToLoopsPassBase<TensorsToLoops> {
  void runOnOperation() override {
    if (!hasTensors())
      return;
    OpPassManager Manager(ModuleOp::getOperationName());
    addLoops(Manager);
    addLifetimes(Manager);
    if (failed(runPipeline(Manager, getOperation())))
      signalPassFailure();
  }

private:
  bool hasTensors() {
    auto IsTensor = [](Type Type) { return isa<TensorType>(Type); };
    return getOperation()
        ->walk([&](Operation *Op) {
          bool Has = llvm::any_of(Op->getOperandTypes(), IsTensor) ||
                     llvm::any_of(Op->getResultTypes(), IsTensor);
          if (auto Function = dyn_cast<FunctionOpInterface>(Op))
            Has |= llvm::any_of(Function.getArgumentTypes(), IsTensor) ||
                   llvm::any_of(Function.getResultTypes(), IsTensor);
          return Has ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }

  static void addLoops(OpPassManager &Manager) {
    constexpr auto Strategy = SparseParallelizationStrategy::kDenseOuterLoop;
    // Sparsification knows linalg.generic alone.
    Manager.addNestedPass<func::FuncOp>(createLinalgGeneralizeNamedOpsPass());
    Manager.addPass(createSparsificationAndBufferizationPass(
        getBufferizationOptionsForSparsification(/*analysisOnly=*/false),
        SparsificationOptions(Strategy, SparseEmitStrategy::kFunctional,
                              /*enableRT=*/false),
        /*createSparseDeallocs=*/false, /*enableRuntimeLibrary=*/false,
        /*enableBufferInitialization=*/false, /*vectorLength=*/0,
        /*enableVLAVectorization=*/false, /*enableSIMDIndex32=*/false,
        /*enableGPULibgen=*/false, SparseEmitStrategy::kFunctional, Strategy));
    Manager.addPass(createStorageSpecifierToLLVMPass());
    Manager.addNestedPass<func::FuncOp>(
        createConvertLinalgToParallelLoopsPass());
  }

  static void addLifetimes(OpPassManager &Manager) {
    Manager.addNestedPass<func::FuncOp>(
        bufferization::createBufferHoistingPass());
    Manager.addNestedPass<func::FuncOp>(
        bufferization::createBufferLoopHoistingPass());
    Manager.addPass(
        bufferization::createOwnershipBasedBufferDeallocationPass());
    Manager.addPass(createCanonicalizerPass());
    Manager.addPass(
        bufferization::createBufferDeallocationSimplificationPass());
    Manager.addPass(bufferization::createLowerDeallocationsPass());
    Manager.addPass(createConvertBufferizationToMemRefPass());
  }
};

} // namespace
