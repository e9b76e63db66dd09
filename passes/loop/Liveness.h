//===- Liveness.h - Which values a piece of code needs later ----*- C++ -*-===//

#ifndef HEDDLE_PASSES_LOOP_LIVENESS_H
#define HEDDLE_PASSES_LOOP_LIVENESS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/BasicBlock.h"

namespace heddle {

/// Which values that are computed in some blocks of a function are live into
/// these blocks.
class Liveness {
public:
  using Values = llvm::SmallSetVector<llvm::Instruction *, 16>;

  explicit Liveness(llvm::ArrayRef<llvm::BasicBlock *> Body);

  const Values &into(llvm::BasicBlock *Block) { return LiveIn[Block]; }

private:
  const llvm::SmallPtrSet<llvm::BasicBlock *, 32> Blocks;
  llvm::DenseMap<llvm::BasicBlock *, Values> LiveIn;

  /// The instruction of the body that \p V is, or null.
  llvm::Instruction *valueOf(llvm::Value *V) const;
  bool update(llvm::BasicBlock *Block);
};

} // namespace heddle

#endif
