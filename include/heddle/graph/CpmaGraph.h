//===- CpmaGraph.h - A graph in one ordered set ----------------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_CPMAGRAPH_H
#define HEDDLE_GRAPH_CPMAGRAPH_H

#include "heddle/graph/Update.h"
#include "heddle/graph/cpmagraph/Load.h"
#include "heddle/graph/pma/PackedSet.h"

#include <cstddef>
#include <cstdint>
#include <utility>

namespace heddle::graph {

template <VertexIdentifier VertexIdType = std::uint32_t,
          EdgeWeight WeightType = Unweighted, std::size_t LeafBytes = 256>
class CpmaGraph {
  static_assert(std::same_as<VertexIdType, std::uint32_t>,
                "the keys of a CpmaGraph are two vertices of 32 bits each: use "
                "CBList for vertices of 64 bits");

public:
  using VertexId = VertexIdType;
  using EdgeId = std::uint64_t;
  using Weight = WeightType;
  using Layout = cpmagraph::Layout<Weight, LeafBytes>;
  using Rows = cpmagraph::Rows<Layout>;
  using Edges = typename Rows::Range;

  /// A graph without edges.
  explicit CpmaGraph(VertexId vertices = 0, bool directed = true,
                     double growingFactor = 1.2)
      : out(vertices, growingFactor),
        in(directed ? vertices : 0, growingFactor), directed(directed) {}

  /// An undirected graph: every edge is in the rows of both its ends.
  explicit CpmaGraph(Rows rows)
      : out(std::move(rows)), in(0, 1.2), directed(false) {}

  /// A directed graph; `in` holds the edges of `out` reversed.
  CpmaGraph(Rows out, Rows in) : out(std::move(out)), in(std::move(in)) {}

  VertexId vertexCount() const { return out.vertexCount(); }
  EdgeId edgeCount() const { return out.edgeCount(); }
  bool isDirected() const { return directed; }

  EdgeId outDegree(VertexId vertex) const { return out.degree(vertex); }
  EdgeId inDegree(VertexId vertex) const { return inRows().degree(vertex); }
  [[gnu::always_inline]] Edges outEdges(VertexId vertex) const {
    return out[vertex];
  }
  [[gnu::always_inline]] Edges inEdges(VertexId vertex) const {
    return inRows()[vertex];
  }

  const Rows &outRows() const { return out; }
  const Rows &inRows() const { return directed ? in : out; }

  std::size_t bytes() const {
    return out.bytes() + (directed ? in.bytes() : 0);
  }

private:
  Rows out, in;
  bool directed = true;
};

static_assert(Graph<CpmaGraph<>>);

} // namespace heddle::graph

#endif
