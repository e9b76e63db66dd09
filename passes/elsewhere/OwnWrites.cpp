//===- OwnWrites.cpp - Writes that no other iteration sees ----------------===//

#include "elsewhere/OwnWrites.h"
#include "ir/Instructions.h"
#include "loop/LoopContext.h"
#include "mark/Marks.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace heddle;

/// Larger elements are not known to be the iteration's own.
static constexpr uint64_t MostBytesOfElement = 1 << 20;

namespace {

class OwnWrites {
  const LoopContext &C;
  ArrayRef<const CallBase *> Calls;

public:
  OwnWrites(const LoopContext &C, ArrayRef<const CallBase *> Calls)
      : C(C), Calls(Calls) {}

  bool isOwn(const Instruction &I) const {
    if (auto *Call = dyn_cast<CallBase>(&I))
      return isOwnCall(*Call);
    auto *Store = dyn_cast<StoreInst>(&I);
    if (!Store || !Store->isSimple())
      return false;
    const TypeSize Bytes = C.L.getHeader()->getDataLayout().getTypeStoreSize(
        Store->getValueOperand()->getType());
    const Value *Address = Store->getPointerOperand();
    return isNotGivenAway(Address) ||
           (!Bytes.isScalable() && (isElementOfIteration(Address, Bytes) ||
                                    isAppended(Address, Bytes)));
  }

private:
  bool isOwnCall(const CallBase &Call) const {
    auto *Known = dyn_cast<IntrinsicInst>(&Call);
    if (is_contained(Calls, &Call) || calleeName(Call) == AsyncMarkerName ||
        (Known && (Known->isAssumeLikeIntrinsic() ||
                   Known->getIntrinsicID() == Intrinsic::prefetch)))
      return true;
    if (auto *Fill = dyn_cast<MemIntrinsic>(&Call))
      return !Fill->isVolatile() && isNotGivenAway(Fill->getRawDest());
    return false;
  }

  /// True if \p Address points into memory of this function of which no other
  /// function can know.
  bool isNotGivenAway(const Value *Address) const {
    const Value *Object = getUnderlyingObject(Address, /*MaxLookup=*/0);
    return isIdentifiedFunctionLocal(Object) && !isa<Argument>(Object) &&
           none_of(Calls, [&](const CallBase *Call) {
             return isHanded(*Call, Object) ||
                    PointerMayBeCapturedBefore(
                        Object, /*ReturnCaptures=*/false, Call, &C.DT,
                        /*IncludeI=*/true, /*MaxUsesToExplore=*/0, &C.LI);
           });
  }

  /// True if an argument of \p Call may point into \p Object, be it that the
  /// function keeps no pointer to it.
  bool isHanded(const CallBase &Call, const Value *Object) const {
    return any_of(Call.args(), [&](const Value *Argument) {
      SmallVector<const Value *, 4> Objects;
      if (Argument->getType()->isPointerTy())
        getUnderlyingObjects(Argument, Objects, /*LI=*/nullptr,
                             /*MaxLookup=*/0);
      return is_contained(Objects, Object);
    });
  }

  /// True if \p Load reads memory of this function, which own writes may
  /// change.
  static bool isInVariable(const LoadInst &Load) {
    return isIdentifiedFunctionLocal(
        getUnderlyingObject(Load.getPointerOperand(), /*MaxLookup=*/0));
  }

  /// True if \p V does not change while the loop runs, be it that it is read
  /// again: there is no write that changes it and is own.
  bool isSame(const Value *V, unsigned Depth = 0) const {
    if (C.L.isLoopInvariant(V))
      return true;
    if (Depth > 4)
      return false;
    if (auto *Load = dyn_cast<LoadInst>(V))
      return Load->isSimple() && !isInVariable(*Load) &&
             isSame(Load->getPointerOperand(), Depth + 1);
    auto *Step = dyn_cast<GetElementPtrInst>(V);
    return Step && Step->hasAllConstantIndices() &&
           isSame(Step->getPointerOperand(), Depth + 1);
  }

  /// True if each iteration has \p Bytes at \p Address of its own, which follow
  /// from its number.
  bool isElementOfIteration(const Value *Address, uint64_t Bytes) const {
    const SCEV *Place = C.SE.getSCEV(const_cast<Value *>(Address));
    auto *Base = dyn_cast<SCEVUnknown>(C.SE.getPointerBase(Place));
    if (!Base || !isSame(Base->getValue()))
      return false;
    auto *Offset = dyn_cast<SCEVAddRecExpr>(C.SE.removePointerBase(Place));
    if (!Offset || Offset->getLoop() != &C.L || !Offset->isAffine() ||
        !C.SE.isLoopInvariant(Offset->getStart(), &C.L))
      return false;
    auto *Step = dyn_cast<SCEVConstant>(Offset->getStepRecurrence(C.SE));
    // No loop has so many iterations that the offset comes to an element again.
    return Step && Step->getAPInt().abs().uge(Bytes) &&
           Step->getAPInt().abs().ule(MostBytesOfElement);
  }

  /// The least amount by which \p V is more than \p Phi; nullopt if it may be
  /// less.
  std::optional<uint64_t> growth(const Value *V, const PHINode &Phi,
                                 unsigned Depth = 0) const {
    if (V == &Phi)
      return 0;
    auto *I = dyn_cast<Instruction>(V);
    if (!I || !C.L.contains(I) || Depth > 4)
      return std::nullopt;
    if (auto *Merge = dyn_cast<PHINode>(I);
        Merge && Merge->getParent() != C.L.getHeader() &&
        C.LI.getLoopFor(Merge->getParent()) == &C.L) {
      std::optional<uint64_t> Least;
      for (const Value *In : Merge->incoming_values()) {
        const std::optional<uint64_t> Of = growth(In, Phi, Depth + 1);
        if (!Of)
          return std::nullopt;
        Least = std::min(Least.value_or(*Of), *Of);
      }
      return Least;
    }
    if (auto *Choice = dyn_cast<SelectInst>(I)) {
      const std::optional<uint64_t> One =
          growth(Choice->getTrueValue(), Phi, Depth + 1);
      const std::optional<uint64_t> Other =
          growth(Choice->getFalseValue(), Phi, Depth + 1);
      return One && Other ? std::optional(std::min(*One, *Other))
                          : std::nullopt;
    }
    const Value *From = nullptr;
    uint64_t By = 0;
    if (auto *Pointer = dyn_cast<GetElementPtrInst>(I)) {
      APInt Bytes(I->getDataLayout().getIndexTypeSizeInBits(I->getType()), 0);
      if (!Pointer->accumulateConstantOffset(I->getDataLayout(), Bytes) ||
          Bytes.isNegative())
        return std::nullopt;
      From = Pointer->getPointerOperand();
      By = Bytes.getZExtValue();
    } else if (I->getOpcode() == Instruction::Add) {
      const Value *More = I->getOperand(1);
      auto *Number = dyn_cast<ConstantInt>(More);
      auto *Choice = dyn_cast<ZExtInst>(More);
      if (Number && Number->getBitWidth() <= 64 && !Number->isNegative())
        By = Number->getZExtValue();
      else if (!Choice || !Choice->getOperand(0)->getType()->isIntegerTy(1))
        return std::nullopt;
      From = I->getOperand(0);
    }
    const std::optional<uint64_t> Of =
        From ? growth(From, Phi, Depth + 1) : std::nullopt;
    return Of ? std::optional(*Of + By) : std::nullopt;
  }

  /// True if the variable \p Phi of the loop only grows.
  bool onlyGrows(const PHINode &Phi) const {
    return growth(Phi.getIncomingValueForBlock(C.L.getLoopLatch()), Phi)
        .has_value();
  }

  /// True if \p Address is where a variable of the loop, which only grows,
  /// points to, as in `out[count++] = x`.
  bool isAppended(const Value *Address, uint64_t Bytes) const {
    const DataLayout &DL = C.L.getHeader()->getDataLayout();
    APInt Offset(DL.getIndexTypeSizeInBits(Address->getType()), 0);
    const Value *Place = Address->stripAndAccumulateConstantOffsets(
        DL, Offset, /*AllowNonInbounds=*/true);
    if (Offset.isNegative())
      return false;
    const uint64_t End = Offset.getZExtValue() + Bytes;
    auto IsVariable = [&](const Value *V) {
      return isa<PHINode>(V) &&
             cast<PHINode>(V)->getParent() == C.L.getHeader();
    };
    if (IsVariable(Place))
      return onlyGrows(*cast<PHINode>(Place));
    auto *Element = dyn_cast<GetElementPtrInst>(Place);
    if (!Element || Element->getNumIndices() != 1 ||
        !isSame(Element->getPointerOperand()))
      return false;
    const Value *Index = Element->getOperand(1);
    if (auto *Wider = dyn_cast<CastInst>(Index);
        Wider && isa<SExtInst, ZExtInst>(Wider))
      Index = Wider->getOperand(0);
    const TypeSize Size = DL.getTypeAllocSize(Element->getSourceElementType());
    return IsVariable(Index) && !Size.isScalable() && End <= Size &&
           onlyGrows(*cast<PHINode>(Index));
  }
};

} // namespace

const Instruction *heddle::findSharedWrite(const LoopContext &C,
                                           ArrayRef<const CallBase *> Calls) {
  const OwnWrites Writes(C, Calls);
  for (const Instruction &I : instructionsIn(C.L.blocks()))
    if (I.mayWriteToMemory() && !Writes.isOwn(I))
      return &I;
  return nullptr;
}
