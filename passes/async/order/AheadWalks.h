//===- AheadWalks.h - Walks that run ahead of their output ------*- C++ -*-===//
//
// In
//
//   for (p = bucket[h]; p; p = p->next)
//     if (p->key == key) out[count++] = p->value;
//
// an iteration may use an Ordered variable in each turn of the walk, so that it
// waits for its turn in front of the walk. Here the walk is made twice:
//
//   for (p = bucket[h]; p; p = p->next)
//     if (p->key == key && !found) found = true, first = p;
//   if (found)
//     for (p = first; p; p = p->next)
//       if (p->key == key) out[count++] = p->value;
//
// The first only reads, and waits for memory. It goes on behind the first use
// as far as what happens there does not bear upon it (WaysBehind.h).
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_ORDER_AHEADWALKS_H
#define HEDDLE_PASSES_ASYNC_ORDER_AHEADWALKS_H

#include "async/analysis/LoopFacts.h"

namespace heddle {

/// Lets inner loops of \p C 's loop run ahead of what they do in iteration
/// order, if an access that waits for memory can be waited for then. True if
/// the loop was changed: its shape and its variables are to be analysed anew.
bool runWalksAhead(const LoopContext &C, const LoopFacts &Facts);

} // namespace heddle

#endif
