//===- Uniformity.cpp - Values that are equal in all tasks ----------------===//

#include "async/rewrite/Uniformity.h"
#include "ir/Instructions.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace heddle;

Uniformity::Uniformity(const TaskBody &Body)
    : Body(Body), Blocks(Body.Blocks.begin(), Body.Blocks.end()) {
  PostDominatorTree PDT(*Body.Entry->getParent());
  SmallVector<const Instruction *> Worklist;
  for (const Instruction &I : instructionsIn(Body.Blocks))
    if (startsVarying(I))
      mark(I, Worklist);
  while (!Worklist.empty()) {
    const Instruction *I = Worklist.pop_back_val();
    if (I->isTerminator() && I->getNumSuccessors() > 1)
      diverge(*I, PDT, Worklist);
    for (const User *U : I->users())
      if (auto *Used = dyn_cast<Instruction>(U);
          Used && Blocks.contains(Used->getParent()))
        mark(*Used, Worklist);
  }
}

void Uniformity::mark(const Instruction &I,
                      SmallVectorImpl<const Instruction *> &Worklist) {
  if (Varying.insert(&I).second)
    Worklist.push_back(&I);
}

/// True if \p I may differ between tasks even if its operands do not: memory
/// and the scheduler's registers belong to the running task.
bool Uniformity::startsVarying(const Instruction &I) const {
  return I.mayReadOrWriteMemory() || isa<CallBase, FreezeInst, AllocaInst>(I) ||
         (I.isTerminator() && !isa<BranchInst, SwitchInst, UnreachableInst>(I));
}

void Uniformity::diverge(const Instruction &Terminator,
                         const PostDominatorTree &PDT,
                         SmallVectorImpl<const Instruction *> &Worklist) {
  const BasicBlock *From = Terminator.getParent();
  const auto *Node = PDT.getNode(From);
  const BasicBlock *Meet =
      Node && Node->getIDom() ? Node->getIDom()->getBlock() : nullptr;
  SmallSetVector<const BasicBlock *, 16> Apart;
  auto Enter = [&](const BasicBlock *Block) {
    for (const BasicBlock *Successor : successors(Block))
      if (Successor != Meet && Blocks.contains(Successor))
        Apart.insert(Successor);
  };
  Enter(From);
  for (unsigned I = 0; I < Apart.size(); ++I)
    Enter(Apart[I]);
  for (const BasicBlock *Block : Apart) {
    if (is_contained(Body.Resumes, Block))
      InStep = false;
    // Tasks may go round a different number of times.
    for (const Instruction &I : *Block)
      mark(I, Worklist);
  }
  if (Meet)
    for (const PHINode &Phi : Meet->phis())
      mark(Phi, Worklist);
}
