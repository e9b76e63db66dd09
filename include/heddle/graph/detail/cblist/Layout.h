//===- Layout.h - Edges in cache lines -------------------------*- C++ -*-===//
//
// The layout of the two kinds of pieces that a CBList is made of: chunks and
// inner nodes. A piece takes one to four cache lines and begins with a header
// word that describes it, so pieces need no virtual functions and links need no
// type.
//
//   chunk   word | block of weights, if beside | targets | weights
//   inner   word | separators | children
//
// The header word has the kind in bits 0-1, the number of lines less one in
// bits 2-3, the address of the next leaf of the tree in bits 6-47, which
// suffice for the addresses of cache lines, and the number of edges or children
// in bits 48-63.
//
// Most vertices have few edges, which need no piece: they are stored in the
// vertex record, in place of the links to pieces:
//
//   record  targets | weights, or first chunk | root ... size | state
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_CBLIST_LAYOUT_H
#define HEDDLE_GRAPH_DETAIL_CBLIST_LAYOUT_H

#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/EdgeRange.h"
#include "heddle/graph/detail/cblist/Shape.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace heddle::graph::cblist {

inline constexpr std::size_t LineBytes = 64;

/// The unit of memory of pieces. Read and written through Chunk and InnerNode.
struct alignas(LineBytes) Line {
  std::byte bytes[LineBytes];
};

/// An upper bound of the levels of a tree: 2^30 leaves need 30 if all nodes
/// have two children.
inline constexpr unsigned MostLevels = 32;

enum class Kind : unsigned {
  Small, ///< all edges of its vertex
  Leaf,  ///< some of the edges of a tree
  Inner  ///< children of a tree, no edges
};

/// The header word of a piece.
class HeaderWord {
public:
  HeaderWord(Kind kind, unsigned lines)
      : word(static_cast<std::uint64_t>(kind) | (lines - 1) << LinesAt) {
    HEDDLE_ASSERT(lines >= 1 && lines <= 4);
  }
  explicit HeaderWord(std::uint64_t word) : word(word) {}

  std::uint64_t value() const { return word; }
  Kind kind() const { return static_cast<Kind>(word & 3); }
  unsigned lines() const {
    return static_cast<unsigned>(word >> LinesAt & 3) + 1;
  }
  unsigned count() const { return static_cast<unsigned>(word >> CountAt); }
  Line *next() const { return reinterpret_cast<Line *>(word & NextMask); }
  HeaderWord withCount(unsigned count) const {
    HEDDLE_ASSERT(count >> (64 - CountAt) == 0);
    return HeaderWord((word & ~(~std::uint64_t(0) << CountAt)) |
                      std::uint64_t(count) << CountAt);
  }
  HeaderWord withNext(const Line *next) const {
    HEDDLE_ASSERT(holds(next) && kind() != Kind::Inner);
    return HeaderWord((word & ~NextMask) |
                      reinterpret_cast<std::uintptr_t>(next));
  }

  /// Whether a header word has room for the address. Systems return no other
  /// addresses unless asked to.
  static bool holds(const Line *address) {
    return (reinterpret_cast<std::uintptr_t>(address) & ~NextMask) == 0;
  }

private:
  static constexpr unsigned LinesAt = 2, CountAt = 48;
  static constexpr std::uint64_t NextMask = 0x0000'ffff'ffff'ffc0;

  std::uint64_t word;
};

/// Sizes and offsets in the pieces of one kind of store.
template <VertexIdentifier VertexIdType, EdgeWeight WeightType,
          CBListShape Shape>
struct Layout {
  using VertexId = VertexIdType;
  using Weight = WeightType;

  static_assert(Shape.chunkLines >= 1 && Shape.chunkLines <= 4 &&
                    Shape.nodeLines >= 1 && Shape.nodeLines <= 4,
                "chunks and nodes have 1 to 4 cache lines");

  static constexpr bool IsWeighted = !std::same_as<Weight, Unweighted>;
  static constexpr bool WeightsInChunk =
      IsWeighted && Shape.properties == EdgeProperties::InChunk;
  static constexpr bool WeightsBeside = IsWeighted && !WeightsInChunk;

  static constexpr std::size_t BlockAt = sizeof(std::uint64_t);
  static constexpr std::size_t TargetsAt =
      BlockAt + (WeightsBeside ? sizeof(Line *) : 0);
  static constexpr std::size_t SeparatorsAt = sizeof(std::uint64_t);

  static constexpr std::size_t aligned(std::size_t at, std::size_t alignment) {
    return (at + alignment - 1) / alignment * alignment;
  }

  /// The results of a function of 1 to 4 lines, by these.
  template <typename Of> static constexpr auto byLines(Of of) {
    return std::array{decltype(of(1))(), of(1), of(2), of(3), of(4)};
  }

  /// The offset at which `edges` targets end and weights may begin.
  static constexpr std::size_t endOfTargets(std::size_t edges) {
    const std::size_t end = TargetsAt + edges * sizeof(VertexId);
    return WeightsInChunk ? aligned(end, alignof(Weight)) : end;
  }

  /// The number of edges that fit in a chunk of `lines` lines.
  static constexpr unsigned fitting(unsigned lines) {
    const std::size_t room = lines * LineBytes - TargetsAt;
    if constexpr (!WeightsInChunk)
      return static_cast<unsigned>(room / sizeof(VertexId));
    else {
      std::size_t edges = room / (sizeof(VertexId) + sizeof(Weight));
      while (endOfTargets(edges) + edges * sizeof(Weight) > lines * LineBytes)
        --edges;
      return static_cast<unsigned>(edges);
    }
  }

  /// The offset of the weights in a chunk of `lines` lines.
  static constexpr std::size_t weightsAt(unsigned lines) {
    constexpr auto places =
        byLines([](unsigned n) { return endOfTargets(fitting(n)); });
    return places[lines];
  }

  /// The lines of the block of weights beside a chunk of `lines` lines.
  static constexpr unsigned blockLines(unsigned lines) {
    if constexpr (WeightsBeside)
      return static_cast<unsigned>(
          (fitting(lines) * sizeof(Weight) + LineBytes - 1) / LineBytes);
    else
      return 0;
  }

  /// A vertex record takes half a line, so that none straddles two lines.
  static constexpr std::size_t RecordBytes = LineBytes / 2;
  static constexpr std::size_t InlineBytes =
      (RecordBytes - sizeof(VertexId) - sizeof(std::uint32_t)) /
      sizeof(Line *) * sizeof(Line *);

  /// The offsets at which the weights of `edges` edges begin and end in a
  /// record.
  static constexpr std::size_t inlineWeightsAt(std::size_t edges) {
    return aligned(edges * sizeof(VertexId), IsWeighted ? alignof(Weight) : 1);
  }
  static constexpr std::size_t endOfInline(std::size_t edges) {
    return inlineWeightsAt(edges) + edges * (IsWeighted ? sizeof(Weight) : 0);
  }
  static constexpr unsigned inlineFitting() {
    unsigned edges = InlineBytes / sizeof(VertexId);
    while (endOfInline(edges) > InlineBytes ||
           (IsWeighted && alignof(Weight) > alignof(Line *) && edges != 0))
      --edges;
    return edges;
  }

  /// A vertex has its edges in its record if, and only if, it has at most this
  /// many.
  static constexpr unsigned InlineEdges =
      std::min(inlineFitting(), Shape.mostInlineEdges);
  static constexpr std::size_t InlineWeightsAt = inlineWeightsAt(InlineEdges);

  /// The most edges of a small chunk of `lines` lines.
  static constexpr unsigned chunkEdges(unsigned lines) {
    return std::min(fitting(lines), Shape.mostChunkEdges);
  }
  static constexpr unsigned ChunkLines = Shape.chunkLines;
  static constexpr unsigned NodeLines = Shape.nodeLines;
  static constexpr unsigned MostChunkEdges = chunkEdges(ChunkLines);
  static constexpr unsigned MostLeafEdges =
      std::min(fitting(NodeLines), Shape.mostLeafEdges);
  static constexpr unsigned FewestLeafEdges = std::max(1u, MostLeafEdges / 4);

  static constexpr std::size_t childrenBehind(std::size_t separators) {
    return aligned(SeparatorsAt + separators * sizeof(VertexId),
                   alignof(Line *));
  }

  /// For an inner node of `lines` lines: the number of slots for children,
  /// their offset, and the most children that it may have. Only roots have
  /// fewer lines than InnerLines.
  static constexpr unsigned childPlaces(unsigned lines) {
    unsigned places = 0;
    while (childrenBehind(places + 1) + (places + 1) * sizeof(Line *) <=
           lines * LineBytes)
      ++places;
    return places;
  }
  static constexpr std::size_t childrenAt(unsigned lines) {
    constexpr auto places =
        byLines([](unsigned n) { return childrenBehind(childPlaces(n)); });
    return places[lines];
  }
  static constexpr unsigned mostChildren(unsigned lines) {
    constexpr auto most = byLines([](unsigned n) {
      return std::min(childPlaces(n), Shape.mostChildren);
    });
    return most[lines];
  }
  static constexpr unsigned MostChildren =
      std::min(childPlaces(NodeLines), Shape.mostChildren);
  static constexpr unsigned FewestChildren = std::max(2u, MostChildren / 4);

  /// The lines of a root with `children` children, at most MostChildren.
  static constexpr unsigned rootLines(std::size_t children) {
    unsigned lines = 1;
    while (mostChildren(lines) < children)
      ++lines;
    return lines;
  }
  static constexpr unsigned InnerLines = rootLines(MostChildren);

  /// A deletion that leaves this many edges or fewer replaces a tree by a small
  /// chunk.
  static constexpr unsigned DemotedEdges =
      std::max(MostChunkEdges / 2, InlineEdges);

  static_assert(MostChunkEdges >= 1 && MostLeafEdges >= 2 && MostChildren >= 3);
  static_assert(endOfInline(InlineEdges) <= InlineBytes &&
                InlineBytes >= 2 * sizeof(Line *));

  /// The lines of the smallest chunk for `edges` edges, at most MostChunkEdges.
  static constexpr unsigned linesFor(std::size_t edges) {
    unsigned lines = 1;
    while (chunkEdges(lines) < edges)
      ++lines;
    return lines;
  }

  /// The lines of a chunk of `lines` lines together with its block of weights.
  static constexpr unsigned linesWithBlock(unsigned lines) {
    return lines + blockLines(lines);
  }
};

} // namespace heddle::graph::cblist

#endif
