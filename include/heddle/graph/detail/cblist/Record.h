//===- Record.h - What the vertex table knows of a vertex ------*- C++ -*-===//
//
// Most vertices of most graphs have few edges. Those lie in the record itself:
// whoever has come so far need not go on to a chunk, and a chunk, which is a
// cache line at least, is not taken for them.
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

/// The edges of a row, or where its pieces begin. Which of them it is, the
/// number of edges says, which is kept elsewhere.
template <typename Layout> class RowBody {
public:
  using VertexId = typename Layout::VertexId;
  using Weight = typename Layout::Weight;
  using EdgeSlots = Slots<VertexId, Weight>;

  /// Traversal pointer: the first chunk.
  Line *first() const { return address(word(0)); }

  /// Query pointer: the small chunk or the root of the tree.
  Line *root() const { return address(word(sizeof(Line *))); }

  /// The lines of the piece at the root, and how many levels of inner nodes
  /// there are: whoever needs them need not wait for the pieces themselves.
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

  /// The edges, if they are here.
  EdgeSlots slots() const {
    std::byte *const at = const_cast<std::byte *>(bytes);
    return {reinterpret_cast<VertexId *>(at),
            reinterpret_cast<Weight *>(at + Layout::InlineWeightsAt)};
  }

private:
  // Copied as bytes: the compiler may order a write of an address before reads
  // of edges in the same place otherwise.
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

  /// Addresses of lines leave some bits free.
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

/// The state has bits that other threads wait for, so that it is read and
/// written atomically.
template <typename Layout>
struct alignas(Layout::RecordBytes) VertexRecord : RowBody<Layout> {
  using VertexId = typename Layout::VertexId;

  VertexId size; ///< how many edges
  std::uint32_t state;

  static constexpr std::uint32_t Locked = std::uint32_t(1) << 31;
  static constexpr std::uint32_t Deleted = std::uint32_t(1) << 30;
  static constexpr std::uint32_t LevelMask = Deleted - 1;

  /// How many leaves its tree has; 0: it has a small chunk or none.
  std::uint32_t level() const { return loadShared(state) & LevelMask; }
  bool isDeleted() const { return loadShared(state) & Deleted; }
  bool isEmpty() const { return size == 0; }

  /// Whether its edges, of which there may be none, are in the record.
  bool isInline() const { return size <= Layout::InlineEdges; }

  /// Only by who holds the lock or has the store for himself.
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

  void lock() { lockBit(state, Locked); }
  void unlock() { unlockBit(state, Locked); }

  void makeEmpty() {
    size = 0;
    state = 0;
  }
};

/// Where an edge is or would be.
struct Place {
  Line *chunk; ///< none: in the record
  unsigned position;
  bool isThere;
};

/// Finds an edge of a row. One descent of a tree. Inlined, as loops that search
/// have to see what they wait for.
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

/// The edges at a place in a row.
template <typename Layout>
Slots<typename Layout::VertexId, typename Layout::Weight>
slotsAt(const VertexRecord<Layout> &record, const Place &place) {
  return place.chunk ? Chunk<Layout>(place.chunk).slots() : record.slots();
}

} // namespace heddle::graph::cblist

#endif
