//===- Independence.h - Loops whose iterations may interleave ---*- C++ -*-===//
//
// A directive is a promise that iterations are independent. Without one, this
// analysis has to prove it. Values that are carried from one iteration to the
// next are AsyncSplit's business, but for sums of floating point numbers, which
// it may round differently; this is about memory.
//
//  * A parallel loop's iterations are independent by definition.
//  * So are those of a worksharing loop in as far as threads would race
//    otherwise: where two of its iterations meet in memory that depends on
//    nothing but the iteration, and the number of threads is the run time's
//    choice. Memory that depends on the thread, such as its own buffer, is
//    treated as in a sequential loop.
//  * Those of a sequential loop are if each writes elements of its own only,
//    and reads nothing that another may write.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_MLIR_TRANSFORMS_INDEPENDENCE_H
#define HEDDLE_PASSES_MLIR_TRANSFORMS_INDEPENDENCE_H

#include "loop/Refusal.h"
#include "mlir/Analysis/AliasAnalysis.h"

namespace heddle {

/// Why the iterations of \p Loop may not interleave. None if it is certain that
/// they may.
MaybeRefusal whyInOrder(mlir::Operation *Loop, mlir::AliasAnalysis &AA);

} // namespace heddle

#endif
