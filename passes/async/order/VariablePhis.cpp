//===- VariablePhis.cpp - The phis that hold a variable of a loop ---------===//

#include "async/order/VariablePhis.h"
#include "ir/Instructions.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace heddle;

bool VariablePhis::collect() {
  Phis.insert(&Head);
  for (unsigned Next = 0; Next < Phis.size(); ++Next) {
    PHINode &Phi = *Phis[Next];
    for (BasicBlock *From : Phi.blocks()) {
      if (!L.contains(From))
        continue;
      Value *New = Phi.getIncomingValueForBlock(From);
      auto *Former = dyn_cast<PHINode>(New);
      if (!Former || !L.contains(Former)) {
        // No edge to a landing pad can have code of its own.
        if (Phi.getParent()->isEHPad())
          return false;
        Assignments.push_back({&Phi, From, New});
        Former = formerOf(New);
        if (Former && !comesFromHead(*Former))
          continue;
      }
      if (Former && Former->getParent() == L.getHeader() && Former != &Head)
        return false;
      if (Former)
        Phis.insert(Former);
    }
  }
  return true;
}

bool VariablePhis::comesFromHead(const PHINode &Phi) const {
  return findOperand(&Phi, L, [&](const Instruction &I) {
    if (&I == &Head)
      return OperandWalk::Found;
    const bool IsOther = I.getParent() == L.getHeader() && isa<PHINode>(I);
    return IsOther || !(isa<PHINode>(I) || formerOf(&I)) ? OperandWalk::Pass
                                                         : OperandWalk::GoOn;
  });
}

PHINode *VariablePhis::formerOf(const Value *New) const {
  auto *I = dyn_cast<Instruction>(New);
  if (!I || !isa<GetElementPtrInst, AddOperator, SubOperator>(I))
    return nullptr;
  for (const Use &Operand : I->operands()) {
    auto *Phi = dyn_cast<PHINode>(Operand.get());
    if (Phi && L.contains(Phi) && (isPhi(Phi) || Operand.getOperandNo() == 0))
      return Phi;
    if (!isa<AddOperator>(I))
      break;
  }
  return nullptr;
}

bool VariablePhis::findCurrent() {
  for (PHINode *Phi : Phis)
    if (!Current.insert({Phi->getParent(), Phi}).second)
      return false;
  ReversePostOrderTraversal<BasicBlock *> RPO(L.getHeader());
  for (BasicBlock *Block : RPO) {
    if (!L.contains(Block) || holds(*Block))
      continue;
    PHINode *Common = nullptr;
    for (BasicBlock *Before : predecessors(Block)) {
      PHINode *There = Current.lookup(Before);
      if (There && Common && There != Common)
        return false;
      if (There)
        Common = There;
    }
    Current[Block] = Common;
  }
  for (BasicBlock *Block : L.blocks())
    for (BasicBlock *Before : predecessors(Block))
      if (!holds(*Block) && Current.lookup(Before) != Current.lookup(Block))
        return false;
  return all_of(Phis, [&](PHINode *Phi) {
    return all_of(Phi->blocks(), [&](BasicBlock *From) {
      auto *Merged = dyn_cast<PHINode>(Phi->getIncomingValueForBlock(From));
      return !L.contains(From) || !Merged || !Phis.contains(Merged) ||
             Current.lookup(From) == Merged;
    });
  });
}

bool VariablePhis::holds(const BasicBlock &Block) const {
  return any_of(Phis, [&](PHINode *Phi) { return Phi->getParent() == &Block; });
}

bool VariablePhis::isPhi(const Value *V) const {
  auto *Phi = dyn_cast<PHINode>(V);
  return Phi && Phis.contains(const_cast<PHINode *>(Phi));
}

/// True if so many bytes are filled or copied in the block of \p New.
static bool isLengthBeside(const Value &Step, const Value &New) {
  return isa<Instruction>(Step) && any_of(Step.users(), [&](const User *U) {
           auto *Fill = dyn_cast<AnyMemIntrinsic>(U);
           return Fill && Fill->getLength() == &Step &&
                  Fill->getParent() == cast<Instruction>(New).getParent();
         });
}

bool VariablePhis::advances(const Value *New) const {
  const PHINode *Former = formerOf(New);
  if (!Former || !isPhi(Former) || isa<SubOperator>(New))
    return false;
  return all_of(cast<User>(New)->operands(), [&](const Use &Step) {
    return Step == Former || isLengthBeside(*Step, *New) ||
           C.SE.isKnownNonNegative(C.SE.getSCEV(Step.get()));
  });
}

bool VariablePhis::goesBack(const Value *New) const {
  const PHINode *Former = formerOf(New);
  return Former && isPhi(Former) && !advances(New);
}
