//===- Independence.h - Loops whose iterations may interleave ---*- C++ -*-===//
//
// A directive is a promise that iterations are independent. Without one, this
// analysis has to prove it. Values that are carried from one iteration to the
// next are left to AsyncSplit, except sums of floating point numbers, which it
// may round differently; this analysis is about memory.
//
//  * A parallel loop's iterations are independent by definition.
//  * Iterations of a worksharing loop are independent as far as threads would
//    race otherwise: if two of them accessed one address that depends on
//    nothing but the iteration, and the run time chooses the number of threads.
//    Memory that depends on the thread, such as its own buffer, is treated as
//    in a sequential loop.
//  * Iterations of a sequential loop are independent if each writes only its
//    own elements, and reads none that another may write.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_MLIR_TRANSFORMS_INDEPENDENCE_H
#define HEDDLE_PASSES_MLIR_TRANSFORMS_INDEPENDENCE_H

#include "loop/Refusal.h"
#include "mlir/Analysis/AliasAnalysis.h"

namespace heddle {

/// Returns the reason why the iterations of \p Loop may not interleave, or none
/// if they certainly may.
MaybeRefusal whyInOrder(mlir::Operation *Loop, mlir::AliasAnalysis &AA);

} // namespace heddle

#endif
