//===- SteadyMemory.h - Memory that stays as it is --------------*- C++ -*-===//
//
// What an iteration reads in front of its turn, other iterations may change
// before it is its turn. Memory that nothing in the loop may write to, by what
// the compiler knows of the writes, stays as it is. Where OpenMP shares out the
// iterations, in any order, none relies on an earlier one but by what is in
// order nevertheless: all else is as it may be at the turn.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_AHEAD_STEADYMEMORY_H
#define HEDDLE_PASSES_ASYNC_AHEAD_STEADYMEMORY_H

#include "async/analysis/LoopFacts.h"
#include "llvm/Analysis/AliasAnalysis.h"

namespace heddle {

class SteadyMemory {
  llvm::BatchAAResults AA;
  llvm::SmallVector<llvm::Instruction *> Writes;

public:
  SteadyMemory(const LoopContext &C, const LoopFacts &Facts);

  /// True if \p Load reads what it would read when it is the iteration's turn,
  /// if it is given the same address. Calls that are \p Known do not count.
  bool isReadBy(const llvm::LoadInst &Load,
                llvm::function_ref<bool(const llvm::CallBase &)> Known);
  bool isReadBy(const llvm::LoadInst &Load) {
    return isReadBy(Load, [](const llvm::CallBase &) { return false; });
  }
};

} // namespace heddle

#endif
