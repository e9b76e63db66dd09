//===- CheckContents.h - Whether the parts of a graph agree ----*- C++ -*-===//

#ifndef HEDDLE_GRAPHLIB_OOC_EDGES_CHECKCONTENTS_H
#define HEDDLE_GRAPHLIB_OOC_EDGES_CHECKCONTENTS_H

#include "heddle/graph/ooc/Layout.h"

#include <cstdint>
#include <functional>
#include <string>

namespace heddle::graph::ooc {

/// Reads the files of a prepared graph, and compares what they say about edges:
/// sources and targets are vertices in ascending order, indices lead to them,
/// out-degrees, filters and dispatching graphs have the same edges, and those
/// of an undirected graph are there in both directions. Calls `progress` with
/// the numbers of bytes that are done. Throws Error.
void checkContents(const std::string &directory, const GraphLayout &layout,
                   const std::function<void(std::uint64_t)> &progress);

} // namespace heddle::graph::ooc

#endif
