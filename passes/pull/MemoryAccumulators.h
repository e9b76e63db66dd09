//===- MemoryAccumulators.h - Rows combined in memory -----------*- C++ -*-===//
//
// `sum[v] += contribution[u]` stores with every edge, because the compiler has
// to assume that `contribution` may be part of `sum`. The directive says that
// iterations of the outer loop are independent, so that no other row reads the
// sum of a row: it is kept in a register while the inner loop runs.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_PULL_MEMORYACCUMULATORS_H
#define HEDDLE_PASSES_PULL_MEMORYACCUMULATORS_H

#include "loop/LoopContext.h"

namespace heddle {

/// Keeps the memory that \p C 's loop stores to in registers, if each row has
/// one address that is the same in every iteration. \returns whether anything
/// changed.
bool promoteRowMemory(const LoopContext &C);

} // namespace heddle

#endif
