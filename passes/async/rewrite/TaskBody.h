//===- TaskBody.h - One iteration as a task ---------------------*- C++ -*-===//
//
// A copy of the loop's body that runs one iteration from its launch to its
// retirement, with prefetches in it and a cut at every suspension point:
//
//   launch:   k = next iteration number; advance launch variables
//             ... up to the first access ...; prefetch
//   resume.1: ...                      <- reached only over a suspension edge
//   retire:   record what leaves the loop
//
// TaskBuilder makes it. SchedulerState holds the variables of all tasks. The
// copy itself is never run: the schedules clone its segments.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_REWRITE_TASKBODY_H
#define HEDDLE_PASSES_ASYNC_REWRITE_TASKBODY_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DebugLoc.h"
#include <optional>

namespace llvm {
class BasicBlock;
class IRBuilderBase;
class Instruction;
class Value;
} // namespace llvm

namespace heddle {

/// Code that issues an iteration's first requests before the iteration is
/// launched.
struct EarlyRequests {
  /// Straight-line code, not part of the task; Number is a stand-in for the
  /// number of the iteration. Null if there are no such requests.
  llvm::BasicBlock *Code = nullptr;
  llvm::Instruction *Number = nullptr;

  /// Makes the requests for the iteration of that number.
  void emitFor(llvm::Value *Iteration, llvm::IRBuilderBase &B) const;
};

struct TaskBody {
  llvm::BasicBlock *Entry, *Retire;
  /// Where a task ends that has left the loop early, and with it all others;
  /// null if none does.
  llvm::BasicBlock *Leave = nullptr;
  /// Where only those come to that have not left the loop early.
  llvm::BasicBlock *Complete = nullptr;
  llvm::SmallVector<llvm::BasicBlock *> Blocks;
  /// The blocks at which tasks resume. Their single predecessors suspend.
  llvm::SmallVector<llvm::BasicBlock *> Resumes;
  /// The index in Resumes of the point where tasks wait for their turn.
  std::optional<unsigned> TurnResume;
  EarlyRequests Early;
  /// Where the loop is in the source.
  llvm::DebugLoc Loop;
};

} // namespace heddle

#endif
