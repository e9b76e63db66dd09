//===- cpmagraph/Rows.h - All edges in one direction -----------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_DETAIL_CPMAGRAPH_ROWS_H
#define HEDDLE_GRAPH_DETAIL_CPMAGRAPH_ROWS_H

#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/VertexTable.h"
#include "heddle/graph/detail/cpmagraph/RowRange.h"
#include "heddle/graph/detail/pma/PackedSet.h"

#include <cstddef>
#include <cstdint>

namespace heddle::graph::cpmagraph {

/// The leaves with the edges of all vertices, and the start of each vertex's
/// edges. Any number of threads may read while none writes.
template <typename LayoutType>
class Rows
    : public detail::VertexTable<RowStart, typename LayoutType::VertexId> {
  using Base = typename Rows::VertexTable;
  using Base::table;

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
      : Base(vertices), bounds(growingFactor) {}

  std::uint64_t edgeCount() const { return edges; }

  [[gnu::always_inline]] Range operator[](VertexId vertex) const {
    return {array, table[vertex]};
  }

  const RowStart &start(VertexId vertex) const { return table[vertex]; }
  RowStart &start(VertexId vertex) {
    HEDDLE_ASSERT(vertex < Base::vertexCount());
    return table[vertex];
  }
  RowStart *allStarts() { return table.data(); }

  const Leaves &leaves() const { return array; }
  Leaves &leaves() { return array; }
  const Density &density() const { return bounds; }

  /// The memory in use, in bytes.
  std::size_t bytes() const { return array.bytes() + Base::tableBytes(); }

  void setEdgeCount(std::uint64_t count) { edges = count; }

private:
  ZeroWhenMoved<std::uint64_t> edges;
  Leaves array;
  Density bounds;
};

} // namespace heddle::graph::cpmagraph

#endif
