//===- FilterWriter.h - Writes the filters of a graph ----------*- C++ -*-===//

#ifndef HEDDLE_GRAPHLIB_OOC_EDGES_FILTERWRITER_H
#define HEDDLE_GRAPHLIB_OOC_EDGES_FILTERWRITER_H

#include "ChunkSources.h"

#include <functional>

namespace heddle::graph::ooc {

/// Appends the filters (section 4.3) of a partition for each other partition to
/// its file, with the number of vertices that pass each filter, and enters
/// their offsets into the layout. Takes about `memoryBytes` of memory. Calls
/// `progress` repeatedly with the number of pairs of partitions that are done.
void appendFilters(GraphLayout &layout, const PartFiles &files,
                   std::uint64_t memoryBytes,
                   const std::function<void(std::uint64_t)> &progress);

} // namespace heddle::graph::ooc

#endif
