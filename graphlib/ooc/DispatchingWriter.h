//===- DispatchingWriter.h - Which batches hear a vertex --------*- C++ -*-===//

#ifndef HEDDLE_GRAPHLIB_OOC_DISPATCHINGWRITER_H
#define HEDDLE_GRAPHLIB_OOC_DISPATCHINGWRITER_H

#include "ChunkSources.h"
#include "heddle/graph/ooc/Prepare.h"

#include <string>

namespace heddle::graph::ooc {

/// Appends to each partition's file, which has the chunks of its batches, the
/// dispatching graphs that lead to these (section 4.2), and enters them into
/// the layout. Takes about `memoryBytes` of memory, or 1 MiB if that is more.
/// What is put aside meanwhile goes to a file in `directory`.
void appendDispatchingGraphs(GraphLayout &layout, const PartFiles &files,
                             const std::string &directory,
                             std::uint64_t memoryBytes,
                             const PrepareOptions &options);

} // namespace heddle::graph::ooc

#endif
