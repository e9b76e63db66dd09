//===- VariableClasses.h - Classes of loop-carried variables ----*- C++ -*-===//
//
// CoroAMU III-B classifies the variables of an iteration as private, shared and
// sequential. On SSA form, private variables are not carried by the loop; the
// others are the phis of its header:
//
//  * Induction: recomputed from the iteration number (not part of the context);
//  * Shared: commutative updates, kept in one register for all tasks;
//  * Launch: sequential, but its next value does not wait for the body, so it
//    is updated when a task is launched, which happens in iteration order;
//  * Ordered: sequential, updated at retirement in iteration order.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_ANALYSIS_VARIABLECLASSES_H
#define HEDDLE_PASSES_ASYNC_ANALYSIS_VARIABLECLASSES_H

#include "loop/LoopContext.h"
#include "loop/LoopShape.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/IVDescriptors.h"

namespace llvm {
class PHINode;
class Value;
} // namespace llvm

namespace heddle {

enum class VariableClass { Induction, Shared, Launch, Ordered };

/// The updates of a Shared variable in the body. Each reads the current value
/// and writes the next one in one step.
struct SharedUpdates {
  /// Updates at their original position: `u = op(current, x)`.
  llvm::SmallVector<llvm::Instruction *, 2> Eager;
  /// `select(c, update, current)`: the update happens only under c.
  llvm::SmallVector<llvm::Instruction *, 2> Selects;
  /// Updates that happen on an edge into a phi: the phi's block, the
  /// predecessor, and the updating instruction or the constant assigned.
  struct OnEdge {
    llvm::PHINode *Phi;
    llvm::BasicBlock *From;
    llvm::Value *Next;
  };
  llvm::SmallVector<OnEdge, 2> Edges;
  /// All values of the variable.
  llvm::SmallSetVector<llvm::Instruction *, 8> Chain;
};

struct LoopVariable {
  llvm::PHINode *Phi;
  VariableClass Class;
  /// The value for the next iteration.
  llvm::Value *Next;
  /// Induction: the step, invariant in the loop.
  const llvm::SCEV *Step = nullptr;
  SharedUpdates Updates;
};

struct VariableClasses {
  llvm::SmallVector<LoopVariable, 4> Variables;
  /// The instructions of a launch: they compute the next values of Launch
  /// variables and, where the loop is not counted, the latch's condition; in
  /// executable order.
  llvm::SmallVector<llvm::Instruction *, 8> LaunchSlice;
  /// Phis of the exit block whose value is private to the last iteration.
  llvm::SmallVector<llvm::PHINode *, 2> LastValues;
  /// A floating-point reduction, whose rounding depends on the order.
  const llvm::Instruction *ReorderedFloat = nullptr;

  const LoopVariable *find(const llvm::Value *Phi) const;
};

MaybeRefusal classifyVariables(
    const LoopContext &C, const LoopShape &Shape,
    llvm::function_ref<bool(const llvm::Instruction *)> IsLongLatency,
    VariableClasses &Classes);

/// The commutative operation on \p Current by whose result \p Update replaces
/// it; None if it is none.
llvm::RecurKind commutativeOperation(const llvm::Instruction *Update,
                                     const llvm::Value *Current);

/// True if there is one.
bool isCommutativeUpdate(const llvm::Instruction *Update,
                         const llvm::Value *Current);

} // namespace heddle

#endif
