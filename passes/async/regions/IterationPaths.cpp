//===- IterationPaths.cpp - Where control goes in one iteration -----------===//

#include "async/regions/IterationPaths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"

using namespace llvm;
using namespace heddle;

IterationPaths::IterationPaths(const Loop &L) {
  for (const BasicBlock *Block : L.blocks())
    Numbers.try_emplace(Block, Numbers.size());
  Next.resize(Numbers.size());
  Previous.resize(Numbers.size());
  Reached.resize(Numbers.size(), BitVector(Numbers.size()));
  for (const BasicBlock *Block : L.blocks())
    for (const BasicBlock *Successor : successors(Block))
      if (L.contains(Successor) && Successor != L.getHeader()) {
        const unsigned From = Numbers.lookup(Block);
        const unsigned To = Numbers.lookup(Successor);
        Next[From].push_back(To);
        Previous[To].push_back(From);
      }
  // Later blocks mostly follow earlier ones.
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (unsigned Block = Numbers.size(); Block-- > 0;) {
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

bool IterationPaths::reaches(const Instruction *From,
                             const Instruction *To) const {
  assert(Numbers.contains(From->getParent()) &&
         Numbers.contains(To->getParent()) && "code of the loop only");
  return (From->getParent() == To->getParent() && From->comesBefore(To)) ||
         Reached[Numbers.lookup(From->getParent())].test(
             Numbers.lookup(To->getParent()));
}

bool IterationPaths::reaches(const BasicBlock *From,
                             const Instruction *To) const {
  return From == To->getParent() ||
         Reached[Numbers.lookup(From)].test(Numbers.lookup(To->getParent()));
}

bool IterationPaths::endsIn(const BitVector &Blocks, unsigned Block) const {
  return any_of(Next[Block],
                [&](unsigned Successor) { return Blocks.test(Successor); });
}

BitVector IterationPaths::blocksTo(const Instruction *To,
                                   const Instruction *Avoiding) const {
  BitVector Blocks(Numbers.size());
  const BasicBlock *Passed = Avoiding ? Avoiding->getParent() : nullptr;
  if (Passed == To->getParent() && Avoiding->comesBefore(To))
    return Blocks;
  SmallVector<unsigned> Worklist{Numbers.lookup(To->getParent())};
  Blocks.set(Worklist.front());
  while (!Worklist.empty())
    for (unsigned Block : Previous[Worklist.pop_back_val()])
      if (!Blocks.test(Block) && !(Passed && Block == Numbers.lookup(Passed))) {
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
  return !IsAvoidedLater && endsIn(BlocksTo, Numbers.lookup(Block));
}
