//===- DebugValues.h - A task's variables in debuggers ----------*- C++ -*-===//
//
// Debug records say which value a source variable has from some instruction on.
// In a task that has been suspended, that value is in the context, or
// recomputed, or lost. Without these records a debugger would show another
// task's value, or none, not even the loop's `i`.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_REWRITE_DEBUGVALUES_H
#define HEDDLE_PASSES_ASYNC_REWRITE_DEBUGVALUES_H

#include "async/analysis/TaskLocals.h"
#include "async/rewrite/TaskBody.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/DebugInfoMetadata.h"

namespace llvm {
class AllocaInst;
class DbgVariableRecord;
class DebugLoc;
class PHINode;
class Value;
} // namespace llvm

namespace heddle {

class DebugValues {
public:
  /// The record that holds for a variable; null where it depends on the way.
  using Records =
      llvm::MapVector<llvm::DebugVariable, llvm::DbgVariableRecord *>;

private:
  llvm::DenseMap<llvm::BasicBlock *, Records> AtStart, AtEnd;

  void propagate(const TaskBody &Body, const Records &AtEntry);

public:
  /// Finds the debug records that hold at the start of each block of \p Body, a
  /// task of the loop whose preheader is \p Before.
  DebugValues(const TaskBody &Body, const llvm::BasicBlock *Before);

  /// Returns the value, at the position in question, of a value in the task's
  /// body; null if it is not known there.
  using ValueOf = llvm::function_ref<llvm::Value *(llvm::Instruction *InBody)>;

  /// Inserts in front of \p At the debug records that hold at \p Start, the
  /// start of the task or where it resumes.
  void restore(llvm::BasicBlock *Start, llvm::Instruction *At,
               ValueOf ValueOf) const;
};

/// Makes \p Register show the source variables, declared around the loop at
/// \p Loop, whose value \p Phi or \p Next has in the loop.
void showInRegister(const llvm::DebugLoc &Loop, llvm::PHINode &Phi,
                    llvm::Value *Next, llvm::AllocaInst &Register);

/// Makes records in \p F tell the place of what was loaded from \p Memory, the
/// contexts of tasks: it stays there after its register has got another value.
void showInMemory(llvm::Function &F, const llvm::Value *Memory);

/// Removes the records of variables that \p Register shows from \p Blocks.
void removeShown(const llvm::AllocaInst &Register,
                 llvm::ArrayRef<llvm::BasicBlock *> Blocks);

/// Removes the records of variables that \p Register shows from where \p V is
/// their value.
void removeShown(const llvm::AllocaInst &Register, llvm::Value &V);

/// Makes the records of variables in \p Locals tell where the variable is from
/// here on rather than everywhere: each task has its own.
void localizeDebugRecords(const TaskLocals &Locals);

} // namespace heddle

#endif
