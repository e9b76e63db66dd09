//===- CalleeUses.cpp - What callees read and write unseen ----------------===//

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

/// Where in \p Object \p Address is, if that is the same always.
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

/// Follows the pointers of \p Use, which begin where \p Operand points, on from
/// \p Object, which it points into.
static void follow(UsedObject &Object, const Value *Operand,
                   const UsedObject &Use, const DataLayout &Layout) {
  if (Use.Pointers.empty())
    return;
  std::optional<int64_t> First = Use.Pointers.front();
  std::optional<int64_t> Place =
      placeIn(getUnderlyingObject(Operand), Operand, Layout);
  Object.Pointers.push_back(
      First && Place ? std::optional<int64_t>(*First + *Place) : std::nullopt);
  append_range(Object.Pointers, drop_begin(Use.Pointers));
}

SmallVector<CalleeUse> CalleeUses::of(const Function &F) {
  // Nothing while it is being looked into, for functions that call each other.
  auto [Found, IsNew] = Known.try_emplace(&F);
  if (!IsNew || F.isDeclaration() || F.isInterposable())
    return Found->second;
  SmallVector<CalleeUse> Uses;
  auto Add = [&](const UsedObject &Object, bool Reads, bool Writes) {
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
  };
  for (const Instruction &I : instructions(F)) {
    if (auto *Copy = dyn_cast<AnyMemIntrinsic>(&I)) {
      Add(usedObject(Copy->getRawDest()), false, true);
      if (auto *Transfer = dyn_cast<AnyMemTransferInst>(&I))
        Add(usedObject(Transfer->getRawSource()), true, false);
    } else if (auto *Call = dyn_cast<CallBase>(&I)) {
      if (const Function *Callee = Call->getCalledFunction())
        for (CalleeUse Use : of(*Callee)) {
          if (auto *Parameter = dyn_cast<Argument>(Use.Object.Root)) {
            const Value *Operand = Call->getArgOperand(Parameter->getArgNo());
            UsedObject Object = usedObject(Operand);
            follow(Object, Operand, Use.Object, F.getDataLayout());
            Use.Object = Object;
          }
          Add(Use.Object, Use.Reads, Use.Writes);
        }
    } else if (const Value *Address = getLoadStorePointerOperand(&I)) {
      Add(usedObject(Address), isa<LoadInst>(I), isa<StoreInst>(I));
    } else if (isa<AtomicRMWInst, AtomicCmpXchgInst>(I)) {
      Add(usedObject(I.getOperand(0)), true, true);
    }
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
