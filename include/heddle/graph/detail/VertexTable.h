//===- VertexTable.h - An entry for every vertex ---------------*- C++ -*-===//
//
// What the rows of the stores that can be updated have in common: a table of
// vertices, with room for more of them and with marks of deleted ones, and how
// the edges that come from another graph are counted.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_VERTEXTABLE_H
#define HEDDLE_GRAPH_DETAIL_VERTEXTABLE_H

#include "heddle/graph/Error.h"
#include "heddle/graph/VertexArray.h"
#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/Tasks.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

namespace heddle::graph::detail {

/// The vertices of one direction of a graph. An entry has the `size` of its row
/// and a mark: isDeleted() and setDeleted(). makeEmpty() makes it one of a
/// vertex without edges.
template <typename Entry, typename VertexIdType> class VertexTable {
public:
  using VertexId = VertexIdType;

  /// Vertices without edges. Throws std::bad_alloc.
  explicit VertexTable(VertexId vertices = 0)
      : table(vertices), vertices(vertices) {
#pragma omp parallel for if (worthThreads(vertices))
    for (VertexId v = 0; v < vertices; ++v)
      table[v].makeEmpty();
  }

  VertexId vertexCount() const { return vertices; }
  VertexId degree(VertexId vertex) const { return table[vertex].size; }
  bool isDeleted(VertexId vertex) const { return table[vertex].isDeleted(); }
  bool hasDeleted() const { return deleted != 0; }

  /// Marks a vertex without edges as deleted, or removes the mark. For one
  /// thread at a time.
  void setDeleted(VertexId vertex, bool isDeleted) {
    HEDDLE_ASSERT(vertex < vertices);
    if (table[vertex].isDeleted() != isDeleted)
      deleted += isDeleted ? 1 : VertexId(-1);
    table[vertex].setDeleted(isDeleted);
    HEDDLE_ASSERT(deleted <= vertices);
  }

  /// Makes room in the table for one more vertex. Throws std::bad_alloc.
  void reserveVertex() {
    if (vertices < table.size())
      return;
    Array<Entry> larger(
        std::max<std::size_t>(64, table.size() + table.size() / 2));
    std::copy_n(table.data(), std::size_t(vertices), larger.data());
    table = std::move(larger);
  }

  /// Adds a vertex; reserveVertex() must have made room for it.
  void appendVertex() {
    HEDDLE_ASSERT(vertices < table.size());
    table[vertices++].makeEmpty();
  }

protected:
  std::size_t tableBytes() const {
    return std::size_t(vertices) * sizeof(Entry);
  }

  Array<Entry> table; ///< and room for more

private:
  ZeroWhenMoved<VertexId> vertices;
  ZeroWhenMoved<VertexId> deleted; ///< how many vertices are marked
};

/// Calls `visit(target, weight)` with each edge of a vertex that is not
/// parallel to the one before. Returns false if the edges are not sorted by
/// target.
template <typename VertexId, typename Edges, typename Visit>
bool forEachDistinct(const Edges &edges, Visit visit) {
  bool ascends = true, isFirst = true;
  VertexId before = 0;
  for (const auto [target, weight] : edges) {
    const auto to = static_cast<VertexId>(target);
    ascends &= isFirst || before <= to;
    if (isFirst || before != to)
      visit(to, weight);
    before = to;
    isFirst = false;
  }
  return ascends;
}

/// Calls `visit(v, size)` with the number of edges of each vertex, parallel
/// ones counted once, and returns how many there are in all. `edges(v)` must
/// return them sorted by target; they are not read if their type says that they
/// are distinct. Runs on the threads of OpenMP. Throws Error if the edges of a
/// vertex are not sorted.
template <typename VertexId, typename Edges, typename Visit>
std::uint64_t countEdges(VertexId vertices, Edges edges, Visit visit) {
  std::uint64_t edgeCount = 0;
  VertexId firstBad = vertices;
#pragma omp parallel for schedule(dynamic, RowsAtOnce)                         \
    reduction(+ : edgeCount) reduction(min : firstBad)
  for (VertexId v = 0; v < vertices; ++v) {
    VertexId size = 0;
    if constexpr (requires { decltype(edges(v))::IsDistinct; })
      size = static_cast<VertexId>(edges(v).size());
    else if (!forEachDistinct<VertexId>(edges(v), [&](auto, auto) { ++size; }))
      firstBad = std::min(firstBad, v);
    visit(v, size);
    edgeCount += size;
  }
  if (firstBad != vertices)
    throw Error("edges of vertex " + std::to_string(firstBad) +
                ": expected ascending targets");
  return edgeCount;
}

} // namespace heddle::graph::detail

#endif
