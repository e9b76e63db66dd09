//===- Refill.h - Getting a chunk with tasks in flight ----------*- C++ -*-===//
//
// Schedules get chunk after chunk by copies of the code between two chunks: it
// is what the loop around the marked loop does behind one chunk and in front of
// the next.
//
// Iterations are launched under numbers that go on from chunk to chunk. What
// they compute from is their number since the first chunk, which may grow by
// more at the border of two chunks: the difference is State.Shift.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_CHUNKS_REFILL_H
#define HEDDLE_PASSES_ASYNC_CHUNKS_REFILL_H

#include "async/chunks/ChunkNest.h"
#include "async/rewrite/SchedulerState.h"

namespace heddle {

class Refill {
  const ChunkNest &Nest;
  const LoopShape &Shape;
  SchedulerState &State;
  llvm::Function &F;
  /// The number of iterations of a chunk and the counter in its first one.
  llvm::Value *TripCount = nullptr, *First = nullptr;
  /// i32 way out by which the last chunk was left.
  llvm::AllocaInst *Way;
  /// The registers of values between the loops that are used elsewhere.
  llvm::DenseMap<llvm::Instruction *, llvm::AllocaInst *> Kept;

public:
  /// i64 number of the first iteration that is not of a chunk of the thread,
  /// and of the first behind those that the tuner has planned.
  llvm::AllocaInst *End, *PlanEnd;
  /// i1: there are no more chunks.
  llvm::AllocaInst *IsOver;

  /// Code that gets a chunk.
  struct Copy {
    llvm::BasicBlock *Enter;
    /// Unfinished blocks where it ends: there is a chunk, or no more.
    llvm::BasicBlock *Got, *Over;
  };

  Refill(const ChunkNest &Nest, const LoopShape &Shape, SchedulerState &State);

  /// Prepares the code between two chunks, whose last block computes
  /// \p TripCount.
  void prepare(llvm::Value *TripCount);

  /// Copies that code.
  Copy copy();

  /// At \p B, in front of the first chunk.
  void begin(llvm::IRBuilderBase &B) const;

  /// The blocks outside of the loop around at which control goes in front of
  /// the loop.
  llvm::SmallVector<llvm::BasicBlock *> entries() const;

  /// Goes on behind the loop around, from the unfinished block \p Leave when
  /// there are no more chunks. \p OnWay emits what precedes this elsewhere: it
  /// ends a block by a branch to the other.
  void
  leave(llvm::BasicBlock *Leave,
        llvm::function_ref<void(llvm::BasicBlock *, llvm::BasicBlock *)> OnWay);

private:
  llvm::BasicBlock *block(const llvm::Twine &Name) const;
  bool isBetween(const llvm::BasicBlock *Block) const;
  bool isUsedAcross(const llvm::Instruction &I, const llvm::Use &U) const;
  llvm::AllocaInst *keep(llvm::Instruction &I);
  void keepUsed(llvm::Instruction &I);
  void clean(llvm::ArrayRef<llvm::BasicBlock *> Clones) const;
};

} // namespace heddle

#endif
