//===- TaskBuilder.h - One iteration of a loop as a task --------*- C++ -*-===//
//
// Makes the TaskBody of a loop after its SuspensionPlan. The parts of the class
// are in files of their own: the body from launch to retirement in
// TaskBuilder.cpp, requests in TaskRequests.cpp, suspensions in
// TaskSuspensions.cpp and Rehearsals.cpp, and blocks of an inner loop's
// iterations in BlockedRequests.cpp and InspectedRequests.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_REWRITE_TASK_TASKBUILDER_H
#define HEDDLE_PASSES_ASYNC_REWRITE_TASK_TASKBUILDER_H

#include "async/rewrite/SchedulerState.h"
#include "async/rewrite/TaskBody.h"
#include "async/rewrite/task/PlannedExpressions.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace heddle {

class TaskBuilder {
  const LoopContext &C;
  llvm::ScalarEvolution &SE;
  const LoopShape &Shape;
  const Directive &D;
  const VariableClasses &Classes;
  const TaskLocals &Locals;
  const SuspensionPlan &Plan;
  const PlannedExpressions &Expressions;
  SchedulerState &State;
  llvm::Function &F;
  llvm::ValueToValueMapTy Map;
  TaskBody Body;
  llvm::Value *Iteration = nullptr, *Place = nullptr;
  /// The values of the header's phis in a task.
  llvm::MapVector<llvm::Value *, llvm::Value *> EntryValues;
  /// Stand-ins for Ordered variables until the turn point exists.
  llvm::MapVector<llvm::PHINode *, llvm::Instruction *> Awaited;
  /// The positions of suspensions in front of updates of Shared variables,
  /// after these updates have moved.
  llvm::MapVector<const llvm::Instruction *, llvm::Instruction *> Anchors;
  /// i1: this is the first iteration of the inner loop.
  llvm::DenseMap<const llvm::Loop *, llvm::PHINode *> FirstRound;
  /// The number of suspensions that are left to a task, at the point that
  /// decides about one of them and behind it.
  struct SuspensionCount {
    llvm::Instruction *StandIn;
    llvm::BasicBlock *Suspend;
    llvm::Value *Next;
  };
  llvm::SmallVector<SuspensionCount> Counts;
  /// In loops that may be left early: the block behind the last one of the
  /// body, the first instruction behind the turn, and the conditions under
  /// which an inner loop goes on, each with the branch that it is tested at.
  llvm::BasicBlock *End = nullptr;
  llvm::Instruction *Turn = nullptr;
  llvm::MapVector<llvm::Instruction *, llvm::Value *> Rounds;

public:
  TaskBuilder(const LoopContext &C, const LoopFacts &Facts,
              const SuspensionPlan &Plan, const PlannedExpressions &Expressions,
              SchedulerState &State)
      : C(C), SE(C.SE), Shape(Facts.Shape), D(Facts.D), Classes(Facts.Classes),
        Locals(Facts.Locals), Plan(Plan), Expressions(Expressions),
        State(State), F(State.F) {}

  TaskBody build();

private:
  /// Moves updates of Shared variables to where these are in memory.
  void rewriteSharedVariables();

  /// The launch: takes the next iteration's number and variables.
  void createEntry();

  llvm::Value *inductionValue(llvm::IRBuilder<> &B, const LoopVariable &V,
                              llvm::Value *Number);

  /// Computes the next values of Launch variables and, in a loop that is not
  /// counted, whether there is another iteration.
  void advanceLaunchVariables(llvm::IRBuilder<> &B);

  void createLocals(llvm::IRBuilder<> &B);

  /// Removes alias scopes: they say that two pointers of one iteration differ,
  /// which does not hold for pointers of different interleaved iterations.
  static void stripScopes(llvm::Instruction &I);

  /// The blocks of the original of which each task has its own: those of the
  /// loop and, where they use variables of the task, those that end the
  /// program.
  llvm::SmallVector<llvm::BasicBlock *> ownBlocks() const;

  void cloneBody();
  /// Clones the blocks of the task, for which \p To has the values that it
  /// begins with; \p To is given the rest. Returns the clones.
  llvm::SmallVector<llvm::BasicBlock *> cloneBlocks(llvm::ValueToValueMapTy &To,
                                                    const llvm::Twine &Suffix);
  void createRetire();
  /// Records what leaves the task that \p Of leads to.
  void recordResults(llvm::IRBuilder<> &B, const llvm::ValueToValueMapTy &Of);

  void createPrefetches(llvm::IRBuilder<> &B, const Request &R,
                        llvm::Value *Address);

  /// Issues one request for all accesses of \p R (CoroAMU III-C).
  void createFarRequest(llvm::IRBuilder<> &B, const Request &R,
                        llvm::Value *Address);

  /// Splits \p At 's block in front of \p At; tasks resume at the second part.
  llvm::BasicBlock *cutBefore(llvm::Instruction *At, const llvm::Twine &Name);

  /// Gives \p Phi, in the header of \p Inner, its values on entry and from
  /// round to round. A shared variable may have put a block in front of the
  /// header.
  void addWaysIn(llvm::PHINode &Phi, const llvm::Loop &Inner,
                 llvm::Value *OnEntry, llvm::Value *NextRound);

  void noteFirstRound(const llvm::Loop &Inner);

  /// Lets tasks for which \p Passes is true go past the suspension in front of
  /// \p Resume. Returns the block in which the others suspend.
  llvm::BasicBlock *passIf(llvm::Value *Passes, llvm::BasicBlock *Resume);

  /// True if a task may come to a place from which on it is not suspended.
  bool mayBeSpent() const;

  /// Lets tasks that have been suspended as often as they may, or that have
  /// come to such a place, go past the suspension in front of \p Resume.
  /// Returns the block in which the others suspend.
  llvm::BasicBlock *passIfSpent(llvm::BasicBlock *Resume);

  /// The block that ends behind \p I.
  llvm::BasicBlock *endBehind(llvm::Instruction &I);

  /// Replaces the stand-ins by the number of suspensions that are left to a
  /// task.
  void countSuspensions();

  /// Returns the task's instruction that is suspended in front of, where
  /// \p Before is the original.
  llvm::Instruction *placeOf(const llvm::Instruction *Before) const;

  void insertSuspension(const SuspensionPoint &Point);
  void requestAt(llvm::IRBuilder<> &B, const SuspensionPoint &Point);

  /// Acquires, at \p B, the line that a read-modify-write modifies, and
  /// releases it behind the store.
  void own(llvm::IRBuilder<> &B, llvm::StoreInst &Modifies);

  llvm::Value *addressFor(llvm::IRBuilder<> &B, const Request &R);

  /// Returns the task's value for \p V of the original loop.
  llvm::Value *inTask(llvm::Value *V) const;

  /// Returns the value that \p V, a phi of \p Inner 's header or an invariant,
  /// has \p Ahead iterations later.
  llvm::Value *fromHereOn(llvm::IRBuilder<> &B, llvm::Value *V,
                          const llvm::Loop &Inner, llvm::Value *Ahead);

  /// Adds the requests of \p Point to those that are issued early.
  void requestEarly(const SuspensionPoint &Point);

  /// Issues, at the launch of a task, requests for the one that is launched
  /// later.
  void requestForLater();

  /// Issues, at each element of a row, the requests for one some elements
  /// ahead.
  void requestThroughRows(const ConsecutiveRows &Rows);

  /// Repeats \p Slice and returns its \p Result. \p Start maps the values that
  /// the slice begins with.
  llvm::Value *
  cloneSlice(llvm::IRBuilder<> &B, llvm::ArrayRef<llvm::Instruction *> Slice,
             llvm::Value *Result,
             llvm::function_ref<llvm::Value *(llvm::Value *)> Start);

  /// Inserts in front of each block of iterations of an inner loop: prefetch
  /// for all of them, suspend, and continue. The first block is the odd one, so
  /// that the others begin where the number of iterations left is a multiple of
  /// the length.
  void insertBlockedRequests(const BlockedLoop &Blocked);

  /// The number of iterations from the one that is reached on in which
  /// \p Stepping reads from the page in which it does so now.
  llvm::Value *readsInPage(llvm::IRBuilder<> &B, const SteppingLoad &Stepping);

  /// Inserts in front of uninterrupted code: run a copy of it up to what it
  /// waits for, prefetch, suspend, and run it again.
  void rehearse(const Rehearsal &R);
  class RehearsalCopy;

  /// Suspends at the end of a block of requests.
  void suspendAtEnd(llvm::IRBuilder<> &B);

  /// Inserts in front of each block of iterations of an inner loop: let the
  /// inspector run over it and prefetch, suspend, and continue.
  void insertInspector(const BlockedLoop &Blocked);

  /// The inspector of a block of iterations.
  class InspectorCopy;

  /// If the count is exact, makes the inner loop end by it, so that its own
  /// bound need not be kept.
  void replaceExitTest(const BlockedLoop &Blocked, llvm::Value *LeftNext);

  // In loops that may be left early:

  /// Makes early exits of the clones to which \p Of leads note that they are
  /// taken.
  void createLeaves(const llvm::ValueToValueMapTy &Of);

  /// Makes inner loops in front of the turn, of which nothing says that they
  /// end in iterations that are not reached, wait for it after many rounds.
  void limitRounds();

  /// Lets tasks do nothing in front of the turn that might fail. Where it
  /// might, they wait, and start again when it is their turn.
  void guard();
  class Guards;

  void finish();
};

/// The task that one iteration of the loop becomes.
TaskBody buildTaskBody(const LoopContext &C, const LoopFacts &Facts,
                       const SuspensionPlan &Plan,
                       const PlannedExpressions &Expressions,
                       SchedulerState &State);

} // namespace heddle

#endif
