//===- AheadValues.cpp - What is computed before its turn -----------------===//

#include "async/ahead/AheadValues.h"
#include "async/order/RunsAhead.h"
#include "llvm/Analysis/ValueTracking.h"

using namespace llvm;
using namespace heddle;

bool AheadValues::isSteady(const LoadInst &Load) {
  auto [Found, IsNew] = Steady.try_emplace(&Load, false);
  if (IsNew)
    Found->second = Memory.isReadBy(Load);
  return Found->second;
}

bool AheadValues::isSameAtTurn(const Instruction &I) const {
  return !Unsure.contains(I.getParent()) &&
         none_of(I.operand_values(),
                 [&](const Value *V) { return isPremature(V); });
}

bool AheadValues::canRun(const Instruction &I,
                         function_ref<bool(const Instruction &)> IsRehearsed,
                         NonZeroGuards &Guards) {
  auto IsSame = [&](const Instruction &Other) {
    return IsRehearsed(Other) && isSameAtTurn(Other);
  };
  if (auto *Load = dyn_cast<LoadInst>(&I)) {
    if (isSameAtTurn(I) || Tables.isBucket(*Load, IsSame))
      return true;
    Value *Node = Tables.nodeOf(*Load, IsRehearsed, IsSame);
    if (Node)
      Guards[&I] = Node;
    return Node;
  }
  if (I.mayReadFromMemory())
    return false;
  if (mayDivideByZero(I) && !isSameAtTurn(I)) {
    if (I.getOpcode() == Instruction::SDiv ||
        I.getOpcode() == Instruction::SRem)
      return false;
    Guards[&I] = I.getOperand(1);
    return true;
  }
  return !isa<CallBase>(I) || isSafeToSpeculativelyExecute(&I) ||
         isSameAtTurn(I);
}

void AheadValues::add(const Instruction &I) {
  auto *Phi = dyn_cast<PHINode>(&I);
  auto *Load = dyn_cast<LoadInst>(&I);
  if (any_of(I.operand_values(),
             [&](const Value *V) { return isPremature(V); }) ||
      (Load && !isSteady(*Load)) ||
      (Phi && Unsure.contains(I.getParent()) && !Phi->hasConstantValue()))
    Premature.insert(&I);
}

void AheadValues::pass(const BasicBlock &From, const BasicBlock &To) {
  const Instruction *End = From.getTerminator();
  if (Unsure.contains(&From) ||
      any_of(End->operand_values(),
             [&](const Value *V) { return isPremature(V); }))
    Unsure.insert(&To);
}
