//===- VariablePhis.h - The phis that hold a variable of a loop -*- C++ -*-===//
//
// A variable in a register is one phi at the loop's header, and others where
// ways meet that have assigned it or not. Each assignment is on an edge into
// one of them.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_ORDER_VARIABLEPHIS_H
#define HEDDLE_PASSES_ASYNC_ORDER_VARIABLEPHIS_H

#include "loop/LoopContext.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class BasicBlock;
class PHINode;
class Value;
} // namespace llvm

namespace heddle {

class VariablePhis {
protected:
  /// Assignments, each on the edge from a block into a phi.
  struct Assignment {
    llvm::PHINode *Into;
    llvm::BasicBlock *From;
    llvm::Value *New;
  };

  const LoopContext &C;
  llvm::Loop &L;
  llvm::PHINode &Head;
  llvm::SmallSetVector<llvm::PHINode *, 8> Phis;
  llvm::SmallVector<Assignment> Assignments;
  /// The phi whose value the variable has in a block.
  llvm::DenseMap<const llvm::BasicBlock *, llvm::PHINode *> Current;

  VariablePhis(const LoopContext &C, llvm::PHINode &Head)
      : C(C), L(C.L), Head(Head) {}

  /// Finds the phis and the assignments; false if the variable cannot be in
  /// memory.
  bool collect();
  /// Finds the current value in each block; false if some phi takes over
  /// another value than that.
  bool findCurrent();

  bool isPhi(const llvm::Value *V) const;
  /// True if one of the phis is in \p Block.
  bool holds(const llvm::BasicBlock &Block) const;
  /// The phi of the loop that \p New is a step from, or null.
  llvm::PHINode *formerOf(const llvm::Value *New) const;
  /// True if \p New is the variable after a step forward.
  bool advances(const llvm::Value *New) const;
  /// True if \p New is the variable after a step that may lead back.
  bool goesBack(const llvm::Value *New) const;

private:
  /// True if \p Phi may have the value that the variable begins the iteration
  /// with, or one that is some steps further.
  bool comesFromHead(const llvm::PHINode &Phi) const;
};

} // namespace heddle

#endif
