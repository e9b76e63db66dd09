//===- IndexValues.h - How many values an index has -------------*- C++ -*-===//
//
// An index such as `x & 3`, `x % 3`, `isFirst ? 0 : 2` or the number of a turn
// of a short inner loop has few values, so that the iterations of a loop access
// few elements by it.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_PLACES_INDEXVALUES_H
#define HEDDLE_PASSES_ASYNC_PLACES_INDEXVALUES_H

#include "llvm/ADT/SmallPtrSet.h"
#include <cstdint>
#include <optional>

namespace llvm {
class Instruction;
class Loop;
class PHINode;
class ScalarEvolution;
class Value;
} // namespace llvm

namespace heddle {

class IndexValues {
  const llvm::Loop *L;
  llvm::ScalarEvolution *SE;

public:
  static constexpr uint64_t WordBytes = 8;

  /// The values are those in \p L , or in calls of a function where that is
  /// null. \p SE may be null, too.
  IndexValues(const llvm::Loop *L, llvm::ScalarEvolution *SE) : L(L), SE(SE) {}

  /// The most values that \p Index may have; more than ChosenPlaces, and than
  /// WordBytes, if that is not known. A number that counts iterations has many.
  uint64_t count(const llvm::Value &Index) const;

  /// A value that advances regularly in an inner loop.
  struct Walk {
    /// What it begins with.
    const llvm::Value *Entry;
    uint64_t Turns;
  };
  /// The walk of \p Phi , if it has no more turns than ChosenPlaces.
  std::optional<Walk> walkWith(const llvm::PHINode &Phi) const;

private:
  using Cycle = llvm::SmallPtrSetImpl<const llvm::Instruction *>;
  uint64_t count(const llvm::Value &Index, unsigned Depth, Cycle &Merged) const;
  uint64_t countOfMerge(const llvm::Instruction &Merge, uint64_t Most,
                        unsigned Depth, Cycle &Merged) const;
  uint64_t countOfOperation(const llvm::Instruction &I, unsigned Depth) const;
  uint64_t ofBits(const llvm::Value &Index) const;
  bool isInside(const llvm::Instruction &I) const;
  bool isSame(const llvm::Value &V) const;
  bool countsIterations(const llvm::Value &V) const;
};

} // namespace heddle

#endif
