//===- PlaceTerms.h - The terms of an address or index ----------*- C++ -*-===//
//
// Splits an address or an index into a sum of values, each times a constant.
// In `a[i + offset[j]]`, the number of the iteration and what is added to it
// count the same elements, so that iterations may have one place. In
// `a[i * 8 + j]` each of them has a row of its own.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_ANALYSIS_PLACETERMS_H
#define HEDDLE_PASSES_ASYNC_ANALYSIS_PLACETERMS_H

#include "llvm/ADT/MapVector.h"
#include <cstdint>

namespace llvm {
class Loop;
class Value;
} // namespace llvm

namespace heddle {

class PlaceTerms {
public:
  /// Of an address or an index in \p L, or in a function if \p L is null.
  PlaceTerms(const llvm::Value *Place, const llvm::Loop *L);

  /// In a function: true if two values count the same elements.
  bool haveSameScale() const;
  /// In a loop: true if the number of the iteration and a value that varies
  /// within iterations count the same elements, or elements nearby.
  bool areShifted() const;

private:
  const llvm::Loop *L;
  /// The other values, by what they are multiplied with. That of a value that
  /// is multiplied with another one is left out.
  llvm::SmallMapVector<const llvm::Value *, int64_t, 4> Terms;
  /// By how much the place moves from one iteration to the next; 0 if that is
  /// not constant.
  int64_t Step = 0;

  void add(const llvm::Value *V, int64_t Scale, unsigned Depth);
  /// True if \p V is the number of the iteration; adds to Step.
  bool addCounted(const llvm::Value *V, int64_t Scale);
};

} // namespace heddle

#endif
