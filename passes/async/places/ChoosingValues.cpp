//===- ChoosingValues.cpp - Values that choose a place --------------------===//

#include "async/places/ChoosingValues.h"
#include "ir/Instructions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace heddle;

bool heddle::mayFold(const Instruction &I, const Loop *L) {
  auto IsFixed = [&](const Value *V) {
    return isa<Constant>(V) || (L && L->isLoopInvariant(V));
  };
  switch (I.getOpcode()) {
  case Instruction::Mul:
    return I.getType()->isVectorTy() || none_of(I.operand_values(), IsFixed);
  case Instruction::Shl:
    return !IsFixed(I.getOperand(1));
  case Instruction::PHI:
  case Instruction::Select:
    // One way may be the same in all iterations.
    return any_of(drop_begin(I.operand_values(), isa<SelectInst>(I)), IsFixed);
  case Instruction::Or:
    return !cast<PossiblyDisjointInst>(I).isDisjoint();
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::GetElementPtr:
  case Instruction::Freeze:
    return false;
  case Instruction::Trunc:
    // Wider ones are taken to hold the number of the iteration.
    return I.getType()->getScalarSizeInBits() < 32;
  default:
    return !isa<CastInst>(I);
  }
}

/// True if \p L may write to the variable of the function that \p Address
/// points into.
static bool mayWriteIn(const Loop &L, const Value &Address) {
  return any_of(Address.users(), [&](const User *U) {
    auto *I = cast<Instruction>(U);
    return isa<GetElementPtrInst>(I) ? mayWriteIn(L, *I)
                                     : L.contains(I) && I->mayWriteToMemory() &&
                                           !I->isLifetimeStartOrEnd();
  });
}

bool heddle::readsTheSame(const Instruction &I, const Loop &L) {
  auto *Call = dyn_cast<CallBase>(&I);
  auto *Load = dyn_cast<LoadInst>(&I);
  const Value *Object =
      Load ? getUnderlyingObject(Load->getPointerOperand()) : nullptr;
  if (isa_and_present<AllocaInst>(Object) && mayWriteIn(L, *Object))
    return false;
  auto IsOfIteration = [&](const Instruction &Operand) {
    return isa<LoadInst, CallBase>(Operand) ||
                   (isa<PHINode>(Operand) &&
                    Operand.getParent() == L.getHeader())
               ? OperandWalk::Found
               : OperandWalk::GoOn;
  };
  return (Call ? Call->onlyReadsMemory() : Load != nullptr) &&
         none_of(I.operand_values(), [&](const Value *Operand) {
           return findOperand(Operand, L, IsOfIteration);
         });
}
