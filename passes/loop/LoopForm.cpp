//===- LoopForm.cpp - The form that analyses expect of a loop -------------===//

#include "loop/LoopForm.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/InstSimplifyFolder.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/LoopRotationUtils.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;
using namespace heddle;

static void simplify(const LoopContext &C) {
  simplifyLoop(&C.L, &C.DT, &C.LI, &C.SE, &C.AC, nullptr,
               /*PreserveLCSSA=*/false);
  formLCSSARecursively(C.L, C.DT, &C.LI, &C.SE);
}

void heddle::normalise(const LoopContext &C) {
  Loop &L = C.L;
  simplify(C);
  if (L.getLoopLatch() && !L.isLoopExiting(L.getLoopLatch())) {
    SimplifyQuery SQ(L.getHeader()->getDataLayout(), nullptr, &C.DT, &C.AC);
    LoopRotation(&L, &C.LI, &C.TTI, &C.AC, &C.DT, &C.SE, nullptr, SQ,
                 /*RotationOnly=*/false, /*Threshold=*/1000,
                 /*IsUtilMode=*/false);
    simplify(C);
    C.SE.forgetLoop(&L);
  }
}

Value *heddle::valueOnEntry(Value *V, const Loop &L) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I))
    return V;
  if (I->getParent() != L.getHeader() || I->mayHaveSideEffects() ||
      isa<CallBase>(I))
    return nullptr;
  if (auto *Phi = dyn_cast<PHINode>(I))
    return Phi->getIncomingValueForBlock(L.getLoopPreheader());
  SmallVector<Value *> Operands;
  for (Value *Operand : I->operands())
    if (Value *OnEntry = valueOnEntry(Operand, L))
      Operands.push_back(OnEntry);
    else
      return nullptr;
  Instruction *Copy = I->clone();
  for (auto [Use, Operand] : zip_equal(Copy->operands(), Operands))
    Use.set(Operand);
  Copy->insertBefore(L.getLoopPreheader()->getTerminator()->getIterator());
  return Copy;
}
