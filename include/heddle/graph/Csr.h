//===- Csr.h - Compressed sparse rows --------------------------*- C++ -*-===//
//
// The static store that others are compared with: the edges of a vertex are
// adjacent in memory, sorted by target, and an offset for each vertex gives
// their beginning. Weights are in an array of their own, so loops that do not
// need them do not load them.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_CSR_H
#define HEDDLE_GRAPH_CSR_H

#include "heddle/graph/Graph.h"
#include "heddle/graph/detail/Array.h"
#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/EdgeRange.h"

#include <cstddef>
#include <cstdint>
#include <utility>

namespace heddle::graph {

/// The edges of all vertices in one direction. Vertex v has the edges to
/// targets[offsets[v]] to targets[offsets[v + 1] - 1], sorted by target, with
/// their weights at the same indices of `weights`, which is empty for
/// Unweighted. `offsets` has one element more than there are vertices, or none
/// at all.
template <VertexIdentifier VertexId, EdgeWeight Weight> struct CsrRows {
  Array<std::uint64_t> offsets;
  Array<VertexId> targets;
  Array<Weight> weights;

  EdgeRange<VertexId, Weight> operator[](VertexId vertex) const {
    const std::size_t row = vertex;
    const std::uint64_t begin = offsets[row], end = offsets[row + 1];
    if constexpr (std::same_as<Weight, Unweighted>)
      return {targets.data() + begin, targets.data() + end, {}};
    else
      return {targets.data() + begin, targets.data() + end,
              WeightCursor<Weight>(weights.data() + begin)};
  }
};

/// A Graph that does not change. Usually made by buildCsr(). Takes 8 bytes per
/// vertex, and a VertexId and a Weight per edge; twice that if directed. Any
/// number of threads may read it.
///
///   Csr<> graph = buildCsr(readEdgeList("wiki.txt.gz"));
template <VertexIdentifier VertexIdType = std::uint32_t,
          EdgeWeight WeightType = Unweighted>
class Csr {
public:
  using VertexId = VertexIdType;
  using EdgeId = std::uint64_t;
  using Weight = WeightType;
  using Rows = CsrRows<VertexId, Weight>;
  using Edges = EdgeRange<VertexId, Weight>;

  /// A directed graph without vertices.
  Csr() = default;

  /// An undirected graph: every edge is in the rows of both its ends.
  explicit Csr(Rows rows) : out(std::move(rows)), directed(false) {
    HEDDLE_ASSERT(fitTogether(out));
  }

  /// A directed graph; `in` holds the edges of `out` reversed.
  Csr(Rows out, Rows in) : out(std::move(out)), in(std::move(in)) {
    HEDDLE_ASSERT(fitTogether(this->out) && fitTogether(this->in));
    HEDDLE_ASSERT(this->out.offsets.size() == this->in.offsets.size() &&
                  this->out.targets.size() == this->in.targets.size());
  }

  VertexId vertexCount() const {
    return out.offsets.empty() ? 0
                               : static_cast<VertexId>(out.offsets.size() - 1);
  }
  EdgeId edgeCount() const { return out.targets.size(); }
  bool isDirected() const { return directed; }

  EdgeId outDegree(VertexId vertex) const { return degree(out, vertex); }
  EdgeId inDegree(VertexId vertex) const { return degree(inRows(), vertex); }
  Edges outEdges(VertexId vertex) const { return out[vertex]; }
  Edges inEdges(VertexId vertex) const { return inRows()[vertex]; }

  /// The arrays themselves, for loops that run over edges rather than vertices.
  const Rows &outRows() const { return out; }
  const Rows &inRows() const { return directed ? in : out; }

  /// Moves the arrays out of a graph that is no longer needed: the rows of
  /// out-edges and of in-edges. The latter are empty if the graph is
  /// undirected.
  std::pair<Rows, Rows> takeRows() && {
    return {std::move(out), std::move(in)};
  }

private:
  static EdgeId degree(const Rows &rows, VertexId vertex) {
    const std::size_t row = vertex;
    return rows.offsets[row + 1] - rows.offsets[row];
  }

  /// Whether the sizes of the arrays of rows fit together. Does not check their
  /// contents, which may come from a damaged file.
  static bool fitTogether(const Rows &rows) {
    const std::size_t edges = rows.targets.size();
    return rows.weights.size() ==
               (std::same_as<Weight, Unweighted> ? 0 : edges) &&
           (edges == 0 || !rows.offsets.empty());
  }

  Rows out, in;
  bool directed = true;
};

static_assert(Graph<Csr<>>);
static_assert(Graph<Csr<std::uint64_t, double>>);

} // namespace heddle::graph

#endif
