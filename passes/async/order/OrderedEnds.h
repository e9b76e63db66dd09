//===- OrderedEnds.h - Ends of the program that come in order ---*- C++ -*-===//
//
// An iteration may end the program, and tell before how far it has come:
//
//   if (bad) { printf("%ld\n", count); exit(1); }
//   out[count++] = x;
//
// What is read on the way to the end is as in the serial loop only if it is
// the iteration's turn and later iterations have not written it yet.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_ORDER_ORDEREDENDS_H
#define HEDDLE_PASSES_ASYNC_ORDER_ORDEREDENDS_H

#include "async/order/TurnPoint.h"

namespace heddle {

/// Adds to \p Uses the accesses in iterations to what is read on a way to the
/// end of the program, and then the ways on which something may be read that
/// \p Uses write.
void addOrderedEnds(const LoopContext &C, const LoopFacts &Facts,
                    llvm::SmallVectorImpl<OrderedUse> &Uses);

} // namespace heddle

#endif
