//===- PlainCopy.cpp - A loop for entries with few iterations -------------===//

#include "async/schedules/PlainCopy.h"
#include "async/rewrite/DebugScopes.h"
#include "ir/Instructions.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace heddle;

PlainCopy::PlainCopy(const LoopShape &Shape, const CallInst &Marker,
                     BasicBlock *Enter) {
  ValueToValueMapTy Of;
  SmallVector<BasicBlock *> Blocks;
  for (BasicBlock *Block : Shape.L->blocks()) {
    BasicBlock *Copy = CloneBasicBlock(Block, Of, ".plain", Enter->getParent());
    Of[Block] = Copy;
    Blocks.push_back(Copy);
  }
  Of[Shape.Preheader] = Enter;
  remapInstructionsInBlocks(Blocks, Of);
  cast<Instruction>(Of[&Marker])->eraseFromParent();
  separateScopes(Blocks, Marker.getDebugLoc());
  BranchInst::Create(cast<BasicBlock>(Of[Shape.L->getHeader()]), Enter);

  auto InCopy = [&](Value *V) {
    Value *Copy = Of.lookup(V);
    return Copy ? Copy : V;
  };
  for (BasicBlock *Block : Shape.L->blocks())
    for (BasicBlock *Successor : successors(Block)) {
      if (Shape.L->contains(Successor))
        continue;
      WayOut &Out = WaysOut.emplace_back(cast<BasicBlock>(Of[Block]));
      for (PHINode &Phi : Successor->phis())
        Out.Values.push_back(
            {&Phi, InCopy(Phi.getIncomingValueForBlock(Block))});
    }
}

void PlainCopy::connect() const {
  for (const WayOut &Out : WaysOut)
    for (auto [Phi, Value] : Out.Values)
      Phi->addIncoming(Value, Out.From);
}
