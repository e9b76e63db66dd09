//===- ArrayPointers.cpp - Where arrays of other objects begin ------------===//

#include "async/places/ArrayPointers.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace heddle;

/// True if \p Gep leads to elements that iterations choose.
static bool choosesElement(const GetElementPtrInst &Gep, const Loop &L) {
  return any_of(Gep.indices(),
                [&](const Value *Index) { return !L.isLoopInvariant(Index); });
}

/// True if \p Use , of what is read where an array begins or ends, finds
/// elements or compares. The end of a list is advanced; an object is accessed
/// itself.
static bool isUseOfPointer(const Use &Use, const Loop &L) {
  if (auto *Gep = dyn_cast<GetElementPtrInst>(Use.getUser()))
    return Use.getOperandNo() == 0 && choosesElement(*Gep, L);
  auto *Compare = dyn_cast<ICmpInst>(Use.getUser());
  return Compare ? !isa<Constant>(Compare->getOperand(1 - Use.getOperandNo()))
                 : isa<PtrToIntInst>(Use.getUser());
}

/// True if \p Use , of the length of an array or a number by that it is
/// computed, maps other numbers to indices or is compared with one.
static bool isUseOfLength(const Use &Use, const Loop &L) {
  auto *I = cast<Instruction>(Use.getUser());
  switch (I->getOpcode()) {
  case Instruction::URem:
  case Instruction::SRem:
  case Instruction::LShr:
    return Use.getOperandNo() == 1;
  case Instruction::And:
    return !L.isLoopInvariant(I->getOperand(1 - Use.getOperandNo()));
  case Instruction::ICmp:
    return !isa<Constant>(I->getOperand(1 - Use.getOperandNo()));
  default:
    return false;
  }
}

/// True if \p I makes another length of one.
static bool changesLength(const Instruction &I) {
  return isa<CastInst>(I) ||
         (is_contained({Instruction::Add, Instruction::Sub, Instruction::Shl},
                       I.getOpcode()) &&
          any_of(I.operand_values(),
                 [](const Value *V) { return isa<ConstantInt>(V); }));
}

/// True if \p Load, and all others of \p L from its address, read where an
/// array begins or ends, or how long it is. They may merge.
static bool isOfArray(const LoadInst &Load, const Loop &L) {
  const bool IsPointer = Load.getType()->isPointerTy();
  bool IsUsed = false;
  SmallSetVector<const Value *, 4> Values;
  Values.insert(&Load);
  for (const User *Other : Load.getPointerOperand()->users())
    if (auto *Again = dyn_cast<LoadInst>(Other); Again && L.contains(Again))
      Values.insert(Again);
  for (unsigned N = 0; N < Values.size(); ++N)
    for (const Use &U : Values[N]->uses()) {
      auto *I = cast<Instruction>(U.getUser());
      if (isa<PHINode>(I) || (!IsPointer && changesLength(*I)))
        Values.insert(I);
      else if (IsPointer ? isUseOfPointer(U, L) : isUseOfLength(U, L))
        IsUsed = true;
      else
        return false;
    }
  return IsUsed;
}

/// True if \p Pointer leads to a row or a node that the iteration of \p L has
/// found: it holds none of what all use.
static bool isFound(const Value &Pointer, const Loop &L) {
  auto *Gep = dyn_cast<GetElementPtrInst>(&Pointer);
  return Gep && choosesElement(*Gep, L);
}

/// True if \p Pointer may lead to what lies in \p Object, other than by
/// variables of the function's own.
static bool leadsElsewhere(const Value &Object, const Value &Pointer,
                           const Loop &L) {
  const Value *Pointee = getUnderlyingObject(&Pointer);
  if (Pointee == &Object)
    return true;
  if (isFound(Pointer, L) || isa<ConstantPointerNull>(Pointee))
    return false;
  if (auto *Global = dyn_cast<GlobalVariable>(Pointee))
    return !Global->isConstant();
  return L.isLoopInvariant(&Pointer) || !isa<LoadInst, CallBase>(Pointee);
}

/// True if a pointer to \p Object, or to what leads there, may be stored in the
/// variable of which \p Part is a part, by the function or by a call.
static bool mayHold(const Value &Part, const Value &Object, const Loop &L) {
  const Value *Variable = getUnderlyingObject(&Part);
  return any_of(Part.users(), [&](const User *U) {
    if (auto *Store = dyn_cast<StoreInst>(U))
      return Store->getValueOperand() == &Part ||
             Store->getValueOperand()->getType()->isPointerTy();
    if (isa<GetElementPtrInst>(U))
      return mayHold(*U, Object, L);
    auto *Call = dyn_cast<CallBase>(U);
    if (!Call || isa<AnyMemTransferInst>(Call))
      return !isa<LoadInst, CmpInst>(U);
    return any_of(Call->args(), [&](const Value *Argument) {
      return Argument->getType()->isPointerTy() &&
             getUnderlyingObject(Argument) != Variable &&
             leadsElsewhere(Object, *Argument, L);
    });
  });
}

/// True if \p Pointer, in an iteration of \p L , may lead to what lies in \p
/// Object.
static bool mayLeadTo(const Value &Object, const Value &Pointer,
                      const Loop &L) {
  auto *Variable = dyn_cast<AllocaInst>(getUnderlyingObject(&Pointer));
  return Variable && Variable != &Object ? mayHold(*Variable, Object, L)
                                         : leadsElsewhere(Object, Pointer, L);
}

/// True if \p Argument, of a call in \p L, may lead to what lies in \p Object.
static bool isHandedBy(const Value &Argument, const Value &Object,
                       const Loop &L) {
  SmallSetVector<const Value *, 4> Ways;
  Ways.insert(&Argument);
  for (unsigned N = 0; N < Ways.size(); ++N) {
    auto *Merge = dyn_cast<Instruction>(Ways[N]);
    if (Merge && L.contains(Merge) && isa<PHINode, SelectInst>(Merge)) {
      for (const Value *Way : Merge->operand_values())
        if (Way->getType()->isPointerTy())
          Ways.insert(Way);
    } else if (mayLeadTo(Object, *Ways[N], L)) {
      return true;
    }
  }
  return false;
}

bool heddle::leavesArray(const CallBase &Call, const LoadInst &Load,
                         const Loop &L) {
  const Function *Callee = Call.getCalledFunction();
  const Value *Object = getUnderlyingObject(Load.getPointerOperand());
  auto IsPointer = [](const Value *Argument) {
    return Argument->getType()->isPointerTy();
  };
  return Callee && Callee->isDeclaration() && !Callee->isIntrinsic() &&
         !Call.hasOperandBundles() && L.isLoopInvariant(Object) &&
         !isa<GlobalValue>(Object) && isOfArray(Load, L) &&
         // What is called for its effect alone has it somewhere.
         (!Call.use_empty() || any_of(Call.args(), IsPointer)) &&
         none_of(Call.args(), [&](const Value *Argument) {
           return IsPointer(Argument) && isHandedBy(*Argument, *Object, L);
         });
}
