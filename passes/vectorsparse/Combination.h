//===- Combination.h - How a message is combined with others ----*- C++ -*-===//

#ifndef HEDDLE_PASSES_VECTORSPARSE_COMBINATION_H
#define HEDDLE_PASSES_VECTORSPARSE_COMBINATION_H

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Analysis/IVDescriptors.h"
#include <optional>

namespace heddle {

/// The way in which an instruction combines a message with the previous value.
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

/// Returns the vector combination for \p K, if the order does not matter.
std::optional<mlir::vector::CombiningKind> combiningKind(llvm::RecurKind K);

/// Returns the combination of \p I in the way of \p Kind, if it is one.
/// \p HasBefore is true for values that contain the previous value.
std::optional<Combination>
matchCombination(llvm::Instruction &I, mlir::vector::CombiningKind Kind,
                 llvm::function_ref<bool(const llvm::Value *)> HasBefore);

} // namespace heddle

#endif
