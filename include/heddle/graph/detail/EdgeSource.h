//===- EdgeSource.h - Edges that come piece by piece -----------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_DETAIL_EDGESOURCE_H
#define HEDDLE_GRAPH_DETAIL_EDGESOURCE_H

#include "heddle/graph/Csr.h"
#include "heddle/graph/EdgeList.h"

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <span>
#include <vector>

namespace heddle::graph::detail {

/// Edges in any order, of which only some are in memory at a time.
template <VertexIdentifier VertexId, EdgeWeight Weight> class EdgeSource {
public:
  using Edges = std::span<const Edge<VertexId, Weight>>;

  virtual ~EdgeSource() = default;

  /// Returns the next edges, valid until the next call; none after the last.
  /// Throws Error for a malformed file.
  virtual Edges next() = 0;

  /// The number of vertices, which may be known after the last edge only.
  virtual std::uint64_t vertexCount() const = 0;

  /// Whether the edges of a graph without directions come once for each.
  virtual bool isUndirected() const { return false; }

  /// Whether the edges are those of a finished graph, whose parallel edges are
  /// all kept as long as no directions are added.
  virtual bool isFinished() const { return false; }
};

/// The edges of a graph that is in memory or mapped, row by row. The graph must
/// live as long as this.
template <VertexIdentifier VertexId, EdgeWeight Weight>
class CsrEdges : public EdgeSource<VertexId, Weight> {
public:
  using typename EdgeSource<VertexId, Weight>::Edges;

  explicit CsrEdges(const Csr<VertexId, Weight> &graph) : graph(graph) {}

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
  static Weight weightOf(const CsrRows<VertexId, Weight> &rows,
                         std::uint64_t index) {
    if constexpr (std::same_as<Weight, Unweighted>)
      return {};
    else
      return rows.weights[index];
  }

  const Csr<VertexId, Weight> &graph;
  VertexId row = 0;
  std::uint64_t edge = 0;
  std::vector<Edge<VertexId, Weight>> piece;
};

} // namespace heddle::graph::detail

#endif
