//===- CapturedVariables.cpp - Captures of OpenMP regions -----------------===//

#include "loop/CapturedVariables.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/AbstractCallSite.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace heddle;

bool heddle::isCapturedByRegion(const Value *Address) {
  auto *Captured = dyn_cast<Argument>(Address->stripInBoundsConstantOffsets());
  return Captured && Captured->getDereferenceableBytes() > 0 &&
         Captured->getParent()->getName().contains("omp_outlined");
}

/// Returns the parameter of the outlined region that receives \p U , an operand
/// of \p Call, from the runtime; null if the call does not pass it on, or uses
/// it otherwise.
static const Argument *regionParameter(const CallBase &Call, const Use &U) {
  SmallVector<const Use *, 1> Regions;
  AbstractCallSite::getCallbackUses(Call, Regions);
  if (Regions.size() != 1)
    return nullptr;
  AbstractCallSite Site(Regions.front());
  Function *Callee = Site ? Site.getCalledFunction() : nullptr;
  // Another definition may do more with it.
  if (!Callee || !Callee->hasExactDefinition())
    return nullptr;
  unsigned Count = std::min<unsigned>(
      Site.getNumArgOperands(), static_cast<unsigned>(Callee->arg_size()));
  for (unsigned I = 0; I < Count; ++I)
    if (Site.getCallArgOperandNo(I) == static_cast<int>(U.getOperandNo()))
      return Callee->getArg(I);
  return nullptr;
}

/// True if all that happens through \p Variable is that it is read, and, where
/// \p MayStore, stored to between the calls that pass it on.
static bool isOnlyRead(const Value *Variable, bool MayStore,
                       SmallPtrSetImpl<const Value *> &Seen) {
  if (!Seen.insert(Variable).second)
    return true;
  return all_of(Variable->uses(), [&](const Use &U) {
    const User *Who = U.getUser();
    if (isa<LoadInst>(Who) || cast<Instruction>(Who)->isLifetimeStartOrEnd())
      return true;
    if (auto *Store = dyn_cast<StoreInst>(Who))
      return MayStore && Store->getPointerOperand() == Variable &&
             Store->getValueOperand() != Variable;
    auto *Call = dyn_cast<CallBase>(Who);
    if (!Call || !Call->isArgOperand(&U))
      return false;
    if (const Argument *Parameter = regionParameter(*Call, U))
      return isOnlyRead(Parameter, /*MayStore=*/false, Seen);
    unsigned Number = Call->getArgOperandNo(&U);
    return Call->doesNotCapture(Number) && Call->onlyReadsMemory(Number);
  });
}

bool heddle::isConstantInRegion(const Value *Address) {
  auto *Parameter = dyn_cast<Argument>(Address);
  if (!Parameter || !isCapturedByRegion(Parameter))
    return false;
  const Function &Region = *Parameter->getParent();
  if (!Region.hasLocalLinkage())
    return false;
  // The thread that started the region waits for its end, so other accesses of
  // the surrounding function to its variable happen before or after.
  return all_of(Region.uses(), [&](const Use &U) {
    AbstractCallSite Site(&U);
    if (!Site || !Site.isCallbackCall() || !Site.isCallee(&U))
      return false;
    Value *Passed = Site.getCallArgOperand(*const_cast<Argument *>(Parameter));
    SmallPtrSet<const Value *, 4> Seen;
    return Passed && isa<AllocaInst>(Passed) &&
           isOnlyRead(Passed, /*MayStore=*/true, Seen);
  });
}
