//===- ChunkNest.h - A loop over the chunks of OpenMP -----------*- C++ -*-===//
//
// Under `schedule(dynamic, 16)` and the like, the marked loop runs over the
// iterations of one chunk. It lies in a loop that Clang makes, which gets chunk
// after chunk from OpenMP's run time:
//
//   around:  if (!__kmpc_dispatch_next(..., &lower, &upper, ...)) leave
//            for i = lower .. upper: the marked loop
//
// If the loop around it does nothing else, a thread can get its next chunk
// while iterations of the last one are in flight.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_CHUNKS_CHUNKNEST_H
#define HEDDLE_PASSES_ASYNC_CHUNKS_CHUNKNEST_H

#include "async/analysis/LoopFacts.h"
#include "async/plan/SuspensionPlan.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <optional>

namespace llvm {
class AllocaInst;
class BasicBlock;
class Instruction;
class PHINode;
} // namespace llvm

namespace heddle {

struct ChunkNest {
  llvm::Loop *Around = nullptr;
  /// The blocks of the loop around that are not part of the marked loop.
  llvm::SmallVector<llvm::BasicBlock *> Between;
  /// All blocks outside of the loop around. Those that are added to the
  /// function later see the values of the first chunk.
  llvm::SmallPtrSet<const llvm::BasicBlock *, 16> Outside;
  /// The ways out of the loop around.
  struct WayOut {
    llvm::BasicBlock *From, *To;
  };
  llvm::SmallVector<WayOut, 2> WaysOut;

  /// The variable of the marked loop that goes from the chunk's lower bound to
  /// its upper bound by ones, and so numbers the iterations.
  llvm::PHINode *Counter = nullptr;
  bool IsSigned = false;

  /// Values between the loops that are variables of the marked loop, carried
  /// unchanged from chunk to chunk: a phi of its header, or a variable in
  /// memory.
  llvm::MapVector<llvm::Instruction *, llvm::Value *> Carried;
};

/// Finds the loop around \p C 's loop, if all that it does is getting chunks.
/// \p InMemory lists the variables of the loop that are in memory until it is
/// rewritten.
std::optional<ChunkNest>
findChunkNest(const LoopContext &C, const LoopFacts &Facts,
              const SuspensionPlan &Plan,
              llvm::ArrayRef<llvm::AllocaInst *> InMemory);

} // namespace heddle

#endif
