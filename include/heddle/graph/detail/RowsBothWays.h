//===- RowsBothWays.h - Rows of out-edges and in-edges ---------*- C++ -*-===//
//
// The common part of the stores that can be updated: rows of edges with degrees
// and marks of deleted vertices, once for each direction, or once if the graph
// is undirected. The stores differ in the layout of rows in memory, and in how
// rows are searched and changed.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_ROWSBOTHWAYS_H
#define HEDDLE_GRAPH_DETAIL_ROWSBOTHWAYS_H

#include "heddle/graph/Update.h"
#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/RowUpdates.h"
#include "heddle/graph/verify/Violation.h"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace heddle::graph {

/// The part of a store that CBList and CpmaGraph share.
template <typename RowsType> class RowsBothWays {
public:
  using Rows = RowsType;
  using VertexId = typename Rows::VertexId;
  using EdgeId = std::uint64_t;
  using Edges = typename Rows::Range;

  /// The number of vertices, including deleted ones, which have no edges.
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

  /// The rows themselves, for loops over their memory.
  const Rows &outRows() const { return out; }
  const Rows &inRows() const { return directed ? in : out; }

  /// Whether a vertex has been deleted and not added again.
  bool isDeleted(VertexId vertex) const { return out.isDeleted(vertex); }

  /// The vertices that have not been deleted and for which `condition` is true,
  /// in ascending order.
  ///
  ///   for (auto v : graph.scanVertices([&](auto v) { return active[v]; }))
  template <std::predicate<VertexId> Condition>
  auto scanVertices(Condition condition) const {
    return std::views::iota(VertexId(0), vertexCount()) |
           std::views::filter([this, condition](VertexId vertex) {
             return !isDeleted(vertex) && condition(vertex);
           });
  }

  /// The neighbours of a vertex: outEdges() by the name of GastCoCo.
  Edges scanEdges(VertexId vertex) const { return outEdges(vertex); }

  /// The memory that vertices and edges take, in bytes.
  std::size_t bytes() const {
    return out.bytes() + (directed ? in.bytes() : 0);
  }

protected:
  /// `in` holds the edges of `out` reversed, or nothing if the graph is
  /// undirected and every edge is in the rows of both its ends.
  RowsBothWays(Rows out, Rows in, bool directed)
      : out(std::move(out)), in(std::move(in)), directed(directed) {
    HEDDLE_ASSERT(directed ? haveSameSize() : this->in.vertexCount() == 0);
  }

  /// Whether both directions have the same numbers of vertices and edges.
  bool haveSameSize() const {
    return out.vertexCount() == inRows().vertexCount() &&
           out.edgeCount() == inRows().edgeCount();
  }

  /// Implements updateVertex(). `deleteEdges` must delete all edges from and to
  /// the vertex.
  template <typename DeleteEdges>
  bool changeVertex(VertexId vertex, UpdateMode mode, DeleteEdges deleteEdges) {
    if (mode == UpdateMode::Add && vertex == vertexCount() &&
        vertex != MostVertices<VertexId>) {
      appendVertex();
      return true;
    }
    detail::checkVertex(vertex, vertexCount());
    if (mode == UpdateMode::Modify ||
        isDeleted(vertex) != (mode == UpdateMode::Add))
      return false;
    if (mode == UpdateMode::Delete)
      deleteEdges();
    HEDDLE_ASSERT(outDegree(vertex) == 0 && inDegree(vertex) == 0);
    out.setDeleted(vertex, mode == UpdateMode::Delete);
    if (directed)
      in.setDeleted(vertex, mode == UpdateMode::Delete);
    return true;
  }

  /// `updates` as updates of rows, see updatesOfRows(), without those of
  /// deleted vertices.
  template <EdgeWeight Weight>
  auto updatesOf(std::span<const EdgeUpdate<VertexId, Weight>> updates,
                 bool forward, bool backward) const {
    return detail::updatesOfRows(updates, vertexCount(), forward, backward,
                                 [this](VertexId from, VertexId to) {
                                   return out.hasDeleted() &&
                                          (isDeleted(from) || isDeleted(to));
                                 });
  }

  /// Implements check() with a function that checks rows.
  template <typename CheckRows> Violation checkBoth(CheckRows checkRows) const {
    if (Violation found = checkRows(out))
      return "out: " + *found;
    if (directed)
      if (Violation found = checkRows(in))
        return "in: " + *found;
    return checkReverse();
  }

  Rows out, in;
  bool directed;

private:
  /// The first difference between `out` reversed and `in`, if any. The sources
  /// of a vertex come in the order in which its row has them.
  Violation checkReverse() const {
    using std::to_string;
    const Rows &reversed = inRows();
    if (reversed.vertexCount() != out.vertexCount())
      return "in: expected " + to_string(out.vertexCount()) +
             " vertices, found " + to_string(reversed.vertexCount());
    if (reversed.edgeCount() != out.edgeCount())
      return "in: expected " + to_string(out.edgeCount()) + " edges, found " +
             to_string(reversed.edgeCount());
    std::vector<typename Edges::Iterator> next;
    for (VertexId v = 0; v < vertexCount(); ++v)
      next.push_back(reversed[v].begin());
    for (VertexId v = 0; v < vertexCount(); ++v) {
      if (reversed.isDeleted(v) != out.isDeleted(v))
        return "in: vertex " + to_string(v) + " is deleted in one direction";
      for (const auto [target, weight] : out[v]) {
        auto &edge = next[target];
        const bool isThere =
            edge != typename Edges::Iterator() && (*edge).target == v;
        const auto found = isThere ? (*edge).weight : weight;
        // NaN is not equal to itself.
        if (!isThere ||
            (found != weight && (found == found || weight == weight)))
          return std::string("in: ") +
                 (isThere ? "another weight of the" : "no") + " edge from " +
                 to_string(v) + " to " + to_string(target);
        ++edge;
      }
    }
    return {};
  }

  void appendVertex() {
    out.reserveVertex();
    if (directed) {
      in.reserveVertex();
      in.appendVertex();
    }
    out.appendVertex();
    HEDDLE_ASSERT(haveSameSize());
  }
};

} // namespace heddle::graph

#endif
