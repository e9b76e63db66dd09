//===- cpmagraph/Rows.h - All edges in one direction -----------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_DETAIL_CPMAGRAPH_ROWS_H
#define HEDDLE_GRAPH_DETAIL_CPMAGRAPH_ROWS_H

#include "heddle/graph/VertexArray.h"
#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/cpmagraph/RowRange.h"
#include "heddle/graph/detail/pma/PackedSet.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace heddle::graph::cpmagraph {

/// The leaves with the edges of all vertices, and the start of each vertex's
/// edges. Any number of threads may read while none writes.
template <typename LayoutType> class Rows {
public:
  using Layout = LayoutType;
  using VertexId = typename Layout::VertexId;
  using Leaves = typename Layout::Leaves;
  using Density = typename Layout::Density;
  using Range = RowRange<Layout>;

  Rows() : Rows(0, PmaOptions().growingFactor) {}

  /// Vertices without edges. Throws Error if the growing factor is not within
  /// 1.05 to 4, and std::bad_alloc.
  explicit Rows(VertexId vertices, double growingFactor)
      : starts(vertices), vertices(vertices), bounds(growingFactor) {
#pragma omp parallel for if (worthThreads(vertices))
    for (VertexId v = 0; v < vertices; ++v)
      starts[v] = {};
  }

  Rows(Rows &&other) noexcept
      : starts(std::move(other.starts)),
        vertices(std::exchange(other.vertices, 0)),
        deleted(std::exchange(other.deleted, 0)),
        edges(std::exchange(other.edges, 0)), array(std::move(other.array)),
        bounds(other.bounds) {}
  Rows &operator=(Rows &&other) noexcept {
    starts = std::move(other.starts);
    vertices = std::exchange(other.vertices, 0);
    deleted = std::exchange(other.deleted, 0);
    edges = std::exchange(other.edges, 0);
    array = std::move(other.array);
    bounds = other.bounds;
    return *this;
  }

  VertexId vertexCount() const { return vertices; }
  std::uint64_t edgeCount() const { return edges; }
  VertexId degree(VertexId vertex) const { return starts[vertex].size; }
  bool isDeleted(VertexId vertex) const { return starts[vertex].isDeleted(); }

  [[gnu::always_inline]] Range operator[](VertexId vertex) const {
    return {array, starts[vertex]};
  }

  const RowStart &start(VertexId vertex) const { return starts[vertex]; }
  RowStart &start(VertexId vertex) {
    HEDDLE_ASSERT(vertex < vertices);
    return starts[vertex];
  }
  RowStart *allStarts() { return starts.data(); }

  const Leaves &leaves() const { return array; }
  Leaves &leaves() { return array; }
  const Density &density() const { return bounds; }

  /// The memory in use, in bytes.
  std::size_t bytes() const {
    return array.bytes() + std::size_t(vertices) * sizeof(RowStart);
  }

  void setEdgeCount(std::uint64_t count) { edges = count; }

  /// Marks a vertex without edges as deleted, or removes the mark.
  void setDeleted(VertexId vertex, bool isDeleted) {
    HEDDLE_ASSERT(vertex < vertices && starts[vertex].size == 0);
    if (starts[vertex].isDeleted() != isDeleted)
      deleted += isDeleted ? 1 : VertexId(-1);
    starts[vertex].leaf = isDeleted ? RowStart::NoLeaf : 0;
  }
  bool hasDeleted() const { return deleted != 0; }

  /// Makes room for one more vertex. Throws std::bad_alloc.
  void reserveVertex() {
    if (vertices < starts.size())
      return;
    Array<RowStart> larger(
        std::max<std::size_t>(64, starts.size() + starts.size() / 2));
    std::copy_n(starts.begin(), vertices, larger.begin());
    starts = std::move(larger);
  }

  /// Adds a vertex; reserveVertex() must have made room for it.
  void appendVertex() {
    HEDDLE_ASSERT(vertices < starts.size());
    starts[vertices++] = {};
  }

private:
  Array<RowStart> starts; ///< and room for more
  VertexId vertices;
  VertexId deleted = 0; ///< the number of marked vertices
  std::uint64_t edges = 0;
  Leaves array;
  Density bounds;
};

} // namespace heddle::graph::cpmagraph

#endif
