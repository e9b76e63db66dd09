//===- WaitingAccesses.cpp - Where functions wait for memory --------------===//

#include "inline/WaitingAccesses.h"
#include "ir/Instructions.h"
#include "loop/LoopShape.h"
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

/// True if \p V depends on a load, on the result of a call, on an argument that
/// \p IsUnforeseen, or on something like a hash. \p IsInside says which
/// instructions are looked at.
static bool dependsOnMemory(const Value *V,
                            function_ref<bool(const Argument &)> IsUnforeseen,
                            function_ref<bool(const Instruction &)> IsInside) {
  SmallVector<const Value *> Worklist{V};
  SmallPtrSet<const Value *, 16> Seen;
  while (!Worklist.empty()) {
    const Value *From = Worklist.pop_back_val();
    if (!Seen.insert(From).second)
      continue;
    if (auto *A = dyn_cast<Argument>(From)) {
      if (IsUnforeseen(*A))
        return true;
      continue;
    }
    auto *I = dyn_cast<Instruction>(From);
    if (!I || !IsInside(*I) || isa<AllocaInst>(I))
      continue;
    if (isa<LoadInst, AtomicRMWInst, AtomicCmpXchgInst>(I) ||
        (isa<CallBase>(I) && !isa<IntrinsicInst>(I)) || !keepsOrder(*I))
      return true;
    append_range(Worklist, I->operand_values());
  }
  return false;
}

bool heddle::isUnforeseen(const Value *V, const Loop &L) {
  return dependsOnMemory(
      V, [](const Argument &) { return false; },
      [&](const Instruction &I) { return L.contains(&I); });
}

/// True if \p Address is not in a variable of the function or in a constant.
static bool isOutside(const Value *Address) {
  const Value *Object = getUnderlyingObject(Address);
  auto *Variable = dyn_cast<GlobalVariable>(Object);
  return !isa<AllocaInst>(Object) && !(Variable && Variable->isConstant());
}

/// Counts the addresses in \p Instructions that \p IsUnforeseen, those of one
/// object at constant distances once: they are taken to be in one line.
template <typename Range>
static unsigned countPlaces(Range &&Instructions,
                            function_ref<bool(const Value *)> IsUnforeseen) {
  SmallPtrSet<const Value *, 16> Places;
  for (const Instruction &I : Instructions) {
    const Value *Address = accessedAddress(I);
    if (!Address || !isOutside(Address))
      continue;
    const Value *Place = Address->stripInBoundsConstantOffsets();
    if (!Places.contains(Place) && IsUnforeseen(Address))
      Places.insert(Place);
  }
  return Places.size();
}

unsigned
heddle::waitingPlaces(const Function &F,
                      function_ref<bool(const Argument &)> IsUnforeseen) {
  return countPlaces(instructions(F), [&](const Value *Address) {
    return dependsOnMemory(Address, IsUnforeseen,
                           [](const Instruction &) { return true; });
  });
}

unsigned heddle::waitingPlaces(const Loop &L) {
  return countPlaces(instructionsIn(L.blocks()), [&](const Value *Address) {
    return isUnforeseen(Address, L);
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

bool heddle::mayWait(const Function &F) {
  auto Waits = [](const Function &G) {
    return waitingPlaces(G, [](const Argument &) { return true; }) != 0;
  };
  return Waits(F) || findCallee(F, Waits);
}

bool heddle::mayWaitUnseen(const CallBase &Call) {
  if (isa<IntrinsicInst>(Call) || Call.isInlineAsm() || Call.doesNotReturn() ||
      !Call.mayReadFromMemory() || Call.onlyAccessesInaccessibleMemory() ||
      Call.hasFnAttr(Attribute::AllocKind) ||
      lockEffect(Call) != LockEffect::None)
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

bool heddle::isRecursive(const Function &F) {
  return findCallee(F, [&](const Function &Callee) { return &Callee == &F; });
}
