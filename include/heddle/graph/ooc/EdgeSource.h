//===- EdgeSource.h - Edges that come piece by piece -----------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_OOC_EDGESOURCE_H
#define HEDDLE_GRAPH_OOC_EDGESOURCE_H

#include "heddle/graph/ReadGraph.h"
#include "heddle/graph/detail/EdgeSource.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace heddle::graph::ooc {

/// Edges with the vertices of graphs on disk.
template <EdgeWeight Weight>
using EdgeSource = detail::EdgeSource<std::uint32_t, Weight>;

/// The edges of a graph that is in memory or mapped.
template <EdgeWeight Weight>
using CsrEdges = detail::CsrEdges<std::uint32_t, Weight>;

struct EdgeSourceOptions {
  /// By default found from the name or the content.
  std::optional<GraphFormat> format = {};
  ReadOptions text = {};
  /// Weights that depend only on this seed and the ends of an edge.
  std::optional<std::uint64_t> randomWeightSeed = {};
};

/// Opens a file of any format that readGraph() reads, with the same meaning. A
/// .hgraph is mapped, and others are read piece by piece. Throws Error if the
/// file cannot be read. For a malformed file, this function or next() throws
/// Error. Adjacency graphs (.adj, .wadj, .sg, .wsg) are read at several
/// positions at once, so they cannot come from a pipe; compressed ones are
/// decompressed once for each position. Instantiated for weights of Unweighted,
/// int32_t and float.
///
///   auto source = openEdgeSource<std::int32_t>("roads.txt.gz");
template <EdgeWeight Weight>
std::unique_ptr<EdgeSource<Weight>>
openEdgeSource(const std::string &path, const EdgeSourceOptions &options = {});

} // namespace heddle::graph::ooc

#endif
