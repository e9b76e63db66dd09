//===- EqualMerges.h - Merges of one value ----------------------*- C++ -*-===//
//
// Where a store of an inner loop might change its bound, the compiler reads the
// bound again behind the store; once the store is gone, merges are left:
//
//     end = merge(n, next);  ...  next = c ? n : end
//
// All that comes to such merges is n, which no analysis sees: the inner loop
// would have no number of iterations that is known in front of it.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_REWRITE_EQUALMERGES_H
#define HEDDLE_PASSES_ASYNC_REWRITE_EQUALMERGES_H

#include "loop/LoopContext.h"

namespace heddle {

/// Replaces merges in the loops within \p C 's that have a preheader, if one
/// value comes to them on all ways. True if it has changed anything.
bool foldEqualMerges(const LoopContext &C);

} // namespace heddle

#endif
