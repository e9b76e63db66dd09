//===- PullTarget.cpp - The gathers of a target ---------------------------===//

#include "vectorsparse/PullKernel.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/DerivedTypes.h"

using namespace llvm;
using namespace heddle;

/// Bits of the narrowest integers that the target gathers under a mask, \p
/// Lanes at once, or 0.
static unsigned narrowestGather(const TargetTransformInfo &TTI,
                                LLVMContext &Context, ElementCount Lanes) {
  for (unsigned Bits : {8, 16, 32}) {
    auto *Type = VectorType::get(IntegerType::get(Context, Bits), Lanes);
    if (TTI.isLegalMaskedGather(Type, Align(Bits / 8)) &&
        !TTI.forceScalarizeMaskedGather(Type, Align(Bits / 8)))
      return Bits;
  }
  return 0;
}

PullTarget PullTarget::of(const TargetTransformInfo &TTI, LLVMContext &Context,
                          unsigned Lanes) {
  // RISC-V has both, and gathers fixed vectors faster.
  unsigned Fixed = narrowestGather(TTI, Context, ElementCount::getFixed(Lanes));
  if (!Fixed && TTI.supportsScalableVectors() &&
      narrowestGather(TTI, Context, ElementCount::getScalable(4)) == 8)
    return {/*Scalable=*/true, 8};
  return {/*Scalable=*/false, Fixed};
}
