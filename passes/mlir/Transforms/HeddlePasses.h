//===- HeddlePasses.h - Passes over the heddle dialect ----------*- C++ -*-===//

#ifndef HEDDLE_PASSES_MLIR_TRANSFORMS_HEDDLEPASSES_H
#define HEDDLE_PASSES_MLIR_TRANSFORMS_HEDDLEPASSES_H

#include "mlir/Dialect/HeddleDialect.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassOptions.h"

namespace heddle {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "mlir/Transforms/HeddlePasses.h.inc"

/// Adds to \p Manager, for modules: everything from heddle.pull in functions of
/// the llvm dialect or of func to the llvm dialect alone.
void addPullToLLVM(mlir::OpPassManager &Manager,
                   const LowerPullPassOptions &Options);

/// Makes addPullToLLVM known as `heddle-pull-to-llvm`.
void registerPullToLLVM();

struct ToLLVMOptions : mlir::PassPipelineOptions<ToLLVMOptions> {
  Option<bool> Async{
      *this, "async",
      llvm::cl::desc("Mark loops with indirect accesses (heddle-mark-gathers)"),
      llvm::cl::init(true)};
  Option<unsigned> Tasks{
      *this, "tasks",
      llvm::cl::desc("Iterations in flight, or 0 for as many as suit the host"),
      llvm::cl::init(0)};
  Option<AsyncScheduler> Scheduler{
      *this, "scheduler", llvm::cl::desc("As in heddle-mark-gathers"),
      llvm::cl::init(AsyncScheduler::Unspecified),
      llvm::cl::values(
          clEnumValN(AsyncScheduler::Unspecified, "auto", "the default"),
          clEnumValN(AsyncScheduler::Fifo, "fifo", "a ring of coroutines"),
          clEnumValN(AsyncScheduler::Fifo, "static", "the same as fifo"),
          clEnumValN(AsyncScheduler::Lockstep, "lockstep", "phase queues"))};
  Option<bool> Threads{
      *this, "threads",
      llvm::cl::desc("Parallel loops and pulls become OpenMP's"),
      llvm::cl::init(true)};
  Option<bool> VectorSparse{
      *this, "vectorsparse",
      llvm::cl::desc("Rows are packed into edge vectors (heddle-pull-rows)"),
      llvm::cl::init(false)};
  Option<unsigned> LaneBits{*this, "lane-bits",
                            llvm::cl::desc("As in heddle-pull-rows"),
                            llvm::cl::init(32)};
  Option<unsigned> Lanes{*this, "lanes",
                         llvm::cl::desc("As in heddle-pull-rows"),
                         llvm::cl::init(8)};
  Option<bool> Scalable{*this, "scalable",
                        llvm::cl::desc("As in heddle-lower-pull"),
                        llvm::cl::init(false)};
  Option<unsigned> NarrowestGather{*this, "narrowest-gather",
                                   llvm::cl::desc("As in heddle-lower-pull"),
                                   llvm::cl::init(32)};
};

/// Adds to \p Manager, for modules: everything from programs of linalg, sparse
/// tensors, scf, affine and OpenMP to the llvm dialect.
void addToLLVM(mlir::OpPassManager &Manager, const ToLLVMOptions &Options);

/// Makes addToLLVM known as `heddle-to-llvm`.
void registerToLLVM();

/// All passes and pipelines of this directory.
void registerAll();

} // namespace heddle

#endif
