//===- PullBody.h - The body of a loop over edges in MLIR -------*- C++ -*-===//

#ifndef HEDDLE_PASSES_VECTORSPARSE_PULLBODY_H
#define HEDDLE_PASSES_VECTORSPARSE_PULLBODY_H

#include "mlir/Dialect/HeddleDialect.h"
#include "vectorsparse/PullKernel.h"
#include <memory>
#include <optional>

namespace heddle {

/// A value that the body of a heddle.pull reads from outside the loop.
struct PullCapture {
  llvm::Value *Invariant;
  /// Bytes between a pointer and the array that begins there.
  int64_t Offset;
  /// The type in the body: a scalar, or a memref.
  mlir::Type Type;
};

/// The body of a heddle.pull.
struct PullBody {
  /// Ends in heddle.yield. Its last arguments are the captures.
  std::unique_ptr<mlir::Block> Block;
  llvm::SmallVector<PullCapture> Captures;
  mlir::vector::CombiningKind Kind;
  mlir::arith::FastMathFlags FastMath;
  /// Messages and the initial value are compared such that a NaN is never
  /// smaller or larger than anything. Messages are no NaNs then.
  bool IgnoresNaN;
};

/// Maps the work of \p Loop for one edge, or returns the reason why it cannot.
llvm::Expected<PullBody> mapPullBody(mlir::MLIRContext &Context,
                                     const PullLoop &Loop);

} // namespace heddle

#endif
