//===- Remarks.h - Remarks of the passes over MLIR --------------*- C++ -*-===//
//
// MLIR's optimisation remarks, with the argument of the pass as their category.
// Reasons are records of loop/Refusals.def.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_MLIR_TRANSFORMS_REMARKS_H
#define HEDDLE_PASSES_MLIR_TRANSFORMS_REMARKS_H

#include "loop/Refusal.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Pass/Pass.h"

namespace heddle {

inline mlir::remark::RemarkOpts remarkOf(const mlir::Pass &P) {
  return mlir::remark::RemarkOpts::name(P.getName()).category(P.getArgument());
}

/// Makes a remark about the transformation of \p Loop by pass \p P.
inline void sayDone(const mlir::Pass &P, mlir::Operation *Loop,
                    const llvm::Twine &What) {
  mlir::remark::passed(Loop->getLoc(), remarkOf(P)) << What.str();
}

/// Says that pass \p P leaves \p Loop as it is, in words that \p Beginning
/// begins, and \p Why.
inline void sayLeft(const mlir::Pass &P, mlir::Operation *Loop,
                    llvm::StringRef Beginning, const Refusal &Why) {
  auto Remark = mlir::remark::missed(Loop->getLoc(), remarkOf(P));
  Remark << (Beginning + Why.Reason).str()
         << mlir::remark::metric("Refusal", nameOf(Why.Kind))
         << mlir::remark::metric("Next", Why.Next);
}

} // namespace heddle

#endif
