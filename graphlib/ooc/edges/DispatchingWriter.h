//===- DispatchingWriter.h - Which batches hear a vertex --------*- C++ -*-===//

#ifndef HEDDLE_GRAPHLIB_OOC_EDGES_DISPATCHINGWRITER_H
#define HEDDLE_GRAPHLIB_OOC_EDGES_DISPATCHINGWRITER_H

#include "ChunkSources.h"
#include "heddle/graph/ooc/Prepare.h"

#include <string>

namespace heddle::graph::ooc {

/// Puts as many batches in a group as will do, with fewer than 2^32 edges in
/// each dispatching graph. Expects that the chunks are there.
void cutGroups(GraphLayout &layout);

/// Appends to each partition's file, which has the chunks of its batches, the
/// dispatching graphs that lead to these (section 4.2), and enters them into
/// the layout, whose groups have been cut. Takes about `memoryBytes` of memory,
/// or 1 MiB if that is more. What is put aside meanwhile goes to a file in
/// `directory`.
void appendDispatchingGraphs(GraphLayout &layout, const PartFiles &files,
                             const std::string &directory,
                             std::uint64_t memoryBytes,
                             const PrepareOptions &options);

} // namespace heddle::graph::ooc

#endif
