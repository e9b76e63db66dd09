//===- ChosenPlaces.cpp - Places that iterations share --------------------===//

#include "async/places/ChosenPlaces.h"
#include "async/places/IndexValues.h"
#include "async/places/KeptPointers.h"
#include "ir/Instructions.h"
#include "loop/Tunables.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;
using namespace heddle;

/// The most addresses that are looked at to find where one leads.
static constexpr unsigned MostAddresses = 128;

namespace {

/// The search in a loop, or in a function, whose pointer arguments are taken to
/// be the same in all calls.
class PlaceSearch {
  const Loop *L;
  const IndexValues Indices;
  /// What is known of a merged pointer, and behind how many steps it was come
  /// to while it is being looked at.
  struct Merge {
    bool IsDone = false, IsFound = false;
    unsigned Steps = 0;
  };
  SmallDenseMap<const Instruction *, Merge, 4> Merged;
  /// Variables of the function whose pointers are being looked at.
  SmallPtrSet<const AllocaInst *, 2> Variables;
  /// Functions whose results are being looked at.
  SmallPtrSet<const Function *, 2> Callees;
  /// Offsets and pointers that have been passed from the address on.
  unsigned Steps = 0;
  /// How many addresses are still looked at, in callees as well. Bounds compile
  /// time: a callee is searched once for each way to it.
  unsigned Left = MostAddresses;

public:
  /// The iteration chooses: by an index, or between pointers.
  bool IsIndexed = false, IsMerged = false;
  /// The place is behind a pointer that the loop reads.
  bool IsBehindLoad = false;

  explicit PlaceSearch(const Loop *L, ScalarEvolution *SE = nullptr)
      : L(L), Indices(L, SE) {}

  /// True if all iterations find \p Address behind the same pointers, although
  /// not all of them read these, or choose one of few such places. The address
  /// may be a number.
  bool isFound(const Value *Address, unsigned Depth = 0) {
    if (!Left)
      return false;
    --Left;
    uint64_t Places = 1;
    while (auto *Gep = dyn_cast<GEPOperator>(Address)) {
      Places *= placesAt(*Gep);
      if (Places > tunable::ChosenPlaces)
        return false;
      Steps += !Gep->hasAllZeroIndices();
      Address = Gep->getPointerOperand();
    }
    if (isSame(Address))
      return true;
    auto *I = dyn_cast<Instruction>(Address);
    if (Depth == tunable::CalleePointers || !I || !isInside(*I))
      return false;
    if (isa<PHINode, SelectInst>(I))
      return isFoundMerge(*I, Places, Depth);
    if (auto *Call = dyn_cast<CallBase>(I))
      return isFoundByCall(*Call, Depth);
    if (isa<CastInst, FreezeInst>(I))
      return isFound(I->getOperand(0), Depth + 1);
    if (isa<BinaryOperator>(I))
      return isFoundByNumbers(*I, Depth);
    auto *Load = dyn_cast<LoadInst>(I);
    if (!Load || !Load->isSimple())
      return false;
    IsBehindLoad = true;
    ++Steps;
    return isFound(Load->getPointerOperand(), Depth + 1) &&
           keepsFound(*Load, Depth);
  }

private:
  /// True if \p V is the same in all iterations, or calls.
  bool isSame(const Value *V) const {
    return L ? L->isLoopInvariant(V)
             : isa<Constant>(V) ||
                   (isa<Argument>(V) && V->getType()->isPointerTy());
  }

  bool isInside(const Instruction &I) const { return !L || L->contains(&I); }

  bool isOfHeader(const Instruction &Merge) const {
    return L && isa<PHINode>(Merge) && Merge.getParent() == L->getHeader();
  }

  /// How many places \p Gep chooses from.
  uint64_t placesAt(const GEPOperator &Gep) {
    uint64_t Places = 1;
    for (auto At = gep_type_begin(&Gep); At != gep_type_end(&Gep); ++At) {
      const Value &Index = *At.getOperand();
      if (isSame(&Index))
        continue;
      const DataLayout &Layout = cast<Instruction>(Gep).getDataLayout();
      const uint64_t Stride =
          At.getSequentialElementStride(Layout).getKnownMinValue();
      const uint64_t Values =
          std::min(Indices.count(Index),
                   elementsOf(*Gep.getPointerOperand(), Index, Stride, Layout));
      // Bytes of one word are one place.
      if (Stride && Values > IndexValues::WordBytes / Stride)
        Places *= Values;
      IsIndexed = true;
    }
    return Places;
  }

  /// The most elements of \p Stride bytes, from \p Base on, in its object.
  /// \p Index may be a number of bytes.
  static uint64_t elementsOf(const Value &Base, const Value &Index,
                             uint64_t Stride, const DataLayout &Layout) {
    SmallVector<const Value *, 2> Objects;
    getUnderlyingObjects(&Base, Objects);
    Stride <<= computeKnownBits(&Index, Layout).countMinTrailingZeros() % 64;
    uint64_t Most = 0;
    for (const Value *Object : Objects) {
      const std::optional<uint64_t> Bytes = bytesOf(*Object, Layout);
      if (!Bytes || !Stride)
        return UINT64_MAX;
      APInt Offset(Layout.getIndexTypeSizeInBits(Base.getType()), 0);
      const bool IsFixed =
          Base.stripAndAccumulateConstantOffsets(
              Layout, Offset, /*AllowNonInbounds=*/true) == Object;
      const uint64_t Before = IsFixed && Offset.isNonNegative()
                                  ? Offset.getLimitedValue(*Bytes)
                                  : 0;
      Most = std::max(Most, divideCeil(*Bytes - Before, Stride));
    }
    return Most;
  }

  static std::optional<uint64_t> bytesOf(const Value &Object,
                                         const DataLayout &Layout) {
    if (auto *Variable = dyn_cast<AllocaInst>(&Object)) {
      const std::optional<TypeSize> Size = Variable->getAllocationSize(Layout);
      return Size && !Size->isScalable() ? std::optional(Size->getFixedValue())
                                         : std::nullopt;
    }
    auto *Variable = dyn_cast<GlobalVariable>(&Object);
    return Variable && Variable->hasDefinitiveInitializer()
               ? std::optional(Layout.getTypeAllocSize(Variable->getValueType())
                                   .getFixedValue())
               : std::nullopt;
  }

  bool isFoundMerge(const Instruction &I, uint64_t Places, unsigned Depth) {
    const auto [Known, IsNew] = Merged.insert({&I, {false, false, Steps}});
    // A pointer that comes around as it was is no other one. One that follows
    // from its own earlier value moves.
    if (!IsNew)
      return Known->second.IsDone ? Known->second.IsFound
                                  : Known->second.Steps == Steps;
    const bool IsFound = !isOfHeader(I) && isFoundAnyWay(I, Places, Depth);
    Merged[&I].IsDone = true;
    return Merged[&I].IsFound = IsFound;
  }

  bool isFoundAnyWay(const Instruction &I, uint64_t Places, unsigned Depth) {
    auto *Phi = dyn_cast<PHINode>(&I);
    if (const auto Walk = Phi ? Indices.walkWith(*Phi) : std::nullopt) {
      IsIndexed = true;
      return Walk->Turns * Places <= tunable::ChosenPlaces &&
             isFoundFrom(Walk->Entry, Depth + 1);
    }
    IsMerged = true;
    return all_of(
        drop_begin(I.operand_values(), isa<SelectInst>(I)),
        [&](const Value *Way) { return isFoundFrom(Way, Depth + 1); });
  }

  /// Looks at \p Address without taking its steps for those of others.
  bool isFoundFrom(const Value *Address, unsigned Depth) {
    const unsigned Before = Steps;
    const bool IsFound = isFound(Address, Depth);
    Steps = Before;
    return IsFound;
  }

  /// True if \p I computes such a place from pointers and from numbers that
  /// have few values.
  bool isFoundByNumbers(const Instruction &I, unsigned Depth) {
    ++Steps;
    uint64_t Places = 1;
    return all_of(I.operand_values(), [&](const Value *Operand) {
      if (isSame(Operand) || isFoundFrom(Operand, Depth + 1))
        return true;
      Places *= Indices.count(*Operand);
      IsIndexed = true;
      return Places <= tunable::ChosenPlaces;
    });
  }

  /// True if \p Load reads such a pointer where it is from a variable of the
  /// function.
  bool keepsFound(const LoadInst &Load, unsigned Depth) {
    auto *Variable =
        dyn_cast<AllocaInst>(getUnderlyingObject(Load.getPointerOperand()));
    if (!Variable || !Variables.insert(Variable).second)
      return true;
    const auto Kept = pointersIn(*Variable);
    const bool AllFound = !Kept || all_of(*Kept, [&](const Value *Pointer) {
      return isa<ConstantPointerNull>(Pointer) ||
             isFoundFrom(Pointer, Depth + 1);
    });
    Variables.erase(Variable);
    return AllFound;
  }

  /// True if the function that \p Call calls returns such a place, as far as
  /// it is one for the caller.
  bool isFoundByCall(const CallBase &Call, unsigned Depth) {
    const Function *Callee = definedCallee(Call);
    if (!Callee)
      return false;
    // A function that calls itself with the pointers that it has been handed
    // chooses from these. With others, it goes from place to place.
    if (Callees.contains(Callee))
      return Steps == 0 && all_of(Call.args(), [&](const Value *Argument) {
               return !Argument->getType()->isPointerTy() ||
                      isHandedOn(*Argument);
             });
    PlaceSearch InCallee(nullptr);
    InCallee.Left = Left;
    InCallee.Callees = Callees;
    InCallee.Callees.insert(Callee);
    const bool AllFound = all_of(*Callee, [&](const BasicBlock &Block) {
      auto *Return = dyn_cast<ReturnInst>(Block.getTerminator());
      return !Return ||
             InCallee.isFoundFrom(Return->getReturnValue(), Depth + 1);
    });
    Left = InCallee.Left;
    if (!AllFound)
      return false;
    IsIndexed |= InCallee.IsIndexed;
    IsMerged |= InCallee.IsMerged;
    IsBehindLoad |= InCallee.IsBehindLoad;
    return all_of(Call.args(), [&](const Value *Argument) {
      return !Argument->getType()->isPointerTy() ||
             isFoundFrom(Argument, Depth + 1);
    });
  }

  /// True if \p Pointer is one of those that the function has been handed.
  bool isHandedOn(const Value &Pointer, unsigned Depth = 0) const {
    constexpr unsigned Merges = 4;
    if (isSame(&Pointer))
      return true;
    auto *I = dyn_cast<Instruction>(&Pointer);
    return I && isa<PHINode, SelectInst>(I) && Depth < Merges &&
           all_of(
               drop_begin(I->operand_values(), isa<SelectInst>(I)),
               [&](const Value *Way) {
                 return Way == I || isHandedOn(*Way, Depth + 1);
               });
  }
};

} // namespace

PlaceKind heddle::placeKind(Value *Address, const Loop &L,
                            ScalarEvolution &SE) {
  const SCEV *Place = SE.getSCEV(Address);
  if (SE.isLoopInvariant(Place, &L))
    return PlaceKind::Fixed;
  auto *Recurrence = dyn_cast<SCEVAddRecExpr>(Place);
  PlaceSearch Search(&L, &SE);
  if ((Recurrence && Recurrence->getLoop() == &L) || !Search.isFound(Address))
    return PlaceKind::Moving;
  if (!Search.IsIndexed && !Search.IsMerged)
    return PlaceKind::Fixed;
  return Search.IsMerged || Search.IsBehindLoad ? PlaceKind::Chosen
                                                : PlaceKind::Element;
}

bool heddle::isOneOfFew(const Value *Address, const Loop *L) {
  return PlaceSearch(L).isFound(Address);
}
