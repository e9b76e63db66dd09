//===- ToLLVM.cpp - Whole programs to the llvm dialect --------------------===//
//
// The order matters. Marks that the program has become operations in the bodies
// of its loops before anything replaces a loop. Tensors become loops, and loops
// are marked and pulls lowered while they are structured. Marks become calls
// before memrefs are taken apart. OpenMP's conversion leaves scopes behind that
// only the canonicaliser takes away from around branches.
//
//===----------------------------------------------------------------------===//

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/HeddlePasses.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

static void addConversions(OpPassManager &Manager) {
  Manager.addPass(createSCFToControlFlowPass());
  Manager.addPass(heddle::createLowerMarksPass());
  Manager.addPass(memref::createExpandReallocPass());
  Manager.addPass(memref::createExpandStridedMetadataPass());
  Manager.addPass(createLowerAffinePass());
  ConvertVectorToLLVMPassOptions VectorOptions;
  VectorOptions.force32BitVectorIndices = false;
  Manager.addPass(createConvertVectorToLLVMPass(VectorOptions));
  Manager.addPass(createFinalizeMemRefToLLVMConversionPass());
  Manager.addPass(createConvertComplexToLLVMPass());
  Manager.addPass(createConvertMathToLLVMPass());
  Manager.addPass(createConvertMathToLibmPass());
  Manager.addPass(createConvertIndexToLLVMPass());
  Manager.addPass(createArithToLLVMConversionPass());
  Manager.addPass(createConvertOpenMPToLLVMPass());
  Manager.addPass(createConvertFuncToLLVMPass());
  Manager.addPass(createConvertControlFlowToLLVMPass());
  Manager.addPass(createUBToLLVMConversionPass());
  Manager.addPass(createReconcileUnrealizedCastsPass());
  Manager.addPass(createCanonicalizerPass());
  Manager.addPass(createCSEPass());
}

void heddle::addToLLVM(OpPassManager &Manager, const ToLLVMOptions &Options) {
  Manager.addPass(createMaterializeMarksPass());
  Manager.addPass(createTensorsToLoopsPass());
  // Programs of memrefs have operations of linalg as well.
  Manager.addNestedPass<func::FuncOp>(createConvertLinalgToParallelLoopsPass());
  Manager.addPass(createCanonicalizerPass());
  Manager.addPass(createCSEPass());
  if (Options.VectorSparse)
    Manager.addPass(createPullRowsPass({Options.LaneBits, Options.Lanes}));
  Manager.addPass(createLowerPackPass());
  if (Options.Async)
    Manager.addPass(createMarkGathersPass({Options.Tasks, Options.Scheduler}));
  Manager.addPass(createMaterializeMarksPass());
  Manager.addPass(createLowerPullParallelPass({Options.Threads}));
  Manager.addPass(
      createLowerPullPass({Options.Scalable, Options.NarrowestGather}));
  if (Options.Threads) {
    Manager.addPass(createConvertSCFToOpenMPPass());
    Manager.addPass(createCanonicalizerPass());
  }
  addConversions(Manager);
}

void heddle::registerToLLVM() {
  PassPipelineRegistration<ToLLVMOptions>(
      "heddle-to-llvm",
      "Programs of linalg, sparse tensors, scf and OpenMP to the llvm dialect, "
      "with loops marked for interleaving",
      [](OpPassManager &Manager, const ToLLVMOptions &Options) {
        addToLLVM(Manager, Options);
      });
}

void heddle::registerAll() {
  registerHeddlePasses();
  registerPullToLLVM();
  registerToLLVM();
}
