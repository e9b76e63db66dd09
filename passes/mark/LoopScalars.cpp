//===- LoopScalars.cpp - Scalars that only the loop sees ------------------===//

#include "mark/LoopScalars.h"
#include "ir/Instructions.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;
using namespace heddle;

/// Run-time calls that fill the variables they are given and forget them.
static bool forgetsItsArguments(const Instruction *I) {
  const StringRef Name = calleeName(*I);
  return Name.starts_with("__kmpc_for_static_init") ||
         Name.starts_with("__kmpc_dispatch_next");
}

/// True if while \p L runs only its own loads and stores reach \p Scalar, and
/// mem2reg cannot see that.
static bool isEligible(AllocaInst *Scalar, const Loop &L,
                       const DominatorTree &DT, const LoopInfo &LI) {
  if (!Scalar->isStaticAlloca() ||
      !Scalar->getAllocatedType()->isSingleValueType())
    return false;
  bool UsedInside = false, Escapes = false;
  for (User *U : Scalar->users()) {
    auto *I = cast<Instruction>(U);
    if (I->isLifetimeStartOrEnd()) {
      if (L.contains(I))
        return false;
      continue;
    }
    auto *Load = dyn_cast<LoadInst>(I);
    auto *Store = dyn_cast<StoreInst>(I);
    bool Plain =
        (Load && Load->isSimple() &&
         Load->getType() == Scalar->getAllocatedType()) ||
        (Store && Store->isSimple() && Store->getPointerOperand() == Scalar &&
         Store->getValueOperand() != Scalar &&
         Store->getValueOperand()->getType() == Scalar->getAllocatedType());
    if (L.contains(I)) {
      if (!Plain)
        return false;
      UsedInside = true;
      continue;
    }
    if (Plain)
      continue;
    Escapes = true;
    if (!forgetsItsArguments(I) &&
        isPotentiallyReachable(I, &L.getHeader()->front(), nullptr, &DT, &LI))
      return false;
  }
  return UsedInside && Escapes;
}

void heddle::isolateLoopScalars(Loop &L, DominatorTree &DT, LoopInfo &LI) {
  SmallVector<AllocaInst *> Scalars;
  Function &F = *L.getHeader()->getParent();
  for (Instruction &I : F.getEntryBlock())
    if (auto *Alloca = dyn_cast<AllocaInst>(&I))
      if (isEligible(Alloca, L, DT, LI))
        Scalars.push_back(Alloca);
  if (Scalars.empty())
    return;
  SmallVector<BasicBlock *> Exits;
  L.getUniqueExitBlocks(Exits);
  for (BasicBlock *Exit : Exits)
    if (Exit->isEHPad() && !isa<UnreachableInst>(Exit->getTerminator()))
      return;
  BasicBlock *Preheader = L.getLoopPreheader();
  if (!Preheader)
    Preheader = InsertPreheaderForLoop(&L, &DT, &LI, nullptr, false);
  if (!Preheader)
    return;
  assert(L.getLoopPreheader() == Preheader && "every way in leads over it");
  formDedicatedExitBlocks(&L, &DT, &LI, nullptr, /*PreserveLCSSA=*/false);
  Exits.clear();
  L.getUniqueExitBlocks(Exits);

  for (AllocaInst *Scalar : Scalars) {
    assert(Scalar->isStaticAlloca() && "a variable of the whole function");
    Type *T = Scalar->getAllocatedType();
    IRBuilder<> Entry(Scalar);
    AllocaInst *Copy =
        Entry.CreateAlloca(T, nullptr, Scalar->getName() + ".loop");
    Copy->setAlignment(Scalar->getAlign());
    bool Written = false;
    for (Use &U : make_early_inc_range(Scalar->uses())) {
      auto *User = cast<Instruction>(U.getUser());
      if (!L.contains(User))
        continue;
      Written |= isa<StoreInst>(User);
      U.set(Copy);
    }
    IRBuilder<> Before(Preheader->getTerminator());
    Before.CreateStore(Before.CreateLoad(T, Scalar), Copy);
    if (!Written)
      continue;
    for (BasicBlock *Exit : Exits) {
      if (Exit->isEHPad())
        continue;
      IRBuilder<> After(&*Exit->getFirstInsertionPt());
      After.CreateStore(After.CreateLoad(T, Copy), Scalar);
    }
  }
}
