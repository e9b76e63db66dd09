//===- Islands.h - Memory of an iteration that is linked --------*- C++ -*-===//
//
// A map or a list in the loop's body is a variable of the iteration and nodes
// that the iteration allocates, which are linked to each other. As long as no
// pointer to them gets elsewhere, they are an island: a pointer that is loaded
// from one of them leads to one of them, unless the program has stored another
// one there, and no other iteration gets to them.
//
// This analysis follows the pointers of an iteration, through memory and
// through the functions that it hands them to, without regard to order. What it
// does not know is taken to be outside.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_IR_ISLANDS_H
#define HEDDLE_PASSES_IR_ISLANDS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/ValueHandle.h"
#include <memory>
#include <optional>

namespace llvm {
class AllocaInst;
class CallBase;
class Loop;
class Value;
} // namespace llvm

namespace heddle {

class Islands {
public:
  /// \p Variables are those of which each iteration of \p L has its own.
  Islands(const llvm::Loop &L,
          llvm::ArrayRef<const llvm::AllocaInst *> Variables);

  /// True if \p Pointer , a value of the loop, leads to memory of its iteration
  /// wherever it leads.
  bool isOwn(const llvm::Value *Pointer) const { return isIn(Own, Pointer); }
  /// The same for what is reached from \p Root through the pointers at the
  /// offsets \p Pointers , of which nullopt may be any.
  bool isOwnBehind(const llvm::Value *Root,
                   llvm::ArrayRef<std::optional<int64_t>> Pointers) const;
  /// True if pointers that are not computed from its address alone may lead to
  /// \p Variable .
  bool isLinked(const llvm::AllocaInst *Variable) const {
    return Linked.contains(Variable);
  }
  /// True if what \p Call calls accesses memory of the iteration only, and the
  /// allocator.
  bool isOwnCall(const llvm::CallBase &Call) const {
    return isIn(OwnCalls, &Call);
  }

private:
  /// Values of the loop, as long as they have not been replaced.
  using Values = llvm::DenseMap<const llvm::Value *, llvm::WeakVH>;
  Values All, Own, OwnCalls;
  llvm::DenseSet<const llvm::AllocaInst *> Linked;
  /// What was found; null if there are no islands.
  std::shared_ptr<const class IslandFinder> Finder;

  static bool isIn(const Values &Some, const llvm::Value *V) {
    auto Found = Some.find(V);
    return Found != Some.end() && Found->second;
  }
};

} // namespace heddle

#endif
