//===- Order.cpp - Accesses that keep the order of iterations -------------===//

#include "check/Order.h"
#include "ir/Instructions.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace heddle;

/// Pointers that are followed to find out that an address is fixed.
static constexpr unsigned MostPointersToFixed = 4;

/// True if \p Call is handed \p Object and may write to it.
static bool mayWriteTo(const CallBase &Call, const Value *Object) {
  if (!Call.mayWriteToMemory() || Call.isLifetimeStartOrEnd() ||
      calleeName(Call).starts_with("heddle_check_"))
    return false;
  return any_of(Call.args(), [&](const Use &Argument) {
    return Argument->getType()->isPointerTy() &&
           getUnderlyingObject(Argument) == Object &&
           !Call.onlyReadsMemory(Call.getArgOperandNo(&Argument));
  });
}

/// True if \p L itself stores to the object that \p Address points into, or
/// hands it to a function that may.
static bool isStoredTo(const Value *Address, const Loop &L) {
  const Value *Object = getUnderlyingObject(Address);
  return any_of(instructionsIn(L.blocks()), [&](const Instruction &I) {
    if (auto *Call = dyn_cast<CallBase>(&I))
      return mayWriteTo(*Call, Object);
    auto *Store = dyn_cast<StoreInst>(&I);
    return Store && getUnderlyingObject(Store->getPointerOperand()) == Object;
  });
}

static bool isFixed(const Value *Address, const Loop &L, unsigned Pointers) {
  if (L.isLoopInvariant(Address))
    return true;
  if (auto *GEP = dyn_cast<GEPOperator>(Address))
    return isFixed(GEP->getPointerOperand(), L, Pointers) &&
           all_of(GEP->indices(),
                  [&](const Use &Index) { return L.isLoopInvariant(Index); });
  auto *Load = dyn_cast<LoadInst>(Address);
  return Load && Pointers &&
         isFixed(Load->getPointerOperand(), L, Pointers - 1) &&
         !isStoredTo(Load->getPointerOperand(), L);
}

bool heddle::isFixedInLoop(const Value *Address, const Loop &L) {
  return isFixed(Address, L, MostPointersToFixed);
}

/// True if control at the end of \p Block has one way, to the program's end,
/// but for exceptions.
static bool endsProgram(const BasicBlock *Block) {
  constexpr unsigned Most = 8;
  for (unsigned Passed = 0; Block && Passed < Most; ++Passed) {
    const Instruction *End = Block->getTerminator();
    if (isa<UnreachableInst>(End))
      return true;
    auto *Invoke = dyn_cast<InvokeInst>(End);
    Block = Invoke ? Invoke->getNormalDest() : Block->getUniqueSuccessor();
  }
  return false;
}

/// True if \p I, behind \p L, calls a function on the ways of exceptions that
/// leave the loop alone, as where they destroy variables of its body.
static bool cleansUp(const Instruction &I, const Loop &L) {
  if (!isa<CallBase>(I))
    return false;
  SmallSetVector<const BasicBlock *, 16> Behind;
  Behind.insert(I.getParent());
  for (unsigned Next = 0; Next < Behind.size(); ++Next) {
    const BasicBlock *Block = Behind[Next];
    if (Block->isEntryBlock())
      return false;
    for (const BasicBlock *Before : predecessors(Block))
      if (!L.contains(Before))
        Behind.insert(Before);
      else if (!Block->isEHPad())
        return false;
  }
  return true;
}

bool heddle::isOfIteration(const AllocaInst &Variable, const Loop &L) {
  if (L.contains(&Variable))
    return true;
  SmallVector<const Value *> Worklist{&Variable};
  SmallPtrSet<const Value *, 8> Seen;
  bool BeginsInside = false, BeginsOutside = false, IsUsedOutside = false;
  while (!Worklist.empty())
    for (const User *U : Worklist.pop_back_val()->users()) {
      auto *I = dyn_cast<Instruction>(U);
      if (!I)
        return false;
      if (auto *Lifetime = dyn_cast<LifetimeIntrinsic>(I)) {
        if (Lifetime->getIntrinsicID() == Intrinsic::lifetime_start)
          (L.contains(Lifetime) ? BeginsInside : BeginsOutside) = true;
      } else if (calleeName(*I).starts_with("heddle_check_")) {
        continue;
      } else if (isa<GetElementPtrInst, CastInst>(I)) {
        // Code motion may have moved its address out of the loop.
        if (Seen.insert(I).second)
          Worklist.push_back(I);
      } else if (!L.contains(I)) {
        IsUsedOutside |= !endsProgram(I->getParent()) && !cleansUp(*I, L);
      }
    }
  // Where it is known to be declared outside, other iterations may read what
  // one writes. Iterations may have been peeled off the loop, and blocks in
  // which they leave it do not belong to it.
  return BeginsInside || (!BeginsOutside && !IsUsedOutside);
}

bool heddle::isWorkshared(const Loop &L) {
  const Function &F = *L.getHeader()->getParent();
  return any_of(instructions(F), [](const Instruction &I) {
    StringRef Name = calleeName(I);
    return Name.starts_with("__kmpc_for_static_init_") ||
           Name.starts_with("__kmpc_dispatch_init_");
  });
}

bool heddle::mayPassObjectOfThread(const CallBase &Call) {
  const bool IsRegion = Call.getFunction()->getName().contains(".omp_outlined");
  return any_of(Call.args(), [&](const Use &Argument) {
    if (!Argument->getType()->isPointerTy())
      return false;
    const Value *Object = getUnderlyingObject(Argument);
    while (auto *Load = dyn_cast<LoadInst>(Object))
      Object = getUnderlyingObject(Load->getPointerOperand());
    return !isa<GlobalValue>(Object) &&
           !(IsRegion && isa<llvm::Argument>(Object));
  });
}
