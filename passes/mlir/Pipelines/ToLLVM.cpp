//===- ToLLVM.cpp - Whole programs to the llvm dialect --------------------===//
//
// The order matters. Marks in the program become operations in the bodies of
// its loops before anything replaces a loop; marks in affine loops get the
// counters when these have become scf loops. Tensors become loops, and loops
// are marked and pulls lowered while they are structured. Marks become calls
// before memrefs are taken apart. OpenMP's conversion leaves scopes of stack
// memory behind: the canonicaliser removes scopes without allocations, and the
// others are lowered before there are branches in them.
//
//===----------------------------------------------------------------------===//

#include "mark/MarkProtocol.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/HeddlePasses.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace heddle;

static void addConversions(OpPassManager &Manager) {
  Manager.addPass(createLowerAllocaScopesPass());
  Manager.addPass(createSCFToControlFlowPass());
  Manager.addPass(createLowerMarksPass());
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
  Manager.addPass(createLowerAffinePass());
  Manager.addPass(createMaterializeMarksPass());
  Manager.addPass(createTensorsToLoopsPass());
  // Programs of memrefs have operations of linalg as well.
  Manager.addNestedPass<func::FuncOp>(createConvertLinalgToParallelLoopsPass());
  Manager.addPass(createCanonicalizerPass());
  Manager.addPass(createCSEPass());
  if (Options.VectorSparse) {
    Manager.addPass(createPullRowsPass({Options.LaneBits, Options.Lanes}));
    Manager.addPass(createParallelPullsPass());
  }
  Manager.addPass(createLowerPackPass());
  if (Options.Async)
    Manager.addPass(createMarkGathersPass({Options.Tasks, Options.Scheduler}));
  Manager.addPass(createMaterializeMarksPass());
  Manager.addPass(
      createLowerPullParallelPass({Options.Threads, Options.Scalable}));
  Manager.addPass(
      createLowerPullPass({Options.Scalable, Options.NarrowestGather}));
  if (Options.Threads) {
    Manager.addPass(createConvertSCFToOpenMPPass());
    Manager.addPass(createCanonicalizerPass());
  }
  addConversions(Manager);
}

/// Verifies every option, even if another one disables its effect.
static LogicalResult
verify(const ToLLVMOptions &Options,
       function_ref<LogicalResult(const Twine &)> EmitError) {
  if (Options.Tasks > MaximumTasks)
    return EmitError("heddle-to-llvm: expected from 1 to " +
                     Twine(MaximumTasks) +
                     " tasks, or 0 for as many as suit the host, not " +
                     Twine(unsigned(Options.Tasks)));
  if (!isEdgeVector(Options.LaneBits, Options.Lanes))
    return EmitError("heddle-to-llvm: edge vectors have 4 or 8 lanes of 64 "
                     "bits, or 8 or 16 of 32, not " +
                     Twine(unsigned(Options.Lanes)) + " of " +
                     Twine(unsigned(Options.LaneBits)));
  return success();
}

void heddle::registerToLLVM() {
  registerPassPipeline(
      "heddle-to-llvm",
      "Programs of linalg, sparse tensors, scf, affine and OpenMP to the llvm "
      "dialect, with loops marked for interleaving",
      [](OpPassManager &Manager, StringRef Text,
         function_ref<LogicalResult(const Twine &)> EmitError) {
        ToLLVMOptions Options;
        if (failed(Options.parseFromString(Text)) ||
            failed(verify(Options, EmitError)))
          return failure();
        addToLLVM(Manager, Options);
        return success();
      },
      [](function_ref<void(const mlir::detail::PassOptions &)> Describe) {
        Describe(ToLLVMOptions());
      });
}

void heddle::registerAll() {
  registerHeddlePasses();
  registerPullToLLVM();
  registerToLLVM();
}
