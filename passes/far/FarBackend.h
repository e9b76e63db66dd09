//===- FarBackend.h - How tasks wait for far memory -------------*- C++ -*-===//
//
// The operations that a loop over far memory needs from the machine: CoroAMU's
// asynchronous memory unit, sections III-A, III-C and III-E. The schedules and
// the rewrite emit code through this interface only, so a back end decides
// alone whether a request is a call of the library or an instruction.
//
// The order at run time: begin; for each task its requests, then await, and if
// that says so, suspension until next returns the task's id; end.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_FAR_FARBACKEND_H
#define HEDDLE_PASSES_FAR_FARBACKEND_H

#include "llvm/IR/IRBuilder.h"

namespace heddle {

/// The task that runs: the handle of its loop, as begin has returned it, and
/// its i64 id, which is its slot in the FIFO.
struct FarTask {
  llvm::Value *Loop, *Id;
};

/// The memory that a task is going to access.
struct FarRequest {
  llvm::Value *Address;
  uint64_t Bytes;
  bool ForStore;
};

/// Emits code at the builder's insertion point. Back ends have no state.
class FarBackend {
public:
  virtual ~FarBackend() = default;

  /// Begins a loop with i64 \p MostTasks ids. \p KeptTasks points to the u32
  /// number of tasks that was right when the loop ran before, or to 0 where the
  /// number is fixed. Returns the loop's handle, a pointer.
  virtual llvm::Value *begin(llvm::IRBuilder<> &B, llvm::Value *KeptTasks,
                             llvm::Value *MostTasks) const = 0;

  /// Ends a loop in which no task is suspended.
  virtual void end(llvm::IRBuilder<> &B, llvm::Value *Loop) const = 0;

  /// Requests memory. The access need not follow.
  virtual void request(llvm::IRBuilder<> &B, FarTask Task,
                       const FarRequest &Request) const = 0;

  /// Requests ownership of the line at \p Address, which the task will modify.
  /// No other task of the loop owns the line until it is released.
  virtual void acquire(llvm::IRBuilder<> &B, FarTask Task,
                       llvm::Value *Address) const = 0;

  /// Releases the line that the task owns, if any.
  virtual void release(llvm::IRBuilder<> &B, FarTask Task) const = 0;

  /// i1: the task has to be suspended until all it has requested is there.
  virtual llvm::Value *await(llvm::IRBuilder<> &B, FarTask Task) const = 0;

  /// i64: the best number of tasks.
  virtual llvm::Value *tasks(llvm::IRBuilder<> &B, llvm::Value *Loop) const = 0;

  /// Returns the i64 id of a suspended task that can be resumed. Waits until
  /// there is one.
  virtual llvm::Value *next(llvm::IRBuilder<> &B, llvm::Value *Loop) const = 0;
};

/// The back end for loops in \p M.
const FarBackend &farBackendFor(const llvm::Module &M);

} // namespace heddle

#endif
