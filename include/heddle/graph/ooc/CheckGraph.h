//===- CheckGraph.h - Is a prepared graph whole? ---------------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_OOC_CHECKGRAPH_H
#define HEDDLE_GRAPH_OOC_CHECKGRAPH_H

#include "heddle/graph/ooc/Prepare.h"

#include <string>

namespace heddle::graph::ooc {

/// Reads all of a prepared graph and compares it with its checksums, as runs do
/// with what they use. Calls `progress` with how many bytes are done. Throws
/// Error that names the first file that is damaged.
void checkGraph(const std::string &directory,
                const ProgressFunction &progress = {});

} // namespace heddle::graph::ooc

#endif
