//===- CallBeside.cpp - Two calls, one for tasks --------------------------===//

#include "inline/CallBeside.h"
#include "mark/Directive.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace heddle;

void heddle::putBeside(CallBase &Call, CallBase &ForTasks) {
  // Behind the call there is a block that nothing else leads to.
  BasicBlock *Before = Call.getParent(), *Join = nullptr;
  if (auto *Invoke = dyn_cast<InvokeInst>(&Call))
    Join = SplitEdge(Before, Invoke->getNormalDest());
  else
    Join = Before->splitBasicBlock(Call.getNextNode());
  BasicBlock *Else = Before->splitBasicBlock(&Call);
  BasicBlock *Then =
      BasicBlock::Create(Call.getContext(), "", Before->getParent(), Else);
  IRBuilder<> B(Before->getTerminator());
  B.SetCurrentDebugLocation(Call.getDebugLoc());
  B.CreateCondBr(B.CreateCall(nestedMarker(*Call.getModule()), {}), Then, Else);
  Before->getTerminator()->eraseFromParent();
  ForTasks.insertInto(Then, Then->end());
  B.SetInsertPoint(Then);
  B.SetCurrentDebugLocation(Call.getDebugLoc());
  if (auto *Invoke = dyn_cast<InvokeInst>(&ForTasks)) {
    Invoke->setNormalDest(Join);
    for (PHINode &Phi : Invoke->getUnwindDest()->phis())
      Phi.addIncoming(Phi.getIncomingValueForBlock(Else), Then);
  } else {
    B.CreateBr(Join);
  }
  if (Call.getType()->isVoidTy())
    return;
  B.SetInsertPoint(Join, Join->begin());
  PHINode *Result = B.CreatePHI(Call.getType(), 2);
  Call.replaceAllUsesWith(Result);
  Result->addIncoming(&ForTasks, Then);
  Result->addIncoming(&Call, Else);
}
