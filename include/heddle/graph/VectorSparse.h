//===- VectorSparse.h - Rows of edge vectors -------------------*- C++ -*-===//
//
// The static store for loops that take several edges at once: like Csr, but
// each row is a whole number of aligned edge vectors (see detail/EdgeVector.h),
// so that a loop can load whole vectors, without special code for the ends of
// rows. The edges of a row are still adjacent, followed by padding: loops that
// take one edge at a time run as over a Csr, and test no valid bits.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_VECTORSPARSE_H
#define HEDDLE_GRAPH_VECTORSPARSE_H

#include "heddle/graph/Graph.h"
#include "heddle/graph/detail/Array.h"
#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/EdgeRange.h"
#include "heddle/graph/detail/EdgeVector.h"

#include <cstddef>
#include <cstdint>
#include <utility>

#ifdef __HEDDLE__
// Has no body: it tells the compiler that edge vectors begin at `firstLane`.
// The compiler removes the call.
extern "C" void heddle_edge_vectors(const void *firstLane, unsigned laneBits,
                                    unsigned lanes) noexcept;
#endif

namespace heddle::graph {

namespace detail {

/// Tells the compiler the layout of the edge vectors at `firstLane`, if it has
/// the Heddle plugin.
template <typename Layout>
void announceEdgeVectors(
    [[maybe_unused]] const typename Layout::Lane *firstLane) {
#ifdef __HEDDLE__
  heddle_edge_vectors(firstLane, Layout::LaneBits, Layout::Lanes);
#endif
}

} // namespace detail

/// The edges of one vertex in lanes. Only lanes with edges are visited.
template <typename Layout, EdgeWeight Weight>
using LaneRange = EdgeRange<typename Layout::Lane, Weight, Layout>;

/// The edges of all vertices in one direction. The edges of vertex v are in
/// edge vectors rows[v] to rows[v + 1] - 1; the last of these has padding[v]
/// lanes without an edge. Edge vector k is lanes[k * Lanes] to lanes[(k + 1) *
/// Lanes
/// - 1]. Weights are at the same indices of `weights`, with zeros in lanes
/// without an edge; it is empty for Unweighted. `rows` has one element more
/// than there are vertices, or none at all.
template <typename Layout, EdgeWeight Weight> struct EdgeVectorRows {
  using Lane = typename Layout::Lane;

  Array<std::uint64_t> rows;
  Array<std::uint8_t> padding;
  Array<Lane> lanes;
  Array<Weight> weights;
  std::uint64_t edgeCount = 0;

  std::uint64_t vectorCount() const { return lanes.size() / Layout::Lanes; }

  /// The first lane of edge vector `index`.
  const Lane *edgeVector(std::uint64_t index) const {
    return lanes.data() + index * Layout::Lanes;
  }

  std::uint64_t degree(Lane vertex) const {
    const std::size_t row = vertex;
    return (rows[row + 1] - rows[row]) * Layout::Lanes - padding[row];
  }

  LaneRange<Layout, Weight> operator[](Lane vertex) const {
    const std::uint64_t begin = rows[std::size_t(vertex)] * Layout::Lanes;
    const Lane *first = lanes.data() + begin;
    detail::announceEdgeVectors<Layout>(first);
    const Lane *last = first + degree(vertex);
    if constexpr (std::same_as<Weight, Unweighted>)
      return {first, last, {}};
    else
      return {first, last, WeightCursor<Weight>(weights.data() + begin)};
  }
};

/// A Graph that does not change, made by toVectorSparse(). Its out-edges are
/// grouped by their source (Grazelle's VSS), its in-edges by their destination
/// (VSD); an undirected graph needs only one of them. Takes 9 bytes per vertex,
/// and a Lane and a Weight per lane; twice that if directed.
/// packingEfficiency() returns the share of lanes that have an edge. Any number
/// of threads may read it.
///
///   auto graph = toVectorSparse<VectorSparse<>>(csr);
template <VertexIdentifier LaneType = std::uint32_t, unsigned Lanes = 8,
          EdgeWeight WeightType = Unweighted>
class VectorSparse {
public:
  using Layout = EdgeVectorLayout<LaneType, Lanes>;
  using VertexId = LaneType;
  using EdgeId = std::uint64_t;
  using Weight = WeightType;
  using Rows = EdgeVectorRows<Layout, Weight>;
  using Edges = LaneRange<Layout, Weight>;

  /// A directed graph without vertices.
  VectorSparse() = default;

  /// An undirected graph: every edge is in the rows of both its ends.
  explicit VectorSparse(Rows rows) : out(std::move(rows)), directed(false) {
    HEDDLE_ASSERT(fitTogether(out));
  }

  /// A directed graph; `in` holds the edges of `out` reversed.
  VectorSparse(Rows out, Rows in) : out(std::move(out)), in(std::move(in)) {
    HEDDLE_ASSERT(fitTogether(this->out) && fitTogether(this->in));
    HEDDLE_ASSERT(this->out.padding.size() == this->in.padding.size() &&
                  this->out.edgeCount == this->in.edgeCount);
  }

  VertexId vertexCount() const {
    return static_cast<VertexId>(out.padding.size());
  }
  /// 0 without vertices, as in a graph that has been moved from.
  EdgeId edgeCount() const { return vertexCount() > 0 ? out.edgeCount : 0; }
  bool isDirected() const { return directed; }

  EdgeId outDegree(VertexId vertex) const { return out.degree(vertex); }
  EdgeId inDegree(VertexId vertex) const { return inRows().degree(vertex); }
  Edges outEdges(VertexId vertex) const { return out[vertex]; }
  Edges inEdges(VertexId vertex) const { return inRows()[vertex]; }

  /// The arrays themselves, for loops that run over edge vectors rather than
  /// vertices.
  const Rows &outRows() const { return out; }
  const Rows &inRows() const { return directed ? in : out; }

private:
  /// Whether the arrays of rows have the sizes that EdgeVectorRows requires.
  static bool fitTogether(const Rows &rows) {
    const std::size_t lanes = rows.lanes.size();
    return rows.weights.size() ==
               (std::same_as<Weight, Unweighted> ? 0 : lanes) &&
           (rows.rows.empty() ? lanes == 0 && rows.padding.empty()
                              : rows.rows.size() == rows.padding.size() + 1 &&
                                    rows.rows.end()[-1] * Lanes == lanes) &&
           rows.edgeCount <= lanes;
  }

  Rows out, in;
  bool directed = true;
};

static_assert(Graph<VectorSparse<>>);
static_assert(Graph<VectorSparse<std::uint64_t, 4, double>>);

} // namespace heddle::graph

#endif
