//===- Remarks.h - What has become of a loop -------------------*- C++ -*-===//
//
// MLIR's optimisation remarks, with the argument of the pass as their category.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_MLIR_TRANSFORMS_REMARKS_H
#define HEDDLE_PASSES_MLIR_TRANSFORMS_REMARKS_H

#include "mlir/IR/Remarks.h"
#include "mlir/Pass/Pass.h"

namespace heddle {

inline mlir::remark::RemarkOpts remarkOf(const mlir::Pass &P) {
  return mlir::remark::RemarkOpts::name(P.getName()).category(P.getArgument());
}

/// Says what pass \p P has done to \p Loop.
inline void sayDone(const mlir::Pass &P, mlir::Operation *Loop,
                    const llvm::Twine &What) {
  mlir::remark::passed(Loop->getLoc(), remarkOf(P)) << What.str();
}

/// Says why pass \p P leaves \p Loop as it is.
inline void sayLeft(const mlir::Pass &P, mlir::Operation *Loop,
                    const llvm::Twine &Why) {
  mlir::remark::missed(Loop->getLoc(), remarkOf(P)) << Why.str();
}

} // namespace heddle

#endif
