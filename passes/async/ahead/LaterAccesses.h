//===- LaterAccesses.h - What a task is going to access ---------*- C++ -*-===//

#ifndef HEDDLE_PASSES_ASYNC_AHEAD_LATERACCESSES_H
#define HEDDLE_PASSES_ASYNC_AHEAD_LATERACCESSES_H

#include "async/analysis/LatencyAnalysis.h"

namespace llvm {
class PostDominatorTree;
} // namespace llvm

namespace heddle {

/// True if a task that is at \p At comes to the load \p Later in a later block,
/// for certain, and before what it requests now is replaced in the cache.
bool comesSoon(const llvm::Instruction *At, const llvm::Instruction *Later,
               const LatencyAnalysis &Latency, const LoopContext &C,
               const llvm::PostDominatorTree &PDT);

} // namespace heddle

#endif
