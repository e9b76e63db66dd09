//===- SteadyValues.h - Values that are the same in all chunks --*- C++ -*-===//

#ifndef HEDDLE_PASSES_ASYNC_CHUNKS_STEADYVALUES_H
#define HEDDLE_PASSES_ASYNC_CHUNKS_STEADYVALUES_H

#include "loop/LoopContext.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace llvm {
class AllocaInst;
class SCEV;
class Value;
} // namespace llvm

namespace heddle {

class SteadyValues {
  const llvm::Loop &Inner, &Around;
  /// The variables through which OpenMP says what a chunk is.
  const llvm::SmallPtrSetImpl<const llvm::Value *> &Bounds;
  llvm::ScalarEvolution &SE;
  llvm::DenseMap<const llvm::Value *, bool> Known;

public:
  SteadyValues(const llvm::Loop &Inner, const llvm::Loop &Around,
               const llvm::SmallPtrSetImpl<const llvm::Value *> &Bounds,
               llvm::ScalarEvolution &SE)
      : Inner(Inner), Around(Around), Bounds(Bounds), SE(SE) {}

  /// True if \p V, which is not of the inner loop, is the same whenever the
  /// inner loop is entered.
  bool isSteady(const llvm::Value *V);
  bool isSteady(const llvm::SCEV *S);

  /// True if \p S of the inner loop is so in all chunks, as an expression over
  /// the iteration's number where \p Number, an i64, is that of the first one
  /// of the chunk.
  bool followsFromNumber(const llvm::SCEV *S, const llvm::SCEV *Number);

  /// True if a variable that starts at \p Start and is advanced by \p Step
  /// does.
  bool followsFromNumber(const llvm::SCEV *Start, const llvm::SCEV *Step,
                         const llvm::SCEV *Number);
};

} // namespace heddle

#endif
