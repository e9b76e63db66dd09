//===- Worksharing.h - The OpenMP loop around a nest ------------*- C++ -*-===//
//
// Finds how OpenMP distributes the iterations of a loop, and removes that:
// afterwards, every thread of the team runs the loop from its first iteration
// to its last, until PullPass distributes it anew. Reads the code that Clang
// generates for `omp for` in its various schedules.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_LOOP_WORKSHARING_H
#define HEDDLE_PASSES_LOOP_WORKSHARING_H

#include "loop/LoopContext.h"
#include "loop/Refusal.h"

namespace llvm {
class CallInst;
class Value;
} // namespace llvm

namespace heddle {

struct Worksharing {
  /// __kmpc_for_static_init or __kmpc_dispatch_init.
  llvm::CallInst *Begin = nullptr;
  /// The calls that hand out the iterations of a dynamic schedule.
  llvm::SmallVector<llvm::CallInst *, 2> Takes;
  /// The calls that end the schedule.
  llvm::SmallVector<llvm::CallInst *, 2> Ends;
  bool IsDynamic = false;
  /// Iterations of a chunk, or null.
  llvm::Value *ChunkRows = nullptr;

  /// OpenMP's description of the source location, and its number of the thread.
  llvm::Value *Place = nullptr, *Thread = nullptr;
};

/// True if \p L is the loop of an OpenMP worksharing construct. Any thread may
/// execute its iterations, so none relies on the previous one.
bool isWorksharing(const llvm::Loop &L, const llvm::DominatorTree &DT);

/// Finds the worksharing of \p C 's loop, or says why there is none to remove.
MaybeRefusal findWorksharing(const LoopContext &C, Worksharing &Found);

/// Makes every thread run all iterations. Removes the calls.
void removeWorksharing(Worksharing &W);

} // namespace heddle

#endif
