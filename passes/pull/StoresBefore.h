//===- StoresBefore.h - Stores of a row before its edges --------*- C++ -*-===//
//
// Threads that run parts of the same row all run the code before its edges; so
// does the one that ends the row. Only the first part's stores there count.
// That is the same as if the row had run once, provided that no run depends on
// whether another one has stored already.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_PULL_STORESBEFORE_H
#define HEDDLE_PASSES_PULL_STORESBEFORE_H

#include "loop/LoopContext.h"
#include "loop/Refusal.h"

namespace llvm {
class AAResults;
class ScalarEvolution;
} // namespace llvm

namespace heddle {

struct PullNest;

/// Says why the stores before the edges of \p Nest cannot be left to a row's
/// first part.
MaybeRefusal checkStoresBefore(const PullNest &Nest, const LoopContext &C);

} // namespace heddle

#endif
