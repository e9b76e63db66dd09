//===- WaitingAccesses.cpp - Where functions wait for memory --------------===//

#include "inline/WaitingAccesses.h"
#include "inline/GuardTargets.h"
#include "ir/Instructions.h"
#include "loop/LoopShape.h"
#include "mark/Marks.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace heddle;

/// True for steps from a counter to the address of an element; others scatter,
/// as a hash does.
static bool keepsOrder(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
  case Instruction::Shl:
  case Instruction::GetElementPtr:
  case Instruction::PHI:
  case Instruction::Select:
  case Instruction::Freeze:
    return true;
  default:
    return isa<CastInst>(I) || (isa<PossiblyDisjointInst>(I) &&
                                cast<PossiblyDisjointInst>(I).isDisjoint());
  }
}

namespace {

/// Where addresses come from, in a function or in a loop.
struct Origins {
  function_ref<Foresight(const Argument &)> OfArgument;
  /// The instructions that are looked at.
  function_ref<bool(const Instruction &)> IsInside;

  bool isShared(const Value *V) const;
  Foresight of(const Value *V) const;
};

} // namespace

/// True if \p V is the same in all iterations, or loaded from such a place.
bool Origins::isShared(const Value *V) const {
  V = V->stripInBoundsConstantOffsets();
  if (auto *A = dyn_cast<Argument>(V))
    return OfArgument(*A) == Foresight::Same;
  if (auto *Load = dyn_cast<LoadInst>(V); Load && IsInside(*Load))
    return isShared(Load->getPointerOperand());
  auto *I = dyn_cast<Instruction>(V);
  return !I || !IsInside(*I);
}

Foresight Origins::of(const Value *V) const {
  if (isShared(V))
    return Foresight::Same;
  SmallVector<const Value *> Worklist{V};
  SmallPtrSet<const Value *, 16> Seen;
  while (!Worklist.empty()) {
    const Value *From = Worklist.pop_back_val();
    if (!Seen.insert(From).second)
      continue;
    if (auto *A = dyn_cast<Argument>(From)) {
      if (OfArgument(*A) == Foresight::None)
        return Foresight::None;
      continue;
    }
    auto *I = dyn_cast<Instruction>(From);
    if (!I || isa<AllocaInst>(I) || !IsInside(*I) ||
        (isa<LoadInst>(I) && isShared(I)))
      continue;
    if (isa<LoadInst, AtomicRMWInst, AtomicCmpXchgInst>(I) ||
        (isa<CallBase>(I) && !isa<IntrinsicInst>(I)) || !keepsOrder(*I))
      return Foresight::None;
    append_range(Worklist, I->operand_values());
  }
  return Foresight::Foreseen;
}

/// True if \p I is a variable of the iterations of \p L.
static bool isIterationsOwn(const Instruction &I, const Loop &L) {
  return isa<AllocaInst>(I) && any_of(I.users(), [&](const User *U) {
           auto *User = cast<Instruction>(U);
           return User->isLifetimeStartOrEnd() && L.contains(User);
         });
}

Foresight heddle::foresight(const Value *V, const Loop &L) {
  return Origins{[](const Argument &) { return Foresight::Same; },
                 [&](const Instruction &I) {
                   return L.contains(&I) || isIterationsOwn(I, L);
                 }}
      .of(V);
}

/// True if \p Address is not in a variable of the function or in a constant.
static bool isOutside(const Value *Address) {
  const Value *Object = getUnderlyingObject(Address);
  auto *Variable = dyn_cast<GlobalVariable>(Object);
  return !isa<AllocaInst>(Object) && !(Variable && Variable->isConstant());
}

/// Counts the addresses in \p Instructions of which nothing is known by \p Of,
/// those of one object at constant distances once: they are taken to be in one
/// line.
template <typename Range>
static unsigned countPlaces(Range &&Instructions,
                            function_ref<Foresight(const Value *)> Of) {
  SmallPtrSet<const Value *, 16> Places;
  for (const Instruction &I : Instructions) {
    const Value *Address = accessedAddress(I);
    if (!Address || !isOutside(Address))
      continue;
    const Value *Place = Address->stripInBoundsConstantOffsets();
    if (!Places.contains(Place) && Of(Address) == Foresight::None)
      Places.insert(Place);
  }
  return Places.size();
}

unsigned heddle::waitingPlaces(const Function &F,
                               function_ref<Foresight(const Argument &)> Of) {
  auto IsInside = [](const Instruction &) { return true; };
  const Origins From{Of, IsInside};
  return countPlaces(instructions(F),
                     [&](const Value *Address) { return From.of(Address); });
}

unsigned heddle::waitingPlaces(const Loop &L) {
  return countPlaces(instructionsIn(L.blocks()), [&](const Value *Address) {
    return foresight(Address, L);
  });
}

/// True if \p Look returns true for one of the functions that \p F is known to
/// call, itself or in callees.
static bool findCallee(const Function &F,
                       function_ref<bool(const Function &)> Look) {
  SmallSetVector<const Function *, 16> Functions;
  Functions.insert(&F);
  for (unsigned N = 0; N < Functions.size(); ++N)
    for (const Instruction &I : instructions(*Functions[N]))
      if (const Function *Callee = definedCallee(I)) {
        if (Look(*Callee))
          return true;
        Functions.insert(Callee);
      }
  return false;
}

static bool waits(const Function &F) {
  return waitingPlaces(F, [](const Argument &) { return Foresight::None; });
}

bool heddle::mayWait(const Function &F) {
  return waits(F) || findCallee(F, waits);
}

bool heddle::calleesMayWait(const Function &F) { return findCallee(F, waits); }

bool heddle::mayWaitUnseen(const CallBase &Call) {
  if (isa<IntrinsicInst>(Call) || Call.isInlineAsm() || Call.doesNotReturn() ||
      !Call.mayReadFromMemory() || Call.onlyAccessesInaccessibleMemory() ||
      Call.hasFnAttr(Attribute::AllocKind) || isUnlikelyCall(Call) ||
      isStepOfForm(Call) || lockEffect(Call) != LockEffect::None)
    return false;
  if (const Function *Callee = definedCallee(Call))
    return mayWait(*Callee);
  const StringRef Name = calleeName(Call);
  return none_of(ArrayRef<StringRef>{"__kmpc_", "omp_", "heddle_", "__heddle_",
                                     "__cxa_", "_Znw", "_Zna", "_Zdl", "_Zda",
                                     "__asan_", "__tsan_", "__msan_",
                                     "__ubsan_", "__sanitizer_"},
                 [&](StringRef Prefix) { return Name.starts_with(Prefix); });
}

bool heddle::isStepOfForm(const CallBase &Call) {
  return Call.getAttributes().hasFnAttr(FormAttribute);
}

bool heddle::isStartOfForm(const Instruction &I) {
  auto *Call = dyn_cast<CallInst>(&I);
  return Call &&
         Call->getFnAttr(FormAttribute).getValueAsString() == StartOfForm;
}

bool heddle::isRecursive(const Function &F) {
  return findCallee(F, [&](const Function &Callee) { return &Callee == &F; });
}
