//===- LikelyQueries.h - Calls that go to none of the targets ---*- C++ -*-===//
//
// Where a call through a pointer goes to none of the functions that it is
// compared with, nothing is known of what it does with the element that it is
// handed. The functions of a place in a table do the same for different kinds
// of elements. So where those that are known, as parts of the loop, and the
// rest of the loop change nothing that the loop reads in elements, the others
// are taken not to do so either: they are queries. Whatever functions share,
// they may use as other calls do.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_REGIONS_LIKELYQUERIES_H
#define HEDDLE_PASSES_ASYNC_REGIONS_LIKELYQUERIES_H

#include "async/analysis/CalleeUses.h"
#include "async/analysis/FrameValues.h"
#include "async/analysis/LatencyAnalysis.h"
#include "async/analysis/TaskLocals.h"

namespace heddle {

class LikelyQueries {
public:
  /// \p Hidden has what the calls of the loop access.
  LikelyQueries(const LoopContext &C, const LatencyAnalysis &Latency,
                const TaskLocals &Locals, const FrameValues &Frames,
                llvm::ArrayRef<InstructionUse> Hidden);

  /// True if \p Call is taken not to change elements.
  bool isQuery(const llvm::Instruction &Call) const;
  /// What the other calls access.
  llvm::ArrayRef<InstructionUse> ofOthers() const { return Others; }

private:
  bool AreQueries = false;
  llvm::SmallVector<InstructionUse> Others;
};

} // namespace heddle

#endif
