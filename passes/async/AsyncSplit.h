//===- AsyncSplit.h - Interleave a marked loop's iterations -----*- C++ -*-===//
//
// Rewrites each marked loop, inside its function, into code that keeps many
// iterations ("tasks") in flight. In front of a long-latency access a task
// prefetches and suspends; others run until the line has arrived. Before:
//
//     preheader -> body -> latch -> exit        one iteration after the other
//
// After:
//
//     preheader -> chunk -> { serial | lockstep | fifo } -> chunk ... -> exit
//
// where `serial` is the original loop, `lockstep` advances queues of waiting
// tasks one suspension point at a time, `fifo` is a ring of coroutines, and
// `chunk` asks the run time's site tuner which of them runs the next chunk of
// iterations.
//
// Preconditions: a rotated loop whose only way out is its latch; no exception,
// lock or stack allocation that a suspension could cross; every loop-carried
// variable an induction, a reduction or sequential. Other loops are left alone
// and a remark says why. They lose their marks, variables that only marks kept
// in memory become registers, and the rest of their code is unchanged, even if
// other loops in the function are rewritten.
//
// NestedCalls has run before: callees that access far memory are part of the
// loop.
//
// Order of work, one file each: LoopForm, LoopShape (whether it is possible),
// VariableClasses (loop-carried variables), LatencyAnalysis (which accesses to
// wait for), SuspensionPlan (at which points), CostModel (whether it pays). Up
// to here code moves, but is not rewritten, and BodyCopy restores the function
// if the loop is refused. Then SchedulerState (what tasks share), TaskBuilder
// (one iteration as a task), Segments (cut at the suspension points), Lockstep,
// Fifo and Versions (schedules).
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_ASYNCSPLIT_H
#define HEDDLE_PASSES_ASYNC_ASYNCSPLIT_H

#include "mark/Outcomes.h"

namespace heddle {

class AsyncSplitPass : public llvm::PassInfoMixin<AsyncSplitPass> {
  std::shared_ptr<Outcomes> LoopOutcomes;

public:
  explicit AsyncSplitPass(std::shared_ptr<Outcomes> LoopOutcomes)
      : LoopOutcomes(std::move(LoopOutcomes)) {}
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &AM);
  static bool isRequired() { return true; }
};

} // namespace heddle

#endif
