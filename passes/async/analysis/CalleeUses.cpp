//===- CalleeUses.cpp - Memory that callees read and write ----------------===//

#include "async/analysis/CalleeUses.h"
#include "async/analysis/FrameValues.h"
#include "loop/Tunables.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace heddle;

bool UsedObject::hasPointersOf(const UsedObject &Other) const {
  return Pointers.size() == Other.Pointers.size() &&
         all_of(zip(Pointers, Other.Pointers), [](auto Pair) {
           auto [One, Another] = Pair;
           return !One || !Another || One == Another;
         });
}

/// The constant offset of \p Address in \p Object, if there is one.
static std::optional<int64_t> placeIn(const Value *Object, const Value *Address,
                                      const DataLayout &Layout) {
  APInt Offset(Layout.getIndexTypeSizeInBits(Address->getType()), 0);
  if (Address->stripAndAccumulateConstantOffsets(
          Layout, Offset, /*AllowNonInbounds=*/true) != Object)
    return std::nullopt;
  return Offset.getSExtValue();
}

UsedObject heddle::usedObject(const Value *Address) {
  UsedObject Object{getUnderlyingObject(Address), {}};
  while (auto *Load = dyn_cast<LoadInst>(Object.Root)) {
    if (Object.Pointers.size() == tunable::CalleePointers)
      break;
    const Value *Place = Load->getPointerOperand();
    Object.Root = getUnderlyingObject(Place);
    Object.Pointers.insert(Object.Pointers.begin(),
                           placeIn(Object.Root, Place, Load->getDataLayout()));
  }
  return Object;
}

/// Appends the pointers of \p Use to \p Object. \p Operand points into
/// \p Object and is passed to the parameter that is the root of \p Use.
static void follow(UsedObject &Object, const Value *Operand,
                   const UsedObject &Use, const DataLayout &Layout) {
  assert(isa<Argument>(Use.Root) && "begins with what the callee is handed");
  if (Use.Pointers.empty())
    return;
  std::optional<int64_t> First = Use.Pointers.front();
  std::optional<int64_t> Place =
      placeIn(getUnderlyingObject(Operand), Operand, Layout);
  Object.Pointers.push_back(
      First && Place ? std::optional<int64_t>(*First + *Place) : std::nullopt);
  append_range(Object.Pointers, drop_begin(Use.Pointers));
}

/// Adds a use of \p Object to the uses of a function, unless nothing outside
/// the function can see it.
static void addUse(SmallVector<CalleeUse> &Uses, const UsedObject &Object,
                   bool Reads, bool Writes) {
  auto *Variable = dyn_cast<GlobalVariable>(Object.Root);
  if (!isa<Argument>(Object.Root) && (!Variable || Variable->isConstant()))
    return;
  auto Same = find_if(Uses, [&](const CalleeUse &Use) {
    return Use.Object.Root == Object.Root &&
           Use.Object.Pointers == Object.Pointers;
  });
  if (Same == Uses.end())
    Same = Uses.insert(Same, {Object, false, false});
  Same->Reads |= Reads;
  Same->Writes |= Writes;
}

/// Adds the accesses that \p I makes itself.
static void addAccesses(SmallVector<CalleeUse> &Uses, const Instruction &I) {
  if (auto *Copy = dyn_cast<AnyMemIntrinsic>(&I)) {
    addUse(Uses, usedObject(Copy->getRawDest()), false, true);
    if (auto *Transfer = dyn_cast<AnyMemTransferInst>(&I))
      addUse(Uses, usedObject(Transfer->getRawSource()), true, false);
  } else if (const Value *Address = getLoadStorePointerOperand(&I)) {
    addUse(Uses, usedObject(Address), isa<LoadInst>(I), isa<StoreInst>(I));
  } else if (isa<AtomicRMWInst, AtomicCmpXchgInst>(I)) {
    addUse(Uses, usedObject(I.getOperand(0)), true, true);
  }
}

void CalleeUses::addUsesOfCallee(SmallVector<CalleeUse> &Uses,
                                 const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee)
    return;
  for (CalleeUse Use : of(*Callee)) {
    if (auto *Parameter = dyn_cast<Argument>(Use.Object.Root)) {
      const Value *Operand = Call.getArgOperand(Parameter->getArgNo());
      UsedObject Object = usedObject(Operand);
      follow(Object, Operand, Use.Object, Call.getDataLayout());
      Use.Object = Object;
    }
    addUse(Uses, Use.Object, Use.Reads, Use.Writes);
  }
}

SmallVector<CalleeUse> CalleeUses::of(const Function &F) {
  // Recursive calls add nothing while the function itself is analysed.
  auto [Found, IsNew] = Known.try_emplace(&F);
  if (!IsNew || F.isDeclaration() || F.isInterposable())
    return Found->second;
  SmallVector<CalleeUse> Uses;
  for (const Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (Call && !isa<AnyMemIntrinsic>(Call))
      addUsesOfCallee(Uses, *Call);
    else
      addAccesses(Uses, I);
  }
  Known[&F] = Uses;
  return Uses;
}

SmallVector<CalleeUse> CalleeUses::of(const CallBase &Call,
                                      const FrameValues &Frames) {
  SmallVector<CalleeUse> Uses;
  if (const Function *Callee = Call.getCalledFunction())
    for (CalleeUse Use : of(*Callee)) {
      if (auto *Parameter = dyn_cast<Argument>(Use.Object.Root)) {
        if (Use.Object.Pointers.empty())
          continue;
        const Value *Operand = Call.getArgOperand(Parameter->getArgNo());
        UsedObject Object{Frames.object(Operand), {}};
        follow(Object, Operand, Use.Object, Call.getDataLayout());
        Use.Object = Object;
      }
      Uses.push_back(std::move(Use));
    }
  return Uses;
}
