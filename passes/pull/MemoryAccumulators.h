//===- MemoryAccumulators.h - Rows combined in memory -----------*- C++ -*-===//
//
// `sum[v] += contribution[u]` stores with every edge, because for all that the
// compiler knows `contribution` may be part of `sum`. The directive says that
// iterations of the outer loop are independent, so that no other row reads what
// a row combines: it is kept in a register while the inner loop runs.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_PULL_MEMORYACCUMULATORS_H
#define HEDDLE_PASSES_PULL_MEMORYACCUMULATORS_H

#include "loop/LoopContext.h"

namespace heddle {

/// Keeps the memory that \p C 's loop stores to in registers, if that is the
/// same place in every iteration, and another for another row. \returns whether
/// anything changed.
bool promoteRowMemory(const LoopContext &C);

} // namespace heddle

#endif
