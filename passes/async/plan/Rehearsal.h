//===- Rehearsal.h - Uninterrupted code that is run in advance --*- C++ -*-===//
//
// In `m[k] += x` the walk through a bucket decides on an update, so that no
// task is suspended from its first access to the store. But until the walk
// begins, nothing has happened, and it may be run in advance: up to the first
// access that waits, for which a request is made before the task is suspended;
// then from the start again, as the bucket may have changed, up to the next
// access that waits; and so on.
//
//   rehearsal: the walk, as far as it has no effect; at an access that waits,
//              if it is not among the first N: request, suspend, ++N, again
//   update:    the walk and the store, without interruption
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_PLAN_REHEARSAL_H
#define HEDDLE_PASSES_ASYNC_PLAN_REHEARSAL_H

#include "async/ahead/AheadValues.h"
#include "async/plan/Request.h"
#include "llvm/ADT/SetVector.h"
#include <optional>

namespace llvm {
class BasicBlock;
class Instruction;
class Value;
} // namespace llvm

namespace heddle {

struct Rehearsal {
  /// The code from here on is rehearsed, with suspensions in front of it.
  llvm::Instruction *Before = nullptr;
  /// Its blocks, the first one from Before on, and what is repeated of them.
  llvm::SmallSetVector<llvm::BasicBlock *, 8> Blocks;
  llvm::SmallPtrSet<const llvm::Instruction *, 32> Repeated;
  /// The reads that are waited for. Those that are not repeated are requested
  /// only.
  llvm::SmallVector<Request, 4> Waits;
  /// All that need not be waited for behind the rehearsal.
  llvm::SmallPtrSet<const llvm::Instruction *, 8> Hidden;
  /// In front of the turn: values without which the rehearsal goes on to these
  /// instructions only if they are not zero.
  NonZeroGuards Guards;
};

/// Plans to rehearse the code from \p Before on for the sake of those of
/// \p Unhidden that are read in it; nullopt if it reads none. If \p Before is
/// \p Turn , it may be another task's turn yet: memory is as some earlier
/// iteration has left it. Otherwise the rehearsal ends at \p Turn .
std::optional<Rehearsal>
planRehearsal(const LoopContext &C, const LoopFacts &Facts,
              llvm::Instruction *Before,
              const llvm::SmallPtrSetImpl<const llvm::Instruction *> &Unhidden,
              const llvm::Instruction *Turn);

} // namespace heddle

#endif
