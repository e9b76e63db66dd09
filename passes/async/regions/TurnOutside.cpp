//===- TurnOutside.cpp - A turn in front of an update ---------------------===//

#include "async/regions/TurnOutside.h"
#include "loop/Worksharing.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"

using namespace llvm;
using namespace heddle;

/// \p At, or the end of the last block in front of it that each iteration
/// passes once.
static const Instruction *passedOnce(const Instruction *At,
                                     const LoopContext &C,
                                     const LoopShape &Shape) {
  const BasicBlock *Block = At->getParent();
  while (C.LI.getLoopFor(Block) != &C.L || !C.DT.dominates(Block, Shape.Latch))
    Block = C.DT.getNode(Block)->getIDom()->getBlock();
  return Block == At->getParent() ? At : Block->getTerminator();
}

/// True if \p At comes before \p Other, or is the same; both are passed once.
static bool isInFront(const Instruction *At, const Instruction *Other,
                      const DominatorTree &DT) {
  return At == Other || DT.dominates(At, Other);
}

Instruction *heddle::turnOutside(Instruction &FirstUse, const LoopContext &C,
                                 const LoopShape &Shape,
                                 const UninterruptedRegions &Regions) {
  const Instruction *At = &FirstUse;
  // Else, which iteration makes the update first could decide on the use.
  const bool IsOrderFree = !Shape.isLeftEarly() && isWorksharing(C.L, C.DT);
  SmallPtrSet<const Instruction *, 4> Seen;
  while (const std::optional<Obstacle> Why = Regions.forbidsTurn(At)) {
    if (!IsOrderFree || !Why->First || !Seen.insert(At).second)
      return nullptr;
    const Instruction *Before = passedOnce(Why->First, C, Shape);
    // The update begins behind a point that other regions contain.
    if (!isInFront(Before, At, C.DT))
      return nullptr;
    At = Before;
  }
  return const_cast<Instruction *>(At);
}
