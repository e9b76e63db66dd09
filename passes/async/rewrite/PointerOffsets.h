//===- PointerOffsets.h - Pointers that iterations advance ------*- C++ -*-===//
//
// `*end++ = x` appends as `out[count++] = x` does. But of a pointer that each
// iteration hands on to the next, analyses do not see into which object it
// points. So it becomes an offset from where it points in front of the loop.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_REWRITE_POINTEROFFSETS_H
#define HEDDLE_PASSES_ASYNC_REWRITE_POINTEROFFSETS_H

#include "async/analysis/VariableClasses.h"

namespace heddle {

/// Makes offsets of the Ordered variables of \p C 's loop that are pointers and
/// that iterations only advance. True if there were any: \p Classes are to be
/// found anew.
bool makePointersOffsets(const LoopContext &C, const LoopShape &Shape,
                         const VariableClasses &Classes);

} // namespace heddle

#endif
