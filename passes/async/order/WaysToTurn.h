//===- WaysToTurn.h - One way to what happens in order ----------*- C++ -*-===//
//
// Tasks wait for their turn at one point, which each iteration passes once and
// in front of all uses of Ordered variables. In
//
//   while (p && p->key != key) p = p->next;
//   if (p) out[count++] = i;
//
// the iterations without a match leave the walk by another way, so that such a
// point is only found in front of the walk. Here all ways to the uses, and past
// them, are led over one block, and part again behind it.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_ORDER_WAYSTOTURN_H
#define HEDDLE_PASSES_ASYNC_ORDER_WAYSTOTURN_H

#include "async/analysis/LoopFacts.h"

namespace heddle {

/// Joins the ways to the first uses of what must happen in iteration order in
/// \p C 's loop, if more accesses can be waited for then. True if the loop was
/// changed: its shape and its variables are to be analysed anew.
bool joinWaysToTurn(const LoopContext &C, const LoopFacts &Facts);

} // namespace heddle

#endif
