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

#include "heddle/graph/VertexArray.h"
#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/cblist/ChunkRange.h"
#include "heddle/graph/detail/cblist/Pieces.h"

#include <algorithm>
#include <utility>

namespace heddle::graph::cblist {

/// The edges of all vertices in one direction. Any number of threads may read
/// while none writes. For writing, see RowEditor and CBList.
template <typename LayoutType> class Rows {
public:
  using Layout = LayoutType;
  using VertexId = typename Layout::VertexId;
  using Weight = typename Layout::Weight;
  using Record = VertexRecord<Layout>;
  using Range = ChunkRange<Layout>;

  Rows() = default;

  /// Vertices without edges. Throws std::bad_alloc.
  explicit Rows(VertexId vertices) : table(vertices), vertices(vertices) {
#pragma omp parallel for if (worthThreads(vertices))
    for (VertexId v = 0; v < vertices; ++v)
      table[v].makeEmpty();
  }

  Rows(Rows &&other) noexcept { swap(other); }
  Rows &operator=(Rows &&other) noexcept {
    Rows taken(std::move(other));
    swap(taken);
    return *this;
  }

  VertexId vertexCount() const { return vertices; }
  std::uint64_t edgeCount() const { return loadShared(edges); }
  void addEdges(std::uint64_t number) { addShared(edges, number); }

  VertexId degree(VertexId vertex) const { return table[vertex].size; }
  bool isDeleted(VertexId vertex) const { return table[vertex].isDeleted(); }
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
    HEDDLE_ASSERT(vertex < vertices);
    return table[vertex];
  }
  const Record *records() const { return table.data(); }

  /// The memory in use and kept for reuse, in bytes.
  std::size_t bytes() const {
    return std::size_t(vertices) * sizeof(Record) + lines.bytes();
  }

  /// Whether enough chunks have been moved to make scans of all edges slower.
  bool isScattered() const {
    constexpr double MostGivenBack = 0.4;
    return static_cast<double>(lines.bytesGivenBack()) >
           MostGivenBack * static_cast<double>(bytes());
  }

  /// Marks a vertex without edges as deleted, or removes the mark. For one
  /// thread at a time.
  void setDeleted(VertexId vertex, bool isDeleted) {
    if (table[vertex].isDeleted() != isDeleted)
      deleted += isDeleted ? 1 : VertexId(-1);
    table[vertex].setDeleted(isDeleted);
    HEDDLE_ASSERT(deleted <= vertices);
  }
  bool hasDeleted() const { return deleted != 0; }

  /// Makes room in the table for one more vertex. Throws std::bad_alloc.
  void reserveVertex() {
    if (vertices == table.size())
      growTable();
  }

  /// Adds a vertex; reserveVertex() must have made room for it.
  void appendVertex() {
    HEDDLE_ASSERT(vertices < table.size());
    table[vertices++].makeEmpty();
  }

  LineStore &store() { return lines; }
  const LineStore &store() const { return lines; }

private:
  void swap(Rows &other) noexcept {
    std::swap(table, other.table);
    std::swap(lines, other.lines);
    std::swap(edges, other.edges);
    std::swap(vertices, other.vertices);
    std::swap(deleted, other.deleted);
  }

  void growTable() {
    const std::size_t room =
        std::max<std::size_t>(64, table.size() + table.size() / 2);
    Array<Record> larger(room);
    std::copy_n(table.data(), vertices, larger.data());
    table = std::move(larger);
  }

  Array<Record> table;
  LineStore lines;
  std::uint64_t edges = 0;
  VertexId vertices = 0;
  VertexId deleted = 0; ///< the number of marked vertices
};

} // namespace heddle::graph::cblist

#endif
