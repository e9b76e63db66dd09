//===- Uniformity.h - Values that are equal in all tasks --------*- C++ -*-===//
//
// The steps of a binary search depend on the length of the array, not on the
// key: all tasks take the same number, and the counter has the same value in
// each. Such values need not be kept for every task, and if all branches that
// lead to suspension points depend on such values only, tasks that are launched
// together suspend together and retire together.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_REWRITE_UNIFORMITY_H
#define HEDDLE_PASSES_ASYNC_REWRITE_UNIFORMITY_H

#include "async/rewrite/TaskBody.h"
#include "llvm/ADT/DenseSet.h"

namespace llvm {
class PostDominatorTree;
}

namespace heddle {

class Uniformity {
public:
  explicit Uniformity(const TaskBody &Body);

  /// True if all tasks that have come the same way agree on \p I.
  bool isUniform(const llvm::Instruction *I) const {
    return !Varying.contains(I);
  }
  /// True if all tasks pass the same suspension points in the same order.
  bool inStep() const { return InStep; }

private:
  const TaskBody &Body;
  llvm::SmallPtrSet<const llvm::BasicBlock *, 32> Blocks;
  llvm::DenseSet<const llvm::Instruction *> Varying;
  bool InStep = true;

  bool startsVarying(const llvm::Instruction &I) const;
  /// Handles tasks that diverge at \p Terminator: marks the values that may
  /// differ between them until the paths join.
  void diverge(const llvm::Instruction &Terminator,
               const llvm::PostDominatorTree &PDT,
               llvm::SmallVectorImpl<const llvm::Instruction *> &Worklist);
  void mark(const llvm::Instruction &I,
            llvm::SmallVectorImpl<const llvm::Instruction *> &Worklist);
};

} // namespace heddle

#endif
