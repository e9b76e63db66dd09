//===- TurnPoint.cpp - Where iterations wait for their turn ---------------===//

#include "async/plan/TurnPoint.h"
#include "async/analysis/AccessRelations.h"
#include "async/analysis/SharedMemory.h"
#include "loop/SourceNames.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace heddle;

/// Adds the uses of \p V in \p L; the use by a phi is at the end of its block.
static void addUses(Value *V, const Loop &L,
                    SmallVectorImpl<Instruction *> &Uses) {
  for (Use &U : V->uses()) {
    auto *User = cast<Instruction>(U.getUser());
    if (!L.contains(User))
      continue;
    if (auto *Phi = dyn_cast<PHINode>(User))
      User = Phi->getIncomingBlock(U)->getTerminator();
    Uses.push_back(User);
  }
}

/// The block that each iteration passes once, in front of \p Uses.
static BasicBlock *blockBefore(ArrayRef<Instruction *> Uses,
                               const LoopShape &Shape, const LoopContext &C) {
  BasicBlock *Common = Shape.Latch;
  for (Instruction *User : Uses)
    Common = C.DT.findNearestCommonDominator(Common, User->getParent());
  while (C.LI.getLoopFor(Common) != Shape.L ||
         !C.DT.dominates(Common, Shape.Latch))
    Common = C.DT.getNode(Common)->getIDom()->getBlock();
  return Common;
}

Instruction *heddle::findTurnPoint(const LoopContext &C, const LoopFacts &Facts,
                                   std::string &Name) {
  const LoopShape &Shape = Facts.Shape;
  SmallVector<Instruction *> Uses;
  bool AnyOrdered = false;
  for (const LoopVariable &V : Facts.Classes.Variables)
    if (V.Class == VariableClass::Ordered) {
      AnyOrdered = true;
      addUses(V.Phi, *Shape.L, Uses);
      Name = describeVariable(V.Phi, "loop-carried variable");
    }
  for (Value *Variable : Facts.D.Sequential) {
    Uses.append(accessesOf(Variable, *Shape.L, C.AA));
    Name = describeVariable(Variable);
  }
  for (Instruction *Access : findOrderedAccesses(C, Facts.D, Facts.Locals)) {
    Uses.push_back(Access);
    if (auto *Address = getLoadStorePointerOperand(Access))
      Name = describeVariable(Address);
    else if (auto *Call = dyn_cast<CallBase>(Access))
      Name = "the call of " + describeCallee(*Call);
  }
  if (Uses.empty() && !AnyOrdered)
    return nullptr;
  BasicBlock *Block = blockBefore(Uses, Shape, C);
  for (Instruction &I : *Block)
    if (is_contained(Uses, &I))
      return &I;
  return Block->getTerminator();
}
