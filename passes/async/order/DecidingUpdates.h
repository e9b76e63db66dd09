//===- DecidingUpdates.h - Who comes first to an element --------*- C++ -*-===//
//
// Whether an iteration is the first one to come to an element may decide on
// what it does in order, as in `if (!taken[k]++) out[count++] = i`. Then the
// update of the element, from its first read on, is in order as well.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_ORDER_DECIDINGUPDATES_H
#define HEDDLE_PASSES_ASYNC_ORDER_DECIDINGUPDATES_H

#include "async/order/TurnPoint.h"

namespace heddle {

/// Adds to \p Uses the reads of elements that the iteration updates, where the
/// ordered variables or other \p Uses depend on them.
void addDecidingUpdates(const LoopContext &C, const LoopFacts &Facts,
                        llvm::SmallVectorImpl<OrderedUse> &Uses);

} // namespace heddle

#endif
