//===- Schedules.h - Code that keeps many tasks in flight -------*- C++ -*-===//
//
// The schedules, behind one interface. All launch iterations from
// State.NextIteration up to a limit, run all of them to their retirement, and
// then continue at a given block. TurnRing is in TurnRing.cpp, with the code
// that saves contexts; the code in front of a launch is in Launch.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_SCHEDULES_SCHEDULES_H
#define HEDDLE_PASSES_ASYNC_SCHEDULES_SCHEDULES_H

#include "async/rewrite/Segments.h"
#include "llvm/IR/BasicBlock.h"

namespace heddle {

/// The iterations up to State.Limit, which are run as tasks.
struct TaskChunk {
  SchedulerState &State;
  Segments &Cuts;
  /// i64 register that counts suspensions.
  llvm::AllocaInst *Suspensions;
  /// The block at which to continue when all tasks are retired.
  llvm::BasicBlock *Done;
  /// For loops over far memory: the address at which the best number of tasks
  /// so far is stored.
  llvm::Value *KeptTasks;
};

/// The common base of the classes that emit a schedule.
class ScheduleEmitter {
protected:
  const TaskChunk &S;
  SchedulerState &State;
  llvm::Function &F;
  llvm::Type *I64;

  explicit ScheduleEmitter(const TaskChunk &S)
      : S(S), State(S.State), F(State.F), I64(State.i64()) {}

  llvm::BasicBlock *block(const llvm::Twine &Name) {
    return llvm::BasicBlock::Create(F.getContext(), Name, &F);
  }
  bool isTurn(unsigned Suspension) const {
    return S.Cuts.turnSuspension() == Suspension;
  }
};

/// Emits phase queues: every suspension point has a compact queue of the tasks
/// that wait there, their contexts stored field by field. Queues run one at a
/// time, the later ones first; free slots are refilled from the next
/// iterations. Returns the first block.
llvm::BasicBlock *emitLockstep(const TaskChunk &S);

/// Emits lockstep for tasks that pass the same suspension points: a group of
/// them is launched, all advance from one suspension point to the next, all
/// retire. Returns the first block.
llvm::BasicBlock *emitGroups(const TaskChunk &S);

/// Emits a ring of coroutines over arrays of contexts (CoroAMU figure 6). Every
/// suspension has its own dispatch; a task that is alone continues at once.
/// Returns the first block.
llvm::BasicBlock *emitFifo(const TaskChunk &S);

/// Contexts of tasks that wait for their turn to update Ordered variables, in a
/// ring by iteration number.
class TurnRing {
public:
  explicit TurnRing(const TaskChunk &S);
  bool exists() const { return Exists; }
  /// Emits the start of a chunk.
  void emitReset(llvm::IRBuilder<> &B);
  /// True if one more iteration may be launched.
  llvm::Value *emitHasRoom(llvm::IRBuilder<> &B);
  /// Puts the current task into the ring.
  void emitWait(llvm::IRBuilder<> &B);
  /// Runs all tasks whose turn has come and continues at \p After. Returns the
  /// first block.
  llvm::BasicBlock *emitDrain(llvm::BasicBlock *After);

private:
  const TaskChunk &S;
  bool Exists;
  uint64_t Length = 0;
  llvm::AllocaInst *Turn = nullptr, *Waiting = nullptr;
  llvm::SmallVector<llvm::AllocaInst *> Fields;

  llvm::Value *index(llvm::IRBuilder<> &B, llvm::Value *Number);
};

/// Stores and loads the variables of \p C at \p Index of the arrays \p Fields.
void saveContext(llvm::IRBuilder<> &B, const Context &C,
                 llvm::ArrayRef<llvm::AllocaInst *> Fields, llvm::Value *Index);
void loadContext(llvm::IRBuilder<> &B, const Context &C,
                 llvm::ArrayRef<llvm::AllocaInst *> Fields, llvm::Value *Index);

/// Issues the early requests of the first tasks of a chunk, then continues at
/// \p Launch, where tasks issue those of later ones. Returns the first block.
llvm::BasicBlock *emitEarlyRequests(const TaskChunk &S,
                                    llvm::BasicBlock *Launch);

/// Sets the distance by which the next \p Count launches, none of which is
/// behind the limit, make their early requests: as many launches as there are
/// tasks, but not behind the limit.
void emitAhead(llvm::IRBuilder<> &B, const TaskChunk &S, llvm::Value *Count);

/// i1: there is an iteration to launch.
llvm::Value *emitCanLaunch(llvm::IRBuilder<> &B, const TaskChunk &S);

} // namespace heddle

#endif
