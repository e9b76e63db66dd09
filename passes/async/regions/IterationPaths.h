//===- IterationPaths.h - Where control goes in one iteration ---*- C++ -*-===//
//
// Regions and dependences ask, for each pair of accesses, whether control gets
// from the one to the other without going through the loop's header. What each
// block leads to is found once.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_REGIONS_ITERATIONPATHS_H
#define HEDDLE_PASSES_ASYNC_REGIONS_ITERATIONPATHS_H

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class BasicBlock;
class Instruction;
class Loop;
} // namespace llvm

namespace heddle {

class IterationPaths {
public:
  explicit IterationPaths(const llvm::Loop &L);

  /// True if control can go from behind \p From to \p To.
  bool reaches(const llvm::Instruction *From,
               const llvm::Instruction *To) const;
  /// True if control can go from the start of \p From to \p To.
  bool reaches(const llvm::BasicBlock *From, const llvm::Instruction *To) const;

  /// The blocks from whose start control can go to \p To without passing
  /// \p Avoiding.
  llvm::BitVector blocksTo(const llvm::Instruction *To,
                           const llvm::Instruction *Avoiding) const;
  /// True if control can go from behind \p From to \p To without passing
  /// \p Avoiding; \p BlocksTo is blocksTo() of the two.
  bool reachesAvoiding(const llvm::Instruction *From,
                       const llvm::Instruction *To,
                       const llvm::Instruction *Avoiding,
                       const llvm::BitVector &BlocksTo) const;

private:
  /// By the number of a block in its function, its number here: a map of blocks
  /// would take most of the time that large loops are compiled in.
  llvm::SmallVector<unsigned> Numbers;
  /// Of each block, those that follow it, those that it follows, and those that
  /// control gets to from its end.
  llvm::SmallVector<llvm::SmallVector<unsigned, 2>> Next, Previous;
  llvm::SmallVector<llvm::BitVector> Reached;

  unsigned numberOf(const llvm::BasicBlock *Block) const;
  bool endsIn(const llvm::BitVector &Blocks, unsigned Block) const;
};

} // namespace heddle

#endif
