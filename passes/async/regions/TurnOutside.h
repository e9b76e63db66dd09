//===- TurnOutside.h - A turn in front of an update -------------*- C++ -*-===//
//
// The first use of what tasks must do one after the other may be inside an
// update that is not interrupted, as where an element is claimed and then
// appended to a thread's own array. Where OpenMP shares out the iterations, and
// their order is free, tasks wait for their turn in front of the update then.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_REGIONS_TURNOUTSIDE_H
#define HEDDLE_PASSES_ASYNC_REGIONS_TURNOUTSIDE_H

#include "async/regions/UninterruptedRegions.h"
#include "loop/LoopShape.h"

namespace heddle {

/// \p FirstUse , or the last point found that each iteration passes once, in
/// front of
/// \p FirstUse, and that \p Regions do not contain; null if there is none.
llvm::Instruction *turnOutside(llvm::Instruction &FirstUse,
                               const LoopContext &C, const LoopShape &Shape,
                               const UninterruptedRegions &Regions);

} // namespace heddle

#endif
