//===- CostModel.h - Whether and how to interleave --------------*- C++ -*-===//
//
// A pure function from what the analyses found to a decision.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_PLAN_COSTMODEL_H
#define HEDDLE_PASSES_ASYNC_PLAN_COSTMODEL_H

#include "loop/Refusal.h"
#include "mark/Directive.h"
#include <optional>

namespace heddle {

/// The findings of the analyses, in numbers.
struct LoopProfile {
  unsigned SuspensionPoints = 0;
  /// Requests that suspend no task.
  unsigned EarlyRequests = 0;
  /// They are for elements of rows (ConsecutiveRows).
  bool GoesThroughRows = false;
  /// The most unpredictable loads that an address waits for, itself not
  /// counted; EndlessChain for a chase.
  unsigned DeepestAddress = 0;
  /// A branch whose condition waits for memory decides how the iteration
  /// continues, so that the processor cannot run ahead.
  bool BranchesOnMemory = false;
  /// Atomic updates of unpredictable addresses, which the processor does not
  /// overlap.
  bool AtomicsWait = false;
  bool HasRemote = false;
};

struct Decision {
  bool Interleave = false;
  std::optional<RefusalKind> Why;
  /// The versions in addition to the serial one, and whether the choice is
  /// forced.
  bool HasLockstep = false, HasFifo = false, HasSerial = true;
  /// True if a schedule was left out because the file has enough of them.
  bool IsOverBudget = false;
  /// The FIFO resumes the tasks whose requests have completed.
  bool IsDynamic = false;
  Schedule Default = Schedule::Lockstep;
};

Decision decide(const LoopProfile &Profile, const Directive &D,
                unsigned AddedSoFar = 0);

} // namespace heddle

#endif
