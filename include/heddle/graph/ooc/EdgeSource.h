//===- EdgeSource.h - Edges that come piece by piece -----------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_OOC_EDGESOURCE_H
#define HEDDLE_GRAPH_OOC_EDGESOURCE_H

#include "heddle/graph/Csr.h"
#include "heddle/graph/EdgeList.h"
#include "heddle/graph/ReadGraph.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heddle::graph::ooc {

/// Edges in any order, of which only some are in memory at a time.
template <EdgeWeight Weight> class EdgeSource {
public:
  using Edges = std::span<const Edge<std::uint32_t, Weight>>;

  virtual ~EdgeSource() = default;

  /// The next edges, valid until the next call; none after the last. Throws
  /// Error for what is wrong with a file.
  virtual Edges next() = 0;

  /// How many vertices there are, which may be known after the last edge only.
  virtual std::uint64_t vertexCount() const = 0;

  /// Whether the edges of a graph without directions come once for each.
  virtual bool isUndirected() const { return false; }

  /// Whether they are those of a finished graph, of which all parallel ones
  /// stay as long as no directions are added.
  virtual bool isFinished() const { return false; }
};

/// The edges of a graph that is in memory or mapped, row by row. The graph must
/// live as long as this.
template <EdgeWeight Weight> class CsrEdges final : public EdgeSource<Weight> {
public:
  using typename EdgeSource<Weight>::Edges;

  explicit CsrEdges(const Csr<std::uint32_t, Weight> &graph) : graph(graph) {}

  Edges next() override {
    constexpr std::uint64_t Many = std::uint64_t(1) << 16;
    piece.clear();
    const auto &rows = graph.outRows();
    const std::uint64_t end = std::min(edge + Many, graph.edgeCount());
    for (; edge < end; ++edge) {
      while (rows.offsets[row + std::size_t(1)] <= edge)
        ++row;
      piece.push_back({row, rows.targets[edge], weightOf(rows, edge)});
    }
    return piece;
  }

  std::uint64_t vertexCount() const override { return graph.vertexCount(); }
  bool isUndirected() const override { return !graph.isDirected(); }
  bool isFinished() const override { return true; }

private:
  static Weight weightOf(const CsrRows<std::uint32_t, Weight> &rows,
                         std::uint64_t index) {
    if constexpr (std::same_as<Weight, Unweighted>)
      return {};
    else
      return rows.weights[index];
  }

  const Csr<std::uint32_t, Weight> &graph;
  std::uint32_t row = 0;
  std::uint64_t edge = 0;
  std::vector<Edge<std::uint32_t, Weight>> piece;
};

struct EdgeSourceOptions {
  /// By default what the name or the content says.
  std::optional<GraphFormat> format = {};
  ReadOptions text = {};
  /// Weights that depend on this seed and the ends of an edge alone.
  std::optional<std::uint64_t> randomWeightSeed = {};
};

/// The edges of a file of any format that readGraph() reads, with the same
/// meaning. A .hgraph is mapped, and others are read piece by piece. Throws
/// Error if it cannot be read; what is wrong with it, that or next() throws.
/// Adjacency graphs (.adj, .wadj, .sg, .wsg) are read at several places at
/// once, which a pipe cannot be; compressed ones are decompressed for each of
/// the places. Instantiated for weights of Unweighted, int32_t and float.
///
///   auto source = openEdgeSource<std::int32_t>("roads.txt.gz");
template <EdgeWeight Weight>
std::unique_ptr<EdgeSource<Weight>>
openEdgeSource(const std::string &path, const EdgeSourceOptions &options = {});

} // namespace heddle::graph::ooc

#endif
