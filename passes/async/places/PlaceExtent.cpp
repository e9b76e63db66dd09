//===- PlaceExtent.cpp - Where in an object an access is ------------------===//

#include "async/places/PlaceExtent.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace heddle;

/// Objects are smaller. Keeps sums of offsets in their type.
static constexpr int64_t MostBytes = int64_t(1) << 40;

/// Moves \p Extent by an index of elements of \p Stride bytes. False if it is
/// not known how far.
static bool move(PlaceExtent &Extent, const Value &Index, int64_t Stride) {
  const ConstantRange Range =
      computeConstantRange(&Index, /*ForSigned=*/true).sextOrTrunc(64);
  const int64_t Least = Range.getSignedMin().getSExtValue();
  const int64_t Most = Range.getSignedMax().getSExtValue();
  if (Least < -MostBytes || Most > MostBytes || Stride > MostBytes)
    return false;
  int64_t Before = 0, Behind = 0;
  return !MulOverflow(Least, Stride, Before) &&
         !MulOverflow(Most, Stride, Behind) &&
         !AddOverflow(Extent.Begin, Before, Extent.Begin) &&
         !AddOverflow(Extent.End, Behind, Extent.End);
}

static std::optional<PlaceExtent> extentFrom(const Value *Address,
                                             PlaceExtent Extent,
                                             const DataLayout &Layout,
                                             unsigned Depth) {
  constexpr unsigned Merges = 3;
  while (auto *Gep = dyn_cast<GEPOperator>(Address)) {
    for (auto At = gep_type_begin(Gep); At != gep_type_end(Gep); ++At) {
      StructType *Struct = At.getStructTypeOrNull();
      if (Struct) {
        const unsigned Field =
            cast<ConstantInt>(At.getOperand())->getZExtValue();
        const int64_t Offset =
            Layout.getStructLayout(Struct)->getElementOffset(Field);
        Extent = {Extent.Begin + Offset, Extent.End + Offset};
      } else if (const TypeSize Stride = At.getSequentialElementStride(Layout);
                 Stride.isScalable() ||
                 !move(Extent, *At.getOperand(), Stride.getFixedValue())) {
        // Of a small array, any element.
        auto *Object = dyn_cast<GlobalVariable>(getUnderlyingObject(Gep));
        if (!Object || !Object->hasDefinitiveInitializer())
          return std::nullopt;
        return PlaceExtent{
            0, int64_t(Layout.getTypeAllocSize(Object->getValueType()))};
      }
    }
    Address = Gep->getPointerOperand();
  }
  auto *Merge = dyn_cast<Instruction>(Address);
  if (!Merge || !isa<PHINode, SelectInst>(Merge))
    return Extent;
  if (Depth == Merges)
    return std::nullopt;
  std::optional<PlaceExtent> All;
  for (const Value *Way :
       drop_begin(Merge->operand_values(), isa<SelectInst>(Merge))) {
    const auto Some = extentFrom(Way, Extent, Layout, Depth + 1);
    if (!Some)
      return std::nullopt;
    All = All ? PlaceExtent{std::min(All->Begin, Some->Begin),
                            std::max(All->End, Some->End)}
              : Some;
  }
  return All;
}

PlaceExtents::PlaceExtents(const MemoryLocation &Place,
                           const DataLayout &Layout) {
  if (!Place.Size.isPrecise() || Place.Size.isScalable())
    return;
  const auto Bytes = int64_t(Place.Size.getValue().getFixedValue());
  if (const auto Extent = extentFrom(Place.Ptr, {0, Bytes}, Layout, 0))
    add(*Extent);
}

void PlaceExtents::add(PlaceExtent Extent) {
  // Bounds compile time.
  constexpr size_t Most = 8;
  auto *At = partition_point(Extents, [&](const PlaceExtent &Other) {
    return Other.End < Extent.Begin;
  });
  auto *End = At;
  for (; End != Extents.end() && End->Begin <= Extent.End; ++End)
    Extent = {std::min(Extent.Begin, End->Begin),
              std::max(Extent.End, End->End)};
  Extents.insert(Extents.erase(At, End), Extent);
  if (Extents.size() <= Most)
    return;
  auto *Nearest = Extents.begin();
  for (auto *It = Extents.begin(); It + 1 != Extents.end(); ++It)
    if (It[1].Begin - It->End < Nearest[1].Begin - Nearest->End)
      Nearest = It;
  Nearest->End = Nearest[1].End;
  Extents.erase(Nearest + 1);
}

void PlaceExtents::add(const PlaceExtents &Others) {
  for (const PlaceExtent &Extent : Others.Extents)
    add(Extent);
}

PlaceExtents PlaceExtents::from(const Value *Address,
                                const DataLayout &Layout) const {
  PlaceExtents Moved;
  for (const PlaceExtent &Extent : Extents)
    if (const auto There = extentFrom(Address, Extent, Layout, 0))
      Moved.add(*There);
  return Moved;
}

bool PlaceExtents::overlap(const PlaceExtents &Others) const {
  return any_of(Extents, [&](const PlaceExtent &One) {
    return any_of(Others.Extents, [&](const PlaceExtent &Other) {
      return One.Begin < Other.End && Other.Begin < One.End;
    });
  });
}
