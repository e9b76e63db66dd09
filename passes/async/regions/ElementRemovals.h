//===- ElementRemovals.h - Elements that iterations unlink ------*- C++ -*-===//
//
// An iteration that goes along a list, a tree or another linked structure holds
// an element without anything that keeps others from unlinking it. Where
// iterations of the loop unlink elements, what one stores into an element that
// it has gone to may therefore be lost: from the load of the first link to the
// store, no other iteration may run. A walk may be interrupted where elements
// are only inserted, for those that it has reached stay in their places.
//
// A store unlinks what a link leads to if it replaces the link by one that is
// read from the structure, as in *at = (*at)->next, or by none. A function that
// is handed the element may do so, too.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_REGIONS_ELEMENTREMOVALS_H
#define HEDDLE_PASSES_ASYNC_REGIONS_ELEMENTREMOVALS_H

#include "async/analysis/CalleeUses.h"
#include "async/analysis/FrameValues.h"
#include "async/analysis/LatencyAnalysis.h"
#include "async/analysis/TaskLocals.h"
#include "async/regions/ReadDependences.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace heddle {

class ElementRemovals {
public:
  /// \p Hidden has what the calls of the loop access.
  ElementRemovals(const LoopContext &C, const LatencyAnalysis &Latency,
                  const TaskLocals &Locals, const FrameValues &Frames,
                  const ReadDependences &Dependences,
                  llvm::ArrayRef<InstructionUse> Hidden);

  /// Calls \p Add with each link to an element that may be unlinked and the
  /// stores of links into the element.
  void find(llvm::function_ref<void(llvm::Instruction *, llvm::Instruction *)>
                Add) const;

  /// True if \p Link reads the links of a walk, one after the other, and what
  /// they lead to may be unlinked meanwhile.
  bool leadsOn(const llvm::Instruction *Link) const;

private:
  const llvm::Loop &L;
  const FrameValues &Frames;
  llvm::ScalarEvolution &SE;
  llvm::AAResults &AA;
  const ReadDependences &Dependences;
  /// Loads of what other accesses find their places by, and the stores that
  /// replace them.
  llvm::SmallVector<const Access *> Links, Replacements, Removals;
  /// Those that removals replace.
  llvm::SmallPtrSet<const llvm::Instruction *, 8> Unlinked;

  void findLinks(const LatencyAnalysis &Latency, const TaskLocals &Locals);
  bool isCarried(const Access &Link) const;
  bool areSameLink(const Access &A, const Access &B) const;
  bool mayUnlink(const InstructionUse &Use, const Access &Link) const;
  bool isRemoval(const Access &Store) const;
  bool skips(const Access &Link, const Access &Store) const;
  bool joins(const Access &Way, const Access &Store) const;
};

} // namespace heddle

#endif
