//===- RepeatedRegions.h - Regions that begin again -------------*- C++ -*-===//
//
// An inner loop may execute the first access of a region again, for another
// place, before it gets to the last one: it takes several locks, or fills a
// buffer. Then the region does not begin anew there.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_REGIONS_REPEATEDREGIONS_H
#define HEDDLE_PASSES_ASYNC_REGIONS_REPEATEDREGIONS_H

#include "async/regions/UninterruptedRegions.h"

namespace heddle {

/// True if an inner loop of \p C 's loop may begin \p R for several places
/// before it ends.
bool isRepeatedInside(const UninterruptedRegion &R, const LoopContext &C);

} // namespace heddle

#endif
