//===- Updates.h - Updates whose order does not matter ----------*- C++ -*-===//
//
// Finds the roles of plain loads and stores in the updates of a function:
//
//  * `*p op= x`, where op is commutative, also under a condition, or spelled
//    with a temporary variable;
//  * `if (*p < x) *p = x`, and the other stores into the element under that
//    condition, such as `p->payload = f(x)`;
//  * `if (!*p) *p = value`, which is harmless as long as all set one value.
//
// All others are plain accesses.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_CHECK_UPDATES_H
#define HEDDLE_PASSES_CHECK_UPDATES_H

#include "check/check.h"
#include "llvm/ADT/DenseMap.h"

namespace llvm {
class DominatorTree;
class Function;
class Instruction;
class Value;
} // namespace llvm

namespace heddle {

struct AccessRole {
  /// Plain unless it is part of an update.
  heddle_check_operation Operation = HEDDLE_CHECK_PLAIN;
  /// A load of an update whose store counts for both.
  bool IsSilent = false;
  /// HEDDLE_CHECK_SET: the value that would be set. HEDDLE_CHECK_DEPENDENT: the
  /// store that wins.
  llvm::Value *Value = nullptr;
  /// A load: the store that depends on it.
  llvm::Instruction *Partner = nullptr;
};

/// True if \p V can be computed in front of \p Before.
bool isAvailable(const llvm::Value *V, const llvm::Instruction &Before,
                 const llvm::DominatorTree &DT);
/// Computes it there, if it is not computed before.
llvm::Value *makeAvailable(llvm::Value *V, llvm::Instruction &Before,
                           const llvm::DominatorTree &DT);

/// Returns the roles of the loads and stores in \p F that are not just plain.
llvm::DenseMap<llvm::Instruction *, AccessRole>
findUpdates(llvm::Function &F, const llvm::DominatorTree &DT);

} // namespace heddle

#endif
