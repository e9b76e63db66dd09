//===- Combination.h - How a message is combined with others ----*- C++ -*-===//

#ifndef HEDDLE_PASSES_VECTORSPARSE_COMBINATION_H
#define HEDDLE_PASSES_VECTORSPARSE_COMBINATION_H

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Analysis/IVDescriptors.h"
#include <optional>

namespace heddle {

/// How an instruction combines a message with what there was before.
struct Combination {
  llvm::Value *Before = nullptr;
  llvm::Value *Message = nullptr;
  /// Multiplies the message, if not null.
  llvm::Value *Factor = nullptr;
  /// The message is subtracted.
  bool Negative = false;
  /// A comparison, which a NaN leaves as it was before.
  bool IgnoresNaN = false;
};

/// Returns how vectors are combined for \p K, if the order does not matter.
std::optional<mlir::vector::CombiningKind> combiningKind(llvm::RecurKind K);

/// How \p I combines in the way of \p Kind, if it does. \p HasBefore is true
/// for values that what there was before is a part of.
std::optional<Combination>
matchCombination(llvm::Instruction &I, mlir::vector::CombiningKind Kind,
                 llvm::function_ref<bool(const llvm::Value *)> HasBefore);

} // namespace heddle

#endif
