//===- VariableClasses.h - Classes of loop-carried variables ----*- C++ -*-===//
//
// CoroAMU III-B sorts what an iteration reads into private, shared and
// sequential. On SSA form, what is private to an iteration never reaches the
// loop's header; the header's phis are the rest:
//
//  * Induction: recomputed from the iteration number (not part of the context);
//  * Shared: commutative updates, kept in one register for all tasks;
//  * Launch: sequential, and its next value does not wait for anything, so it
//    is advanced when a task is launched (in iteration order by nature);
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

namespace llvm {
class PHINode;
class Value;
} // namespace llvm

namespace heddle {

enum class VariableClass { Induction, Shared, Launch, Ordered };

/// How the updates of a Shared variable appear in the body. Every update reads
/// the current value and writes the next one at one place.
struct SharedUpdates {
  /// Updates that happen where they stand: `u = op(current, x)`.
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
  /// All instructions that merely stand for the current value.
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
  /// What a launch computes: the next values of Launch variables and, where the
  /// loop is not counted, the latch's condition; in executable order.
  llvm::SmallVector<llvm::Instruction *, 8> LaunchSlice;
  /// Phis of the exit block that want a private value of the last iteration.
  llvm::SmallVector<llvm::PHINode *, 2> LastValues;
  /// A floating-point reduction, whose rounding depends on the order.
  const llvm::Instruction *ReorderedFloat = nullptr;

  const LoopVariable *find(const llvm::Value *Phi) const;
};

MaybeRefusal classifyVariables(
    const LoopContext &C, const LoopShape &Shape,
    llvm::function_ref<bool(const llvm::Instruction *)> IsLongLatency,
    VariableClasses &Classes);

/// The instructions in \p L that access the variable at \p Address: those that
/// name it, and calls that may know it.
llvm::SmallVector<llvm::Instruction *> accessesOf(const llvm::Value *Address,
                                                  const llvm::Loop &L,
                                                  llvm::AAResults &AA);

/// True if \p Update replaces \p Current by a commutative operation on it.
bool isCommutativeUpdate(const llvm::Instruction *Update,
                         const llvm::Value *Current);

/// "the variable 'x'", or "a variable" where the name is not known; \p Kind in
/// place of "variable".
std::string describeVariable(const llvm::Value *V,
                             llvm::StringRef Kind = "variable");

} // namespace heddle

#endif
