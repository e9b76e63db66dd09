//===- Links.h - Lists that iterations append to ----------------*- C++ -*-===//
//
// The compiler keeps the order of a variable that points to the end of a list:
//
//   node->next = head;        tail->next = node;
//   head = node;              tail = node;
//
// Yet each iteration links its node to that of the one before, and nothing else
// in the loop tells whether that is meant. Such a variable is reported unless a
// clause names it.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_CHECK_LINKS_H
#define HEDDLE_PASSES_CHECK_LINKS_H

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class Instruction;
class Loop;
class PHINode;
class StoreInst;
} // namespace llvm

namespace heddle {

/// The accesses of \p L to such variables in memory.
llvm::DenseSet<llvm::Instruction *> findLinkedPlaces(const llvm::Loop &L);

/// Such a variable in a register.
struct LinkedVariable {
  llvm::PHINode *Phi;
  /// The store that links the nodes.
  llvm::StoreInst *Link;
};
llvm::SmallVector<LinkedVariable, 1> findLinkedVariables(const llvm::Loop &L);

} // namespace heddle

#endif
