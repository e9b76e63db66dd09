//===- CostModel.cpp - Whether and how to interleave ----------------------===//

#include "async/plan/CostModel.h"
#include "loop/Tunables.h"

using namespace heddle;

Decision heddle::decide(const LoopProfile &Profile, const Directive &D,
                        unsigned AddedSoFar) {
  Decision Result;
  if (Profile.SuspensionPoints == 0 && Profile.EarlyRequests == 0) {
    Result.Why = RefusalKind::Predictable;
    return Result;
  }
  switch (D.Scheduler) {
  case Schedule::Lockstep:
    Result.Interleave = Result.HasLockstep = true;
    Result.HasSerial = false;
    return Result;
  case Schedule::Fifo:
    Result.Interleave = Result.HasFifo = true;
    Result.HasSerial = false;
    Result.Default = Schedule::Fifo;
    return Result;
  case Schedule::Dynamic:
    Result.Interleave = Result.HasFifo = Result.IsDynamic = true;
    Result.HasSerial = false;
    Result.Default = Schedule::Fifo;
    return Result;
  case Schedule::Unspecified:
    break;
  }
  // Without suspensions there is nothing to schedule, and little to lose.
  const bool HasNone = Profile.SuspensionPoints == 0;
  if (HasNone && !Profile.GoesThroughRows) {
    Result.Interleave = Result.HasLockstep = true;
    return Result;
  }
  // Independent accesses overlap in the reorder window by themselves, and come
  // as fast as the core's outstanding misses allow.
  if (Profile.DeepestAddress == 0 && !Profile.BranchesOnMemory &&
      !Profile.AtomicsWait && !Profile.HasRemote) {
    Result.Why = RefusalKind::Overlapped;
    return Result;
  }
  // Lockstep costs fewer instructions. A FIFO spreads its requests evenly,
  // which counts where page walks are the limit. The run time finds out.
  Result.Interleave = Result.HasLockstep = true;
  Result.IsOverBudget = !HasNone && AddedSoFar > tunable::AddedInstructions;
  Result.HasFifo = !HasNone && !Result.IsOverBudget;
  return Result;
}
