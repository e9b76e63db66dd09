//===- FarTasks.h - Tasks that wait for far memory --------------*- C++ -*-===//
//
// The calls of heddle/amu.h: CoroAMU's dynamic scheduler, sections III-A and
// III-C. A task's id is its slot in the FIFO.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_REWRITE_FARTASKS_H
#define HEDDLE_PASSES_ASYNC_REWRITE_FARTASKS_H

#include "async/rewrite/SchedulerState.h"
#include "llvm/IR/IRBuilder.h"

namespace heddle {

/// Before the first task of a chunk, and behind the last. At \p KeptTasks it is
/// kept how many tasks were right, at most State.Tasks.
void emitFarBegin(llvm::IRBuilder<> &B, const SchedulerState &State,
                  llvm::Value *KeptTasks);
void emitFarEnd(llvm::IRBuilder<> &B, const SchedulerState &State);

/// Requests what the running task is going to access, or to store to.
void emitFarRequest(llvm::IRBuilder<> &B, const SchedulerState &State,
                    llvm::Value *Address, uint64_t Bytes, bool ForStore);

/// Requests what the running task is going to modify for itself, and gives it
/// up.
void emitFarAcquire(llvm::IRBuilder<> &B, const SchedulerState &State,
                    llvm::Value *Address);
void emitFarRelease(llvm::IRBuilder<> &B, const SchedulerState &State);

/// i1: the running task has to wait for what it has requested.
llvm::Value *emitFarAwait(llvm::IRBuilder<> &B, const SchedulerState &State);

/// i64: how many tasks there should be.
llvm::Value *emitFarTasks(llvm::IRBuilder<> &B, const SchedulerState &State);

/// The i64 id of a task that has what it has requested.
llvm::Value *emitFarFinished(llvm::IRBuilder<> &B, const SchedulerState &State);

} // namespace heddle

#endif
