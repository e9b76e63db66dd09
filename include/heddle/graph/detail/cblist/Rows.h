//===- Rows.h - The vertex table of a CBList -------------------*- C++ -*-===//
//
// All edges in one direction: the vertex table of GastCoCo's figure 4 and the
// pieces that its records link to.
//
// The paper links the last chunk of a vertex to the first chunk of the next
// vertex with edges, so that all chunks form a chain. Here the chain continues
// with the next record of the vertex table instead. A scan reads the table in
// any case, as it has the edges of most vertices, and changing a vertex does
// not touch others.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_CBLIST_ROWS_H
#define HEDDLE_GRAPH_DETAIL_CBLIST_ROWS_H

#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/VertexTable.h"
#include "heddle/graph/detail/cblist/ChunkRange.h"
#include "heddle/graph/detail/cblist/Pieces.h"

#include <cstddef>
#include <cstdint>

namespace heddle::graph::cblist {

/// The edges of all vertices in one direction. Any number of threads may read
/// while none writes. For writing, see RowEditor and CBList.
template <typename LayoutType>
class Rows : public detail::VertexTable<VertexRecord<LayoutType>,
                                        typename LayoutType::VertexId> {
  using Base = typename Rows::VertexTable;
  using Base::table;

public:
  using Layout = LayoutType;
  using VertexId = typename Layout::VertexId;
  using Weight = typename Layout::Weight;
  using Record = VertexRecord<Layout>;
  using Range = ChunkRange<Layout>;
  using Base::Base;

  std::uint64_t edgeCount() const { return loadShared<std::uint64_t>(edges); }
  void addEdges(std::uint64_t number) {
    addShared<std::uint64_t>(edges, number);
  }

  Range operator[](VertexId vertex) const {
    // If all edges are in one piece, their number need not be loaded from its
    // header.
    const Record &record = table[vertex];
    const std::size_t edges = record.size;
    if (record.isInline())
      return {record.slots(), Chunk<Layout>(nullptr), edges, edges};
    const Chunk<Layout> chunk(record.first());
    if (record.depth() == 0)
      return {chunk.slots(), chunk, edges, edges};
    return {chunk.slots(), chunk, chunk.count(), edges};
  }
  const Record &record(VertexId vertex) const { return table[vertex]; }
  Record &record(VertexId vertex) {
    HEDDLE_ASSERT(vertex < Base::vertexCount());
    return table[vertex];
  }
  const Record *records() const { return table.data(); }

  /// The memory in use and kept for reuse, in bytes.
  std::size_t bytes() const { return Base::tableBytes() + lines.bytes(); }

  /// Whether enough chunks have been moved to make scans of all edges slower.
  bool isScattered() const {
    constexpr double MostGivenBack = 0.4;
    return static_cast<double>(lines.bytesGivenBack()) >
           MostGivenBack * static_cast<double>(bytes());
  }

  LineStore &store() { return lines; }
  const LineStore &store() const { return lines; }

private:
  LineStore lines;
  ZeroWhenMoved<std::uint64_t> edges;
};

} // namespace heddle::graph::cblist

#endif
