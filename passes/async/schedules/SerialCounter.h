//===- SerialCounter.h - How far the serial version has come ----*- C++ -*-===//
//
// The serial version runs the original loop for a chunk of its iterations. So
// that it is as fast as without the directive, it gets no counter of its own
// where the loop has a variable that tells how many iterations have run: one
// that counts from 0, or one that the loop's condition compares with a limit.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_SCHEDULES_SERIALCOUNTER_H
#define HEDDLE_PASSES_ASYNC_SCHEDULES_SERIALCOUNTER_H

#include "async/analysis/VariableClasses.h"
#include "llvm/IR/IRBuilder.h"

namespace llvm {
class ScalarEvolution;
} // namespace llvm

namespace heddle {

class SerialCounter {
  const LoopShape &Shape;
  llvm::IntegerType *I64;
  /// The variable of the loop that counts, and its constant step; null if it
  /// has none.
  const LoopVariable *Own = nullptr;
  const llvm::APInt *Step = nullptr;
  /// What counts, and its value behind the chunk.
  llvm::PHINode *Phi = nullptr;
  llvm::Value *Next = nullptr, *Last = nullptr;
  /// The number of the chunk's first iteration, the variable in it, and the
  /// number of the first one behind the chunk.
  llvm::Value *First = nullptr, *AtFirst = nullptr, *End = nullptr;

public:
  /// Chooses the variable, before the loop is changed.
  SerialCounter(const LoopShape &Shape, const VariableClasses &Classes,
                llvm::ScalarEvolution &SE);

  /// Lets the chunk begin at iteration \p From, in block \p Enter, from which
  /// the phis of the header have their values already, and end in front of
  /// iteration \p To. \p AtStart is the value of a variable in front of
  /// iteration 0.
  void limit(llvm::BasicBlock *Enter, llvm::Value *From, llvm::Value *To,
             llvm::function_ref<llvm::Value *(const llvm::PHINode *)> AtStart);

  /// i1, in the latch: another iteration of the chunk follows.
  llvm::Value *goesOn(llvm::IRBuilder<> &B) const;

  /// i64, where an iteration leaves the loop: its number.
  llvm::Value *number(llvm::IRBuilder<> &B) const;

  /// i64, behind the latch: the numbers of the iteration that has run and of
  /// the one that follows.
  llvm::Value *lastNumber(llvm::IRBuilder<> &B) const;
  llvm::Value *nextNumber() const { return Step ? End : Next; }
};

} // namespace heddle

#endif
