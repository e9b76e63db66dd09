//===- Source.h - Where algorithms start -----------------------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_ALGORITHMS_SOURCE_H
#define HEDDLE_GRAPH_ALGORITHMS_SOURCE_H

#include "heddle/graph/Error.h"
#include "heddle/graph/Graph.h"

#include <string>

namespace heddle::graph {

/// Throws Error if the start vertex of an algorithm does not exist in the
/// graph, which may be that of an engine.
template <typename Store>
void checkSource(const Store &graph, typename Store::VertexId source) {
  if (source >= graph.vertexCount())
    throw Error("source " + std::to_string(source) +
                ": expected a vertex below " +
                std::to_string(graph.vertexCount()));
}

} // namespace heddle::graph

#endif
