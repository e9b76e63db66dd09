//===- HeddleDialect.h - The heddle dialect ---------------------*- C++ -*-===//

#ifndef HEDDLE_PASSES_MLIR_DIALECT_HEDDLEDIALECT_H
#define HEDDLE_PASSES_MLIR_DIALECT_HEDDLEDIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace heddle {
class YieldOp;
}

#include "mlir/Dialect/HeddleDialect.h.inc"
#include "mlir/Dialect/HeddleEnums.h.inc"

namespace heddle {

/// Reads the name of a schedule, also one that is accepted for another.
mlir::FailureOr<AsyncScheduler> parseScheduler(mlir::AsmParser &Parser);

} // namespace heddle

#define GET_ATTRDEF_CLASSES
#include "mlir/Dialect/HeddleAttributes.h.inc"
#define GET_OP_CLASSES
#include "mlir/Dialect/HeddleOps.h.inc"

namespace heddle {

/// The name of the discardable attribute with which a loop has an AsyncAttr.
constexpr char AsyncAttributeName[] = "heddle.async";

/// Bits of the neighbour in a lane of \p LaneBits bits, where an edge vector
/// has \p Lanes of them.
constexpr unsigned neighbourBits(unsigned LaneBits, unsigned Lanes) {
  return LaneBits == 64 ? 48 : 31 - 32 / Lanes;
}

/// Bits of the piece of the top-level vertex in such a lane.
constexpr unsigned pieceBits(unsigned LaneBits, unsigned Lanes) {
  return LaneBits == 64 ? 48 / Lanes : 32 / Lanes;
}

/// True if there is a Vector-Sparse layout with these lanes.
constexpr bool isEdgeVector(unsigned LaneBits, unsigned Lanes) {
  return LaneBits == 64 ? Lanes == 4 || Lanes == 8
                        : LaneBits == 32 && (Lanes == 8 || Lanes == 16);
}

/// Returns the constant of type \p Element that leaves the other value
/// unchanged when they are combined. For <minnumf> and <maxnumf> it is a NaN,
/// unless \p Flags exclude that.
mlir::TypedAttr
identityOf(mlir::vector::CombiningKind Kind, mlir::Type Element,
           mlir::arith::FastMathFlags Flags = mlir::arith::FastMathFlags::none);

/// Returns those of \p Flags, which are about messages, that also hold when
/// messages are combined with identityOf: an infinity for minima and maxima.
mlir::arith::FastMathFlags combiningFlags(mlir::vector::CombiningKind Kind,
                                          mlir::arith::FastMathFlags Flags);

/// \p A and \p C , combined under those of the \p Flags .
mlir::Value combine(mlir::ImplicitLocOpBuilder &B,
                    mlir::vector::CombiningKind Kind,
                    mlir::arith::FastMathFlags Flags, mlir::Value A,
                    mlir::Value C);

/// Repeats the region \p Apply of a pull with \p Arguments . Returns its
/// result.
mlir::Value cloneApply(mlir::OpBuilder &B, mlir::Region &Apply,
                       mlir::ValueRange Arguments);

} // namespace heddle

#endif
