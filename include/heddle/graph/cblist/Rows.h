//===- Rows.h - The vertex table of a CBList -------------------*- C++ -*-===//
//
// All edges in one direction: the vertex table of GastCoCo's figure 4, the
// pieces that its records lead to, and the global traversal chain through them.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_CBLIST_ROWS_H
#define HEDDLE_GRAPH_CBLIST_ROWS_H

#include "heddle/graph/cblist/ChunkRange.h"
#include "heddle/graph/cblist/Occupied.h"
#include "heddle/graph/cblist/Pieces.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace heddle::graph::cblist {

/// What the vertex table knows of a vertex. The state has bits that other
/// threads wait for, so that it is read and written atomically.
template <typename VertexId> struct VertexRecord {
  Line *first;   ///< traversal pointer: its first chunk
  Line *root;    ///< query pointer: its small chunk or the root of its tree
  VertexId size; ///< how many edges
  std::uint32_t state;

  static constexpr std::uint32_t Locked = std::uint32_t(1) << 31;
  static constexpr std::uint32_t Deleted = std::uint32_t(1) << 30;
  static constexpr std::uint32_t LevelMask = Deleted - 1;

  /// How many leaves its tree has; 0: it has a small chunk or nothing.
  std::uint32_t level() const { return loadShared(state) & LevelMask; }
  bool isDeleted() const { return loadShared(state) & Deleted; }
  bool isEmpty() const { return size == 0; }

  /// Only by who holds the lock or has the store for himself.
  void setLevel(std::size_t level) {
    storeShared(state, (loadShared(state) & ~LevelMask) |
                           static_cast<std::uint32_t>(level));
  }
  void setDeleted(bool deleted) {
    storeShared(state,
                (loadShared(state) & ~Deleted) | (deleted ? Deleted : 0));
  }
  void setPieces(const RowPieces &pieces) {
    first = pieces.first;
    root = pieces.root;
    setLevel(pieces.leaves);
  }

  void lock() { lockBit(state, Locked); }
  void unlock() { unlockBit(state, Locked); }

  static VertexRecord empty() { return {&emptyChunk, &emptyChunk, 0, 0}; }
};

/// The edges of all vertices in one direction. Reading is for any number of
/// threads while nobody writes; who may write when, RowEditor and CBList say.
template <typename LayoutType> class Rows {
public:
  using Layout = LayoutType;
  using VertexId = typename Layout::VertexId;
  using Weight = typename Layout::Weight;
  using Record = VertexRecord<VertexId>;
  using Range = ChunkRange<Layout>;

  static_assert(sizeof(Record) <= 32);

  Rows() = default;

  /// Vertices without edges. Throws std::bad_alloc.
  explicit Rows(VertexId vertices)
      : table(vertices), occupied(vertices), vertices(vertices) {
#pragma omp parallel for if (worthThreads(vertices))
    for (VertexId v = 0; v < vertices; ++v)
      table[v] = Record::empty();
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
  void removeEdges(std::uint64_t number) { addShared(edges, ~number + 1); }

  VertexId degree(VertexId vertex) const { return table[vertex].size; }
  Range operator[](VertexId vertex) const {
    // Where all edges are in one chunk, their number is known before it is.
    const Record &record = table[vertex];
    const Chunk<Layout> chunk(record.first);
    if (record.first == record.root)
      return {chunk, record.size, record.size};
    return {chunk, chunk.count(), record.size};
  }
  const Record &record(VertexId vertex) const { return table[vertex]; }
  Record &record(VertexId vertex) { return table[vertex]; }
  const Record *records() const { return table.data(); }

  /// Memory in use, and lines that have been and will be.
  std::size_t bytes() const {
    return std::size_t(vertices) * sizeof(Record) + occupied.bytes() +
           lines.bytes();
  }

  /// The first chunk of the chain; without edges, none.
  Line *head() const { return first; }

  /// The chain's link to `vertex` or, if it has no edges, past it: the link of
  /// the last chunk of the vertex with edges before it, or the head. Locks that
  /// vertex until the end of the scope. Threads hold several locks of rows in
  /// descending order only, and this is how the chain needs them.
  class Link;

  /// The last edge's chunk of a vertex with edges.
  Chunk<Layout> last(VertexId vertex) const {
    return lastChunk<Layout>(table[vertex].root);
  }

  /// Makes the chain lead from the last vertex with edges before `vertex` to
  /// the next with edges from there on, whatever it did. Other threads may do
  /// so too while no row changes.
  void linkBefore(VertexId vertex) {
    const auto before = occupied.before(vertex);
    const auto after = occupied.from(vertex);
    Line *const next =
        after ? table[static_cast<VertexId>(*after)].first : nullptr;
    if (before)
      last(static_cast<VertexId>(*before)).setNextShared(Chunk<Layout>(next));
    else
      storeShared(first, next);
  }

  /// Marks a vertex without edges, or takes the mark back. One thread's.
  void setDeleted(VertexId vertex, bool isDeleted) {
    if (table[vertex].isDeleted() != isDeleted)
      deleted += isDeleted ? 1 : VertexId(-1);
    table[vertex].setDeleted(isDeleted);
  }
  bool hasDeleted() const { return deleted != 0; }

  /// Makes room in the table for a vertex more. Throws std::bad_alloc.
  void reserveVertex() {
    if (vertices == table.size())
      growTable();
  }

  /// Adds a vertex that there is room for.
  void appendVertex() { table[vertices++] = Record::empty(); }

  LineStore &store() { return lines; }
  const LineStore &store() const { return lines; }
  Occupied &occupiedRows() { return occupied; }
  const Occupied &occupiedRows() const { return occupied; }
  void setHead(Line *chunk) { first = chunk; }

private:
  void swap(Rows &other) noexcept {
    std::swap(table, other.table);
    std::swap(occupied, other.occupied);
    std::swap(lines, other.lines);
    std::swap(first, other.first);
    std::swap(edges, other.edges);
    std::swap(vertices, other.vertices);
    std::swap(deleted, other.deleted);
  }

  void growTable() {
    const std::size_t room =
        std::max<std::size_t>(64, table.size() + table.size() / 2);
    Array<Record> larger(room);
    Occupied more(room);
    for (std::size_t v = 0; v < vertices; ++v) {
      larger[v] = table[v];
      if (larger[v].size != 0)
        more.insert(v);
    }
    table = std::move(larger);
    occupied = std::move(more);
  }

  Array<Record> table;
  Occupied occupied;
  LineStore lines;
  Line *first = nullptr;
  SpinLock headLock;
  std::uint64_t edges = 0;
  VertexId vertices = 0;
  VertexId deleted = 0; ///< how many vertices are marked
};

template <typename LayoutType> class Rows<LayoutType>::Link {
public:
  Link(Rows &rows, VertexId vertex) : rows(rows) {
    do {
      if (held)
        unlock();
      before = rows.occupied.before(vertex);
      lock();
    } while (rows.occupied.before(vertex) != before);
  }
  ~Link() { unlock(); }
  Link(const Link &) = delete;
  Link &operator=(const Link &) = delete;

  Line *next() const {
    return before ? rows.last(vertexBefore()).next().line() : rows.first;
  }
  void setNext(Line *next) {
    if (before)
      rows.last(vertexBefore()).setNext(Chunk<Layout>(next));
    else
      rows.first = next;
  }

private:
  VertexId vertexBefore() const { return static_cast<VertexId>(*before); }

  void lock() {
    if (before)
      rows.table[vertexBefore()].lock();
    else
      rows.headLock.lock();
    held = true;
  }
  void unlock() {
    if (before)
      rows.table[vertexBefore()].unlock();
    else
      rows.headLock.unlock();
  }

  Rows &rows;
  std::optional<std::size_t> before;
  bool held = false;
};

} // namespace heddle::graph::cblist

#endif
