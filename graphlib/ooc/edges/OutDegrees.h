//===- OutDegrees.h - Counting edges of chunks -----------------*- C++ -*-===//

#ifndef HEDDLE_GRAPHLIB_OOC_EDGES_OUTDEGREES_H
#define HEDDLE_GRAPHLIB_OOC_EDGES_OUTDEGREES_H

#include "ChunkSources.h"

#include <functional>

namespace heddle::graph::ooc {

/// Appends the out-degrees of a partition's vertices to its file, which has its
/// chunks already, and enters their offset into the layout. Throws Error if a
/// vertex has 2^32 edges or more. Takes about `memoryBytes` of memory. Calls
/// `progress` repeatedly with the number of vertices that are done.
void appendOutDegrees(GraphLayout &layout, const PartFiles &files,
                      std::uint64_t memoryBytes,
                      const std::function<void(std::uint64_t)> &progress);

} // namespace heddle::graph::ooc

#endif
