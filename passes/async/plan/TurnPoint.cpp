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

Instruction *heddle::findTurnPoint(const LoopContext &C, const LoopFacts &Facts,
                                   std::string &Name) {
  const LoopShape &Shape = Facts.Shape;
  const DominatorTree &DT = C.DT;
  SmallVector<Instruction *> Uses;
  auto AddUses = [&](Value *V) {
    for (Use &U : V->uses()) {
      auto *User = cast<Instruction>(U.getUser());
      if (!Shape.L->contains(User))
        continue;
      if (auto *Phi = dyn_cast<PHINode>(User))
        User = Phi->getIncomingBlock(U)->getTerminator();
      Uses.push_back(User);
    }
  };
  bool AnyOrdered = false;
  for (const LoopVariable &V : Facts.Classes.Variables)
    if (V.Class == VariableClass::Ordered) {
      AnyOrdered = true;
      AddUses(V.Phi);
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
  }
  if (Uses.empty() && !AnyOrdered)
    return nullptr;
  BasicBlock *Common = Shape.Latch;
  for (Instruction *User : Uses)
    Common = DT.findNearestCommonDominator(Common, User->getParent());
  while (C.LI.getLoopFor(Common) != Shape.L ||
         !DT.dominates(Common, Shape.Latch))
    Common = DT.getNode(Common)->getIDom()->getBlock();
  for (Instruction &I : *Common)
    if (is_contained(Uses, &I))
      return &I;
  return Common->getTerminator();
}
