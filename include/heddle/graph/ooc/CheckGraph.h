//===- CheckGraph.h - Checks a prepared graph for damage -------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_OOC_CHECKGRAPH_H
#define HEDDLE_GRAPH_OOC_CHECKGRAPH_H

#include "heddle/graph/ooc/Prepare.h"

#include <string>

namespace heddle::graph::ooc {

/// Reads a prepared graph and compares all blocks with their checksums, as runs
/// do with the blocks that they use, and then what the blocks say about edges
/// with each other. Calls `progress` with the number of bytes
/// that are done. Throws Error, which names the first damaged file.
void checkGraph(const std::string &directory,
                const ProgressFunction &progress = {});

} // namespace heddle::graph::ooc

#endif
