//===- WaysBehind.h - How a walk goes on behind what it leaves out -*- C++ -*-//
//
// An inner loop may run ahead of the parts of it that must happen in iteration
// order (AheadWalks.h). What runs ahead are reads only:
//
//  * Up to the first part that is left out, the walk does what it would do
//    anyway: nothing has been left out, and no iteration reads what another one
//    writes, but for updates that isUndisturbed(), below, looks for.
//  * Behind that, nothing but requests for memory comes of it: the walk is made
//    again, in order, from the turn on in which it left something out. So it
//    must neither fail nor run on for ever, though the memory is not written
//    yet that the parts left out write, and the program would perhaps have
//    ended there. It goes on only if it comes back from each part to one place,
//    whatever happens in it, and from there takes only ways, and reads only
//    addresses, that do not depend on memory that those parts may write. At a
//    branch that does depend on it, it goes on where all ways meet; it ends if
//    they do not.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_ORDER_WAYSBEHIND_H
#define HEDDLE_PASSES_ASYNC_ORDER_WAYSBEHIND_H

#include "async/analysis/LoopFacts.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace heddle {

/// An inner loop, without loops inside, that is to run ahead.
struct AheadWalk {
  llvm::Loop &Inner;
  /// The instructions that must happen in iteration order, and the addresses
  /// that they access.
  llvm::SmallPtrSet<const llvm::Instruction *, 16> Uses;
  llvm::SmallPtrSet<const llvm::SCEV *, 8> OrderedPlaces;
  /// The phis of the walk that hold Ordered variables, and these.
  llvm::MapVector<llvm::PHINode *, llvm::PHINode *> Carried;
  /// The blocks that run ahead, in an order in which the walk may pass them.
  llvm::SetVector<llvm::BasicBlock *> Ahead;
  /// The first use in each of them that has one. The walk runs ahead up to it.
  llvm::MapVector<llvm::BasicBlock *, llvm::Instruction *> Cuts;

  explicit AheadWalk(llvm::Loop &Inner) : Inner(Inner) {}

  bool isIn(const llvm::Instruction &I) const;
  bool isAhead(const llvm::Instruction &I) const;
};

/// How a walk goes on after it has left something out.
struct WaysBehind {
  /// For blocks with a use, the block that comes next.
  llvm::DenseMap<llvm::BasicBlock *, llvm::BasicBlock *> GoesOn;
  /// For blocks whose branch depends on what has been left out, the block where
  /// its ways meet; null if the walk ends there.
  llvm::MapVector<llvm::BasicBlock *, llvm::BasicBlock *> Skips;
  /// What phis of those blocks are then, as far as that is known.
  llvm::DenseMap<std::pair<llvm::PHINode *, llvm::BasicBlock *>, llvm::Value *>
      Values;
  /// The blocks that the walk may come to, other than through Skips.
  llvm::SmallPtrSet<llvm::BasicBlock *, 16> Passed;
};

/// True if \p W may run ahead: nothing in \p C 's loop may change what it reads
/// before it is the iteration's turn, other than by appending to arrays where
/// Ordered variables choose the place, and other than in memory that belongs to
/// the iteration. Removing elements from a list, for instance, would.
bool isUndisturbed(const LoopContext &C, const LoopFacts &Facts,
                   const AheadWalk &W);

WaysBehind findWaysBehind(const LoopContext &C, const LoopFacts &Facts,
                          const AheadWalk &W);

} // namespace heddle

#endif
