//===- Landings.cpp - Where a function goes on after a jump ---------------===//

#include "check/Landings.h"
#include "check/Hooks.h"
#include "ir/Instructions.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace heddle;

/// Lets \p Call, which may return again, say in how many loops it was made. The
/// number is in memory, where a jump leaves it as it is.
static void recordReturns(CallInst &Call, Hooks &H) {
  Function &F = *Call.getFunction();
  auto *Int32 = Type::getInt32Ty(F.getContext());
  auto *Slot = new AllocaInst(Int32, F.getDataLayout().getAllocaAddrSpace(),
                              "heddle.check.depth",
                              F.getEntryBlock().getFirstInsertionPt());
  IRBuilder<> Before(&Call);
  Before.CreateStore(Before.CreateLoad(Int32, H.depth()), Slot,
                     /*isVolatile=*/true);
  Instruction *Next = Call.getNextNode();
  IRBuilder<> After(Next);
  H.call("heddle_check_landed",
         {After.CreateLoad(Int32, Slot, /*isVolatile=*/true)}, Next);
}

void heddle::recordLandings(Function &F, Hooks &H) {
  SmallVector<CallInst *> Returns;
  SmallVector<Instruction *> Landings;
  for (Instruction &I : instructions(F)) {
    if (auto *Call = dyn_cast<CallInst>(&I);
        Call && Call->hasFnAttr(Attribute::ReturnsTwice))
      Returns.push_back(Call);
    else if (isa<LandingPadInst>(I))
      Landings.push_back(I.getNextNode());
  }
  Constant *Any = ConstantInt::get(Type::getInt32Ty(F.getContext()), ~0u);
  for (Instruction *Landing : Landings)
    H.call("heddle_check_landed", {Any}, Landing);
  for (CallInst *Call : Returns)
    recordReturns(*Call, H);
}
