//===- FilterWriter.h - Which vertices others hear ---------------*- C++
//-*-===//

#ifndef HEDDLE_GRAPHLIB_OOC_EDGES_FILTERWRITER_H
#define HEDDLE_GRAPHLIB_OOC_EDGES_FILTERWRITER_H

#include "ChunkSources.h"

#include <functional>

namespace heddle::graph::ooc {

/// Appends to each partition's file the filters for the messages from there to
/// each of the others (section 4.3) and how many vertices pass each of them,
/// and enters where into the layout. Takes about `memoryBytes` of memory. Calls
/// `progress` now and then with how many pairs of partitions are done.
void appendFilters(GraphLayout &layout, const PartFiles &files,
                   std::uint64_t memoryBytes,
                   const std::function<void(std::uint64_t)> &progress);

} // namespace heddle::graph::ooc

#endif
