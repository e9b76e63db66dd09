//===- IterationPaths.cpp - Where control goes in one iteration -----------===//

#include "async/regions/IterationPaths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"

using namespace llvm;
using namespace heddle;

IterationPaths::IterationPaths(const Loop &L) {
  const unsigned Count = L.getNumBlocks();
  Numbers.resize(L.getHeader()->getParent()->getMaxBlockNumber(), Count);
  for (auto [Number, Block] : enumerate(L.blocks()))
    Numbers[Block->getNumber()] = Number;
  Next.resize(Count);
  Previous.resize(Count);
  Reached.resize(Count, BitVector(Count));
  for (const BasicBlock *Block : L.blocks())
    for (const BasicBlock *Successor : successors(Block))
      if (L.contains(Successor) && Successor != L.getHeader()) {
        const unsigned From = numberOf(Block);
        const unsigned To = numberOf(Successor);
        Next[From].push_back(To);
        Previous[To].push_back(From);
      }
  // Later blocks mostly follow earlier ones.
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (unsigned Block = Count; Block-- > 0;) {
      BitVector Now = Reached[Block];
      for (unsigned Successor : Next[Block]) {
        Now |= Reached[Successor];
        Now.set(Successor);
      }
      if (Now != Reached[Block]) {
        Reached[Block] = std::move(Now);
        Changed = true;
      }
    }
  }
}

unsigned IterationPaths::numberOf(const BasicBlock *Block) const {
  const unsigned Number = Numbers[Block->getNumber()];
  assert(Number < Next.size() && "code of the loop only");
  return Number;
}

bool IterationPaths::reaches(const Instruction *From,
                             const Instruction *To) const {
  return (From->getParent() == To->getParent() && From->comesBefore(To)) ||
         Reached[numberOf(From->getParent())].test(numberOf(To->getParent()));
}

bool IterationPaths::reaches(const BasicBlock *From,
                             const Instruction *To) const {
  return From == To->getParent() ||
         Reached[numberOf(From)].test(numberOf(To->getParent()));
}

bool IterationPaths::endsIn(const BitVector &Blocks, unsigned Block) const {
  return any_of(Next[Block],
                [&](unsigned Successor) { return Blocks.test(Successor); });
}

BitVector IterationPaths::blocksTo(const Instruction *To,
                                   const Instruction *Avoiding) const {
  BitVector Blocks(Next.size());
  const BasicBlock *Passed = Avoiding ? Avoiding->getParent() : nullptr;
  if (Passed == To->getParent() && Avoiding->comesBefore(To))
    return Blocks;
  SmallVector<unsigned> Worklist{numberOf(To->getParent())};
  Blocks.set(Worklist.front());
  while (!Worklist.empty())
    for (unsigned Block : Previous[Worklist.pop_back_val()])
      if (!Blocks.test(Block) && !(Passed && Block == numberOf(Passed))) {
        Blocks.set(Block);
        Worklist.push_back(Block);
      }
  return Blocks;
}

bool IterationPaths::reachesAvoiding(const Instruction *From,
                                     const Instruction *To,
                                     const Instruction *Avoiding,
                                     const BitVector &BlocksTo) const {
  const BasicBlock *Block = From->getParent();
  const bool IsAvoidedLater =
      Avoiding && Avoiding->getParent() == Block && From->comesBefore(Avoiding);
  if (Block == To->getParent() && From->comesBefore(To))
    return !(IsAvoidedLater && Avoiding->comesBefore(To));
  return !IsAvoidedLater && endsIn(BlocksTo, numberOf(Block));
}
