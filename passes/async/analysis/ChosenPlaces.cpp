//===- ChosenPlaces.cpp - Places that iterations share --------------------===//

#include "async/analysis/ChosenPlaces.h"
#include "ir/Instructions.h"
#include "loop/Tunables.h"
#include "llvm/ADT/DenseMap.h"
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
  /// Null if there is none at hand.
  ScalarEvolution *SE;
  /// Whether merged pointers are found so.
  SmallDenseMap<const Instruction *, bool, 4> Merged;
  /// How many addresses are still looked at, in callees as well. Bounds compile
  /// time: a callee is searched once for each way to it.
  unsigned Left = MostAddresses;

  static auto waysOf(const Instruction &Merge) {
    return drop_begin(Merge.operand_values(), isa<SelectInst>(Merge));
  }

public:
  /// The iteration chooses: by an index, or between pointers.
  bool IsIndexed = false, IsMerged = false;
  /// The place is behind a pointer that the loop reads.
  bool IsBehindLoad = false;

  explicit PlaceSearch(const Loop *L, ScalarEvolution *SE = nullptr)
      : L(L), SE(SE) {}

  /// True if all iterations find \p Address behind the same pointers, although
  /// not all of them read these, or choose one of few such places.
  bool isFound(const Value *Address, unsigned Depth = 0) {
    if (!Left)
      return false;
    --Left;
    uint64_t Places = 1;
    while (auto *Gep = dyn_cast<GEPOperator>(Address)) {
      for (auto At = gep_type_begin(Gep); At != gep_type_end(Gep); ++At)
        if (!isSame(At.getOperand())) {
          const TypeSize Stride = At.getSequentialElementStride(
              cast<Instruction>(Gep)->getDataLayout());
          Places *= std::min(valuesOf(*At.getOperand()),
                             elementsOf(*Gep->getPointerOperand(), Stride));
          if (Places > tunable::ChosenPlaces)
            return false;
          IsIndexed = true;
        }
      Address = Gep->getPointerOperand();
    }
    if (isSame(Address))
      return true;
    if (Depth == tunable::CalleePointers)
      return false;
    auto *Merge = dyn_cast<Instruction>(Address);
    if (Merge && isa<PHINode, SelectInst>(Merge)) {
      IsMerged = true;
      // A pointer that is merged with its own earlier value moves.
      const auto [Known, IsNew] = Merged.insert({Merge, false});
      if (!IsNew || !isInside(*Merge) || isOfHeader(*Merge))
        return Known->second;
      const bool AllFound = all_of(waysOf(*Merge), [&](const Value *Way) {
        return isFound(Way, Depth + 1);
      });
      return Merged[Merge] = AllFound;
    }
    if (auto *Call = dyn_cast<CallBase>(Address))
      return isInside(*Call) && isFoundByCall(*Call, Depth);
    auto *Load = dyn_cast<LoadInst>(Address);
    if (!Load || !isInside(*Load))
      return false;
    IsBehindLoad = true;
    return Load->isSimple() && isFound(Load->getPointerOperand(), Depth + 1);
  }

private:
  /// True if \p V is the same in all iterations, or calls.
  bool isSame(const Value *V) const {
    return L ? L->isLoopInvariant(V)
             : isa<Constant>(V) ||
                   (isa<Argument>(V) && V->getType()->isPointerTy());
  }

  bool isInside(const Instruction &I) const { return !L || L->contains(&I); }

  /// True if the function that \p Call calls returns such a place, as far as
  /// it is one for the caller.
  bool isFoundByCall(const CallBase &Call, unsigned Depth) {
    const Function *Callee = definedCallee(Call);
    if (!Callee)
      return false;
    PlaceSearch InCallee(nullptr);
    InCallee.Left = Left;
    const bool AllFound = all_of(*Callee, [&](const BasicBlock &Block) {
      auto *Return = dyn_cast<ReturnInst>(Block.getTerminator());
      return !Return || InCallee.isFound(Return->getReturnValue(), Depth + 1);
    });
    Left = InCallee.Left;
    if (!AllFound)
      return false;
    IsIndexed |= InCallee.IsIndexed;
    IsMerged |= InCallee.IsMerged;
    IsBehindLoad |= InCallee.IsBehindLoad;
    return all_of(Call.args(), [&](const Value *Argument) {
      return !Argument->getType()->isPointerTy() ||
             isFound(Argument, Depth + 1);
    });
  }

  bool isOfHeader(const Instruction &Merge) const {
    return L && isa<PHINode>(Merge) && Merge.getParent() == L->getHeader();
  }

  /// The most elements of \p Stride bytes in the object that \p Base points
  /// into.
  uint64_t elementsOf(const Value &Base, TypeSize Stride) const {
    auto *Object = dyn_cast<GlobalVariable>(getUnderlyingObject(&Base));
    const uint64_t Bytes = Stride.getKnownMinValue();
    return Object && Object->hasDefinitiveInitializer() && Bytes
               ? divideCeil(Object->getDataLayout().getTypeAllocSize(
                                Object->getValueType()),
                            Bytes)
               : UINT64_MAX;
  }

  /// The most values that \p Index may have; more than ChosenPlaces if that is
  /// not known. A number that counts iterations has no few.
  uint64_t valuesOf(const Value &Index, unsigned Depth = 0) const {
    const uint64_t Many = uint64_t(tunable::ChosenPlaces) + 1;
    // Few choices are not nested deeper.
    constexpr unsigned Levels = 4;
    if (isa<Constant>(Index))
      return 1;
    if (Depth == Levels || !Index.getType()->isIntegerTy() ||
        (SE && isa<SCEVAddRecExpr>(SE->getSCEV(const_cast<Value *>(&Index)))))
      return Many;
    uint64_t Values = std::min(ofBits(Index), Many);
    auto *I = dyn_cast<Instruction>(&Index);
    if (!I || !isInside(*I) || isOfHeader(*I))
      return Values;
    if (isa<PHINode, SelectInst>(I)) {
      uint64_t Ways = 0;
      for (const Value *Way : waysOf(*I))
        if (Ways < Values)
          Ways += valuesOf(*Way, Depth + 1);
      return std::min(Values, Ways);
    }
    if (isa<CastInst>(I) ||
        (isa<BinaryOperator>(I) && isa<Constant>(I->getOperand(1))))
      return std::min(Values, valuesOf(*I->getOperand(0), Depth + 1));
    return Values;
  }

  /// The same, by what is known of the bits and the range of \p Index.
  uint64_t ofBits(const Value &Index) const {
    auto *I = dyn_cast<Instruction>(&Index);
    const KnownBits Bits = computeKnownBits(
        &Index, I ? I->getDataLayout()
                  : cast<Argument>(Index).getParent()->getDataLayout());
    const unsigned Unknown =
        Bits.getBitWidth() - Bits.Zero.popcount() - Bits.One.popcount();
    const ConstantRange Range =
        SE ? SE->getUnsignedRange(SE->getSCEV(const_cast<Value *>(&Index)))
           : computeConstantRange(&Index, /*ForSigned=*/false);
    const uint64_t Width =
        (Range.getUnsignedMax() - Range.getUnsignedMin()).getLimitedValue();
    return std::min(Unknown < 64 ? uint64_t(1) << Unknown : UINT64_MAX,
                    Width == UINT64_MAX
                        ? UINT64_MAX
                        : (Width >> Bits.countMinTrailingZeros()) + 1);
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
