//===- ConsecutiveRows.h - Rows that follow each other ----------*- C++ -*-===//
//
// The neighbours of vertices, and the entries of a sparse matrix, mostly lie in
// rows, each of which begins where the one before ends:
//
//   for u:  for e from begin[u] to begin[u + 1]:  ... x[target[e]] ...
//
// All rows together are one, so that x[target[e + 64]] can be requested at e
// without a suspension, which short rows are not worth: as long as e + 64 is
// less than the end of the last row, it is an element of some row ahead, and
// target[e + 64] is going to be read. That begin[] stays as it is while the
// loop runs is part of the promise.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_PLAN_CONSECUTIVEROWS_H
#define HEDDLE_PASSES_ASYNC_PLAN_CONSECUTIVEROWS_H

#include "async/analysis/LoopFacts.h"
#include "async/plan/Request.h"
#include <optional>

namespace llvm {
class LoadInst;
class Loop;
class PHINode;
class SCEV;
} // namespace llvm

namespace heddle {

struct ConsecutiveRows {
  llvm::Loop *Inner;
  /// The number of the element, in the header of Inner.
  llvm::PHINode *Index;
  /// Reads the end of an iteration's row.
  llvm::LoadInst *End;
  bool IsSigned;
  /// Where the end of the last row is, in front of the loop.
  const llvm::SCEV *LastEnd;
  /// What an element waits for, by Index. All else in the loop does not wait.
  llvm::SmallVector<Request, 2> Requests;
};

/// The rows that \p Inner goes through, if the loop of \p C waits for nothing
/// but for what their elements lead to.
std::optional<ConsecutiveRows> findConsecutiveRows(const LoopContext &C,
                                                   const LoopFacts &Facts,
                                                   llvm::Loop &Inner);

} // namespace heddle

#endif
