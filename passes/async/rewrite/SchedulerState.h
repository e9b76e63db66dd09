//===- SchedulerState.h - Variables shared by all tasks ---------*- C++ -*-===//
//
// The variables that all tasks share (iteration counter, reductions, sequential
// variables) are allocas that are promoted to registers when the schedules are
// complete. The constructor makes all of them; a schedule adds those that it
// alone needs.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_REWRITE_SCHEDULERSTATE_H
#define HEDDLE_PASSES_ASYNC_REWRITE_SCHEDULERSTATE_H

#include "async/plan/SuspensionPlan.h"
#include "far/FarBackend.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class AllocaInst;
class Function;
class IntegerType;
class PHINode;
class Twine;
class Type;
class Value;
} // namespace llvm

namespace heddle {

/// The variables that all tasks of the loop share. `Promotable` lists those
/// that become registers in the end.
struct SchedulerState {
  llvm::Function &F;
  /// Bytes of a cache line.
  unsigned LineBytes;
  /// Room for this many tasks that run or wait for memory.
  unsigned MaxTasks;
  /// The most iterations that are launched and not retired. More than MaxTasks
  /// where tasks wait for their turn; then a power of two.
  uint64_t MaxLaunched;
  /// i64 number of the next iteration to launch; none from Limit on is launched
  /// in this chunk, and at most Tasks are in flight.
  llvm::AllocaInst *NextIteration, *Limit, *Tasks;
  /// i64 number of launches by which an early request precedes its own.
  llvm::AllocaInst *Ahead;
  /// i1, loops that are not counted: there is a next iteration.
  llvm::AllocaInst *More = nullptr;
  /// The current value of each header phi.
  llvm::DenseMap<llvm::PHINode *, llvm::AllocaInst *> Variable;
  /// For exit phis that need a private value of the last iteration: the value,
  /// and the number of the iteration that computed it.
  struct LastValue {
    llvm::AllocaInst *Value, *Iteration;
  };
  llvm::MapVector<llvm::PHINode *, LastValue> Last;
  /// In loops that may be left early: the i32 number of the early exit that an
  /// iteration has taken, from 1 on, or 0; and the values that the phis behind
  /// the exits get.
  llvm::AllocaInst *Left = nullptr;
  llvm::MapVector<llvm::PHINode *, llvm::AllocaInst *> Leaving;
  /// i1: some task waits for its turn before it reads memory that may not
  /// exist. Until then, none is launched.
  llvm::AllocaInst *Unsure = nullptr;
  /// The part of an array that is known to exist: the i64 address and length of
  /// whole pages.
  struct Extent {
    llvm::AllocaInst *Begin, *Length;
  };
  llvm::MapVector<llvm::Value *, Extent> Extents;
  /// i64 number of the iteration that asks for its turn, where there are
  /// Ordered variables.
  llvm::AllocaInst *Ticket = nullptr;
  /// i64 iterations of inner loops in this chunk, as far as they are counted;
  /// null if none are.
  llvm::AllocaInst *Work = nullptr;
  /// Loops over far memory have a back end, the handle of the loop for it, and
  /// the i64 id of the task that runs; null for all others.
  const FarBackend *Far = nullptr;
  llvm::AllocaInst *Amu = nullptr, *Id = nullptr;
  /// Free slots for task locals: a stack of slot numbers and its height.
  llvm::AllocaInst *FreePlaces = nullptr, *FreeCount = nullptr;
  llvm::SmallVector<llvm::AllocaInst *> Promotable;
  /// What createArray() has created: contexts, and what else each task has.
  llvm::SmallVector<llvm::AllocaInst *> Arrays;
  /// Where the arrays are when the schedules are complete; null if there are
  /// none.
  llvm::Value *ContextMemory = nullptr;

  /// Creates the variables of a loop with room for \p MaxTasks tasks.
  /// \p CountsWork says whether iterations of inner loops are counted.
  SchedulerState(const LoopContext &C, const LoopFacts &Facts,
                 const SuspensionPlan &Plan, unsigned MaxTasks,
                 bool CountsWork);

  /// The extent of the array at \p Array, created if need be.
  const Extent &extentOf(llvm::Value *Array);
  llvm::AllocaInst *createRegister(llvm::Type *Type, const llvm::Twine &Name);
  /// For the back end: the handle of the loop and the id of the running task.
  llvm::Value *farLoop(llvm::IRBuilder<> &B) const;
  FarTask farTask(llvm::IRBuilder<> &B) const;
  /// The array is moved off the stack when the schedules are complete.
  llvm::AllocaInst *createArray(llvm::Type *Type, uint64_t Length,
                                const llvm::Twine &Name);
  /// An address that can always be read: a line of zero bytes on the stack.
  llvm::AllocaInst *harmlessPlace();
  llvm::IntegerType *i64() const;

private:
  /// Null until there is need.
  llvm::AllocaInst *Harmless = nullptr;

  void createVariables(const LoopContext &C, const LoopFacts &Facts);
};

} // namespace heddle

#endif
