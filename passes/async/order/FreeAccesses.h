//===- FreeAccesses.h - Accesses to variables of any order ------*- C++ -*-===//
//
// A variable that freeOrder() has put into memory is updated as a whole, from
// its read to the next write. The output that it chooses places of needs no
// other protection.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_ORDER_FREEACCESSES_H
#define HEDDLE_PASSES_ASYNC_ORDER_FREEACCESSES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class Instruction;
class Loop;
class Value;
} // namespace llvm

namespace heddle {

class FreeAccesses {
public:
  explicit FreeAccesses(const llvm::Loop &L);

  /// Calls \p Add with each read and each write that may be the next one: all
  /// variables together are as one object. A write that is a step of an update
  /// is added with the next read, and a read of where a table begins with the
  /// accesses to its elements.
  void findUpdates(
      llvm::function_ref<void(llvm::Instruction *, llvm::Instruction *)> Add)
      const;
  /// True if both access the variables, or places that these choose: the
  /// updates keep other iterations away.
  bool areKeptApart(const llvm::Instruction &First,
                    const llvm::Instruction &Last) const;

private:
  const llvm::Loop &L;
  llvm::SmallVector<llvm::Instruction *, 4> Reads, Writes;
  /// The reads of where tables begin.
  llvm::SmallPtrSet<llvm::Instruction *, 2> Tables;

  /// What the variables choose places of, to write to.
  llvm::SmallPtrSet<const llvm::Value *, 2> Objects;

  bool isChosen(const llvm::Value &Address) const;
  bool isPlaced(const llvm::Instruction &I) const;
  bool isOfTable(const llvm::Instruction &I) const;
};

} // namespace heddle

#endif
