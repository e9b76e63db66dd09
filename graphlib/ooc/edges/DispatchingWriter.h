//===- DispatchingWriter.h - Which batches hear a vertex --------*- C++ -*-===//

#ifndef HEDDLE_GRAPHLIB_OOC_EDGES_DISPATCHINGWRITER_H
#define HEDDLE_GRAPHLIB_OOC_EDGES_DISPATCHINGWRITER_H

#include "ChunkSources.h"
#include "heddle/graph/ooc/Prepare.h"

#include <string>

namespace heddle::graph::ooc {

/// Chooses the largest groups of batches whose dispatching graphs have fewer
/// than 2^32 edges. The layout must have the chunks already.
void cutGroups(GraphLayout &layout);

/// Appends the dispatching graphs (section 4.2) that lead to a partition's
/// batches to its file, which has its chunks already, and enters them into the
/// layout, whose groups are chosen. Takes about `memoryBytes` of memory, but at
/// least 1 MiB. Temporary files go to `directory`.
void appendDispatchingGraphs(GraphLayout &layout, const PartFiles &files,
                             const std::string &directory,
                             std::uint64_t memoryBytes,
                             const PrepareOptions &options);

} // namespace heddle::graph::ooc

#endif
