//===- Liveness.cpp - Which values a piece of code needs later ------------===//

#include "loop/Liveness.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace heddle;

Liveness::Liveness(ArrayRef<BasicBlock *> Body)
    : Blocks(Body.begin(), Body.end()) {
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (BasicBlock *Block : reverse(Body))
      Changed |= update(Block);
  }
}

Instruction *Liveness::valueOf(Value *V) const {
  auto *I = dyn_cast<Instruction>(V);
  return I && Blocks.contains(I->getParent()) ? I : nullptr;
}

bool Liveness::update(BasicBlock *Block) {
  Values Live;
  for (BasicBlock *Successor : successors(Block)) {
    if (Blocks.contains(Successor))
      for (Instruction *I : LiveIn[Successor])
        Live.insert(I);
    for (PHINode &Phi : Successor->phis())
      if (Instruction *I = valueOf(Phi.getIncomingValueForBlock(Block)))
        Live.insert(I);
  }
  for (Instruction &I : reverse(*Block)) {
    Live.remove(&I);
    if (isa<PHINode>(I))
      continue;
    for (Value *Operand : I.operands())
      if (Instruction *Used = valueOf(Operand))
        Live.insert(Used);
  }
  Values &Old = LiveIn[Block];
  bool Grew = Live.size() != Old.size();
  Old = std::move(Live);
  return Grew;
}
