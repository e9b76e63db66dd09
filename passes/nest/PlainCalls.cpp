//===- PlainCalls.cpp - The call beside the nested coroutine --------------===//

#include "nest/PlainCalls.h"
#include "inline/CallBeside.h"
#include "inline/GuardTargets.h"
#include "ir/Instructions.h"
#include "mark/Directive.h"
#include "mark/Marks.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace heddle;

CallInst &heddle::keepPlain(CallBase &Call) {
  auto *Invoke = dyn_cast<InvokeInst>(&Call);
  CallInst *Nested =
      Invoke ? createCallMatchingInvoke(Invoke) : cast<CallInst>(Call.clone());
  putBeside(Call, *Nested);
  Call.setMetadata(OverflowMetadata, MDNode::get(Call.getContext(), {}));
  callAsBefore(Call);
  return *Nested;
}

static SmallVector<CallInst *, 2> choicesIn(ArrayRef<BasicBlock *> Blocks) {
  SmallVector<CallInst *, 2> Choices;
  for (Instruction &I : instructionsIn(Blocks))
    if (calleeName(I) == NestedMarkerName)
      Choices.push_back(cast<CallInst>(&I));
  return Choices;
}

/// Gives \p Choice its value. Returns the blocks that end in a branch which
/// depends on it.
static SmallVector<BasicBlock *, 2> choose(CallInst &Choice, bool IsNested) {
  SmallVector<BasicBlock *, 2> Branching;
  for (User *U : Choice.users())
    if (auto *Branch = dyn_cast<BranchInst>(U))
      Branching.push_back(Branch->getParent());
  Choice.replaceAllUsesWith(ConstantInt::getBool(Choice.getType(), IsNested));
  Choice.eraseFromParent();
  return Branching;
}

bool heddle::isChosenByTasks(const BasicBlock &From, const BasicBlock &To) {
  auto *Branch = dyn_cast<BranchInst>(From.getTerminator());
  if (!Branch || !Branch->isConditional() || Branch->getSuccessor(0) != &To)
    return false;
  auto *Choice = dyn_cast<CallInst>(Branch->getCondition());
  return Choice && calleeName(*Choice) == NestedMarkerName;
}

void heddle::chooseNested(SmallVectorImpl<BasicBlock *> &Blocks) {
  for (CallInst *Choice : choicesIn(Blocks))
    for (BasicBlock *Block : choose(*Choice, true)) {
      BasicBlock *Plain = Block->getTerminator()->getSuccessor(1);
      ConstantFoldTerminator(Block);
      if (!pred_empty(Plain))
        continue;
      DeleteDeadBlock(Plain);
      erase(Blocks, Plain);
    }
}

bool heddle::choosePlain(Function &F) {
  const Function *Marker = F.getParent()->getFunction(NestedMarkerName);
  if (!Marker)
    return false;
  SmallVector<BasicBlock *> Blocks(make_pointer_range(F));
  bool Changed = false;
  // There is no code beside these any more.
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I);
        Call && Call->getAttributes().hasFnAttr(PlainAttribute)) {
      Call->removeFnAttr(PlainAttribute);
      Changed = true;
    }
  for (CallInst *Choice : choicesIn(Blocks)) {
    for (BasicBlock *Block : choose(*Choice, false))
      ConstantFoldTerminator(Block);
    Changed = true;
  }
  if (Changed)
    removeUnreachableBlocks(F);
  return Changed;
}
