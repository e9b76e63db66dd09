//===- Iterations.cpp - What iterations have to do with each other --------===//

#include "advise/Iterations.h"
#include "ir/Instructions.h"
#include "mark/Marks.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace heddle;

bool heddle::differ(const Loop &L) {
  SmallVector<const Instruction *> Worklist;
  SmallPtrSet<const Instruction *, 16> Seen;
  for (const PHINode &Phi : L.getHeader()->phis())
    Worklist.push_back(&Phi);
  while (!Worklist.empty()) {
    const Instruction *I = Worklist.pop_back_val();
    if (!L.contains(I) || !Seen.insert(I).second)
      continue;
    if (I->isTerminator() ? !L.isLoopExiting(I->getParent())
                          : I->mayReadOrWriteMemory())
      return true;
    for (const User *U : I->users())
      Worklist.push_back(cast<Instruction>(U));
  }
  return false;
}

/// True if \p Load reads what \p Store has written some iterations before.
static bool readsEarlierElement(const LoadInst &Load, const StoreInst &Store,
                                const LoopContext &C) {
  auto RecurrenceOf = [&](const Value *Address) {
    auto *Recurrence =
        dyn_cast<SCEVAddRecExpr>(C.SE.getSCEV(const_cast<Value *>(Address)));
    return Recurrence && Recurrence->getLoop() == &C.L ? Recurrence : nullptr;
  };
  const SCEVAddRecExpr *Read = RecurrenceOf(Load.getPointerOperand());
  const SCEVAddRecExpr *Written = RecurrenceOf(Store.getPointerOperand());
  if (!Read || !Written)
    return false;
  auto *Step = dyn_cast<SCEVConstant>(Written->getStepRecurrence(C.SE));
  auto *Distance = dyn_cast<SCEVConstant>(C.SE.getMinusSCEV(Written, Read));
  if (!Step || !Distance || Read->getStepRecurrence(C.SE) != Step ||
      Step->isZero())
    return false;
  const APInt &Bytes = Distance->getAPInt(), &Stride = Step->getAPInt();
  return Bytes.srem(Stride).isZero() && Bytes.sdiv(Stride).isStrictlyPositive();
}

bool heddle::readsFromBefore(const LoopContext &C) {
  SmallVector<const StoreInst *> Stores;
  for (const Instruction &I : instructionsIn(C.L.blocks()))
    if (auto *Store = dyn_cast<StoreInst>(&I))
      Stores.push_back(Store);
  return any_of(instructionsIn(C.L.blocks()), [&](const Instruction &I) {
    auto *Load = dyn_cast<LoadInst>(&I);
    return Load && any_of(Stores, [&](const StoreInst *Store) {
             return readsEarlierElement(*Load, *Store, C);
           });
  });
}

bool heddle::followsLinks(const LoopContext &C) {
  const BasicBlock *Latch = C.L.getLoopLatch();
  return Latch && any_of(C.L.getHeader()->phis(), [&](const PHINode &Phi) {
           return findOperand(Phi.getIncomingValueForBlock(Latch), C.L,
                              [&](const Instruction &I) {
                                auto *Load = dyn_cast<LoadInst>(&I);
                                return Load && dependsOnVariable(
                                                   Load->getPointerOperand(),
                                                   Phi, C.L)
                                           ? OperandWalk::Found
                                           : OperandWalk::GoOn;
                              }) &&
                  !isa<SCEVAddRecExpr>(
                      C.SE.isSCEVable(Phi.getType())
                          ? C.SE.getSCEV(const_cast<PHINode *>(&Phi))
                          : C.SE.getCouldNotCompute());
         });
}

bool heddle::isHeldUp(const LoopContext &C, LatencyAnalysis &Latency) {
  if (any_of(Latency.accesses(), [](const Access &A) {
        return A.isLongLatency() &&
               (A.Depth > 0 || A.Remote || (A.I->isAtomic() && A.Writes));
      }))
    return true;
  return any_of(C.L.blocks(), [&](const BasicBlock *Block) {
    const Instruction *Terminator = Block->getTerminator();
    return Terminator->getNumSuccessors() > 1 && !isa<InvokeInst>(Terminator) &&
           Latency.depth(Terminator->getOperand(0)) > 0;
  });
}

/// True if each iteration of \p C 's loop has an address of its own at \p
/// Address, or in a row that begins there.
static bool isOwn(Value *Address, const LoopContext &C) {
  const SCEV *S = C.SE.getSCEV(Address);
  while (auto *Recurrence = dyn_cast<SCEVAddRecExpr>(S)) {
    if (Recurrence->getLoop() == &C.L)
      return true;
    S = Recurrence->getStart();
  }
  return false;
}

SmallVector<const Instruction *>
heddle::findSharedWrites(const LoopContext &C) {
  // Elements of other iterations may be read by an irregular address.
  SmallPtrSet<const Value *, 8> Read;
  for (Instruction &I : instructionsIn(C.L.blocks()))
    if (auto *Load = dyn_cast<LoadInst>(&I))
      if (!isOwn(Load->getPointerOperand(), C))
        Read.insert(getUnderlyingObject(Load->getPointerOperand()));
  SmallVector<const Instruction *> Found;
  for (Instruction &I : instructionsIn(C.L.blocks())) {
    Value *Address = accessedAddress(I);
    if (!Address || !I.mayWriteToMemory())
      continue;
    const Value *Object = getUnderlyingObject(Address);
    if (!isa<AllocaInst>(Object) &&
        (!isOwn(Address, C) || Read.contains(Object)))
      Found.push_back(&I);
  }
  return Found;
}

/// True if others than the callers may notice \p Call, or what it does is not
/// known.
static bool isOpaque(const CallBase &Call) {
  if (isa<IntrinsicInst>(Call) || Call.isInlineAsm() ||
      Call.onlyReadsMemory() || Call.onlyAccessesInaccessibleMemory() ||
      Call.doesNotReturn() || definedCallee(Call))
    return false;
  const StringRef Name = calleeName(Call);
  const bool Allocates = Name.starts_with("_Znw") || Name.starts_with("_Zna") ||
                         Name.starts_with("_Zdl") || Name.starts_with("_Zda") ||
                         Name == "malloc" || Name == "calloc" ||
                         Name == "free" || Name.starts_with("__kmpc_");
  return !Allocates;
}

SmallVector<const CallBase *> heddle::findOpaqueCalls(const LoopContext &C) {
  SmallVector<const CallBase *> Found;
  for (const Instruction &I : instructionsIn(C.L.blocks()))
    if (auto *Call = dyn_cast<CallBase>(&I); Call && isOpaque(*Call))
      Found.push_back(Call);
  return Found;
}
