//===- CheckedExchanges.cpp - Reads that exchanges check ------------------===//

#include "async/regions/CheckedExchanges.h"
#include "ir/Instructions.h"
#include "loop/Worksharing.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace heddle;

CheckedExchanges::CheckedExchanges(const LoopContext &C,
                                   const LatencyAnalysis &Latency)
    : C(C), Latency(Latency), IsShared(isWorksharing(C.L, C.DT)) {}

bool CheckedExchanges::isRepeated(const Access &Read) const {
  const Loop *Inner = C.LI.getLoopFor(Read.I->getParent());
  return Inner != &C.L &&
         C.SE.isLoopInvariant(C.SE.getSCEV(Read.Address), Inner);
}

bool CheckedExchanges::areChecked(const Access &Read,
                                  const Access &Write) const {
  auto *Exchange = dyn_cast<AtomicCmpXchgInst>(Write.I);
  auto *Load = dyn_cast<LoadInst>(Read.I);
  if (!Exchange || !Load || !Load->isAtomic())
    return false;
  const bool IsOfThread =
      isIdentifiedFunctionLocal(getUnderlyingObject(Write.Address));
  // An iteration that waits until it may go on, or does not ask for the
  // success, ends the wait of others: it has taken a lock.
  const bool IsReleased =
      Exchange->use_empty() ||
      (isRepeated(Read) &&
       !C.LI.getLoopFor(Load->getParent())->contains(Exchange));
  return (IsShared && !IsOfThread && !IsReleased) ||
         isRetried(*Exchange, *Load);
}

/// True if the success of \p Exchange leaves \p Inner, and its failure stays.
static bool isLeftBySuccess(const Loop &Inner,
                            const AtomicCmpXchgInst &Exchange) {
  return any_of(Exchange.users(), [&](const User *Flag) {
    return isa<ExtractValueInst>(Flag) && Flag->getType()->isIntegerTy(1) &&
           any_of(Flag->users(), [&](const User *U) {
             auto *Branch = dyn_cast<BranchInst>(U);
             return Branch && !Inner.contains(Branch->getSuccessor(0)) &&
                    Inner.contains(Branch->getSuccessor(1));
           });
  });
}

/// True if \p Exchange is tried again until it succeeds, and nobody can tell
/// how often: it expects what \p Read has found, and the inner loop around both
/// does nothing else and reads nothing that changes. A pointer may be the same
/// again although what it points to has changed, as may a variable that all
/// iterations share.
bool CheckedExchanges::isRetried(AtomicCmpXchgInst &Exchange,
                                 LoadInst &Read) const {
  const Loop *Inner = C.LI.getLoopFor(Exchange.getParent());
  const SCEV *Place = C.SE.getSCEV(Exchange.getPointerOperand());
  return Inner != &C.L && Inner->contains(&Read) &&
         !Read.getType()->isPointerTy() &&
         Exchange.getCompareOperand() == &Read &&
         C.SE.isLoopInvariant(Place, Inner) &&
         !C.SE.isLoopInvariant(Place, &C.L) &&
         Inner->getHeader()->phis().empty() &&
         isLeftBySuccess(*Inner, Exchange) &&
         all_of(instructionsIn(Inner->blocks()), [&](const Instruction &I) {
           return &I == &Exchange || &I == &Read || readsTheSame(I);
         });
}

/// True if \p I has no effect, and reads nothing that the loop changes.
bool CheckedExchanges::readsTheSame(const Instruction &I) const {
  if (!I.mayReadOrWriteMemory())
    return !I.mayHaveSideEffects();
  auto *Load = dyn_cast<LoadInst>(&I);
  return Load && Load->isSimple() &&
         none_of(Latency.accesses(), [&](const Access &Write) {
           return Write.Writes && isModSet(C.AA.getModRefInfo(
                                      Write.I, MemoryLocation::get(Load)));
         });
}
