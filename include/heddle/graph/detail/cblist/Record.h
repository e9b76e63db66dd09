//===- Record.h - The records of the vertex table --------------*- C++ -*-===//
//
// Most vertices of most graphs have few edges. These are stored in the record
// itself: reading them takes no further cache miss, and no chunk, which would
// take at least a cache line, is allocated for them.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_CBLIST_RECORD_H
#define HEDDLE_GRAPH_DETAIL_CBLIST_RECORD_H

#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/Atomic.h"
#include "heddle/graph/detail/cblist/Chunk.h"
#include "heddle/graph/detail/cblist/SpinLock.h"

#include <cstdint>
#include <cstring>

namespace heddle::graph::cblist {

/// The edges of a row, or the links to its pieces. The number of edges, which
/// is kept elsewhere, distinguishes the two.
template <typename Layout> class RowBody {
public:
  using VertexId = typename Layout::VertexId;
  using Weight = typename Layout::Weight;
  using EdgeSlots = Slots<VertexId, Weight>;

  /// Traversal pointer: the first chunk.
  Line *first() const { return address(word(0)); }

  /// Query pointer: the small chunk or the root of the tree.
  Line *root() const { return address(word(sizeof(Line *))); }

  /// The lines of the root, and the number of levels of inner nodes. They are
  /// kept here so that a search knows them before it has loaded the root.
  unsigned rootLines() const { return bits(word(0)); }
  unsigned depth() const { return bits(word(sizeof(Line *))); }

  void setPieces(Line *first, Line *root, unsigned rootLines, unsigned depth) {
    HEDDLE_ASSERT(first && root && rootLines >= 1 && rootLines <= 4 &&
                  depth <= MostLevels);
    HEDDLE_ASSERT((depth == 0) == (first == root));
    setWord(0, first, rootLines);
    setWord(sizeof(Line *), root, depth);
  }
  void setRoot(Line *root, unsigned rootLines, unsigned depth) {
    setPieces(first(), root, rootLines, depth);
  }

  /// The edges, if they are inline.
  EdgeSlots slots() const {
    std::byte *const at = const_cast<std::byte *>(bytes);
    return {reinterpret_cast<VertexId *>(at),
            reinterpret_cast<Weight *>(at + Layout::InlineWeightsAt)};
  }

private:
  // Copies bytes. Otherwise, by the rules of aliasing, the compiler might move
  // the write of an address before reads of edges in the same memory.
  std::uintptr_t word(std::size_t at) const {
    std::uintptr_t word;
    std::memcpy(&word, bytes + at, sizeof(word));
    return word;
  }
  void setWord(std::size_t at, Line *line, unsigned bits) {
    HEDDLE_ASSERT(RowBody::bits(reinterpret_cast<std::uintptr_t>(line)) == 0);
    const std::uintptr_t word = reinterpret_cast<std::uintptr_t>(line) | bits;
    std::memcpy(bytes + at, &word, sizeof(word));
  }

  /// The low bits of line addresses are free.
  static constexpr std::uintptr_t BitsMask = LineBytes - 1;
  static Line *address(std::uintptr_t word) {
    return reinterpret_cast<Line *>(word & ~BitsMask);
  }
  static unsigned bits(std::uintptr_t word) {
    return static_cast<unsigned>(word & BitsMask);
  }
  static_assert(MostLevels <= BitsMask);

  alignas(Line *) std::byte bytes[Layout::InlineBytes];
};

/// The state has a lock bit that other threads wait for, so it is read and
/// written atomically.
template <typename Layout>
struct alignas(Layout::RecordBytes) VertexRecord : RowBody<Layout> {
  using VertexId = typename Layout::VertexId;

  VertexId size;               ///< the number of edges
  mutable std::uint32_t state; ///< to be locked for reading too

  static constexpr std::uint32_t Locked = std::uint32_t(1) << 31;
  static constexpr std::uint32_t Deleted = std::uint32_t(1) << 30;
  static constexpr std::uint32_t LevelMask = Deleted - 1;

  /// The number of leaves of its tree, or 0 if it has a small chunk or no
  /// piece.
  std::uint32_t level() const { return loadShared(state) & LevelMask; }
  bool isDeleted() const { return loadShared(state) & Deleted; }
  bool isEmpty() const { return size == 0; }

  /// Whether its edges, if any, are in the record.
  bool isInline() const { return size <= Layout::InlineEdges; }

  /// Only for a thread that holds the lock or that has exclusive access to the
  /// store.
  void setLevel(std::size_t level) {
    HEDDLE_ASSERT(level <= LevelMask);
    storeShared(state, (loadShared(state) & ~LevelMask) |
                           static_cast<std::uint32_t>(level));
  }
  void setDeleted(bool deleted) {
    HEDDLE_ASSERT(!deleted || isEmpty());
    storeShared(state,
                (loadShared(state) & ~Deleted) | (deleted ? Deleted : 0));
  }

  /// Replaces the row; `leaves` is the new level.
  void setRow(const RowBody<Layout> &body, std::size_t leaves,
              std::size_t edges) {
    static_cast<RowBody<Layout> &>(*this) = body;
    HEDDLE_ASSERT((leaves != 0) == (edges > Layout::MostChunkEdges));
    size = static_cast<VertexId>(edges);
    setLevel(leaves);
  }

  void lock() const { lockBit(state, Locked); }
  void unlock() const { unlockBit(state, Locked); }

  void makeEmpty() {
    size = 0;
    state = 0;
  }
};

/// The position of an edge, or the one where it would be inserted.
struct Place {
  Line *chunk; ///< null: in the record
  unsigned position;
  bool isThere;
};

/// Finds an edge of a row, with one descent of its tree. Inlined, as loops that
/// search have to see the loads that they wait for.
template <typename Layout>
[[gnu::always_inline]] inline Place
findPlace(const VertexRecord<Layout> &record,
          typename Layout::VertexId target) {
  Line *line = nullptr;
  auto slots = record.slots();
  auto size = static_cast<unsigned>(record.size);
  if (!record.isInline()) {
    const Chunk<Layout> chunk =
        findChunk<Layout>(record.root(), record.depth(), target);
    line = chunk.line();
    slots.targets = chunk.targets();
    size = chunk.count();
  }
  const unsigned position = slots.position(size, target);
  return {line, position, position < size && slots.targets[position] == target};
}

/// The slots of the edges at a position in a row.
template <typename Layout>
Slots<typename Layout::VertexId, typename Layout::Weight>
slotsAt(const VertexRecord<Layout> &record, const Place &place) {
  return place.chunk ? Chunk<Layout>(place.chunk).slots() : record.slots();
}

} // namespace heddle::graph::cblist

#endif
