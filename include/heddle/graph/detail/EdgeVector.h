//===- EdgeVector.h - Edges in the lanes of a vector -----------*- C++ -*-===//
//
// The layout of Vector-Sparse (Grazelle, section 4), which stores, compiler and
// tests agree on. Edges are stored in lanes of 32 or 64 bits; a fixed number of
// lanes, aligned to their size, is an edge vector; all its edges belong to one
// vertex, the top-level vertex. From its highest bit down a lane holds
//
//   1 bit    valid: whether there is an edge in this lane
//   P bits   a piece of the top-level vertex
//   the rest the neighbour: 48 bits of a 64-bit lane, with unused ones above
//            it, or all that remains of a 32-bit lane
//
//   lanes     P   neighbour     lanes     P   neighbour
//   4 x 64   12   48            8 x 32    4   27
//   8 x 64    6   48            16 x 32   2   29
//
// Lane i holds bits i * P to i * P + P - 1 of the top-level vertex. So one
// rotation brings every piece to its place, the same one mask a lane cuts it
// out, and the disjunction of all lanes is the vertex; and two edge vectors can
// be compared without decoding: they belong to the same vertex if their lanes
// differ in no bit of TopLevelMask.
//
// Lanes without an edge come last. They have a clear valid bit, the piece of
// the top-level vertex, and neighbour 0, so that a vector of values may be
// gathered by all lanes and those in excess be dropped afterwards.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_EDGEVECTOR_H
#define HEDDLE_GRAPH_DETAIL_EDGEVECTOR_H

#include "heddle/graph/Graph.h"
#include "heddle/graph/detail/Assert.h"

#include <bit>
#include <cstdint>

namespace heddle::graph {

/// Encodes and decodes lanes; a vertex has the type of a lane. All functions
/// take a few instructions and may be called by any number of threads.
///
///   using Layout = EdgeVectorLayout<std::uint32_t, 8>;
///   Layout::neighbour(Layout::edge(/*topLevel=*/7, /*lane=*/0, 9)) == 9
template <VertexIdentifier LaneType, unsigned LaneCount>
struct EdgeVectorLayout {
  using Lane = LaneType;

  static constexpr unsigned LaneBits = 8 * sizeof(Lane);
  static constexpr unsigned Lanes = LaneCount;
  static_assert((LaneBits == 64 && (Lanes == 4 || Lanes == 8)) ||
                    (LaneBits == 32 && (Lanes == 8 || Lanes == 16)),
                "edge vectors have 4 or 8 lanes of 64 bits, or 8 or 16 of 32");

  static constexpr unsigned TopLevelBits = LaneBits == 64 ? 48 : 32;
  static constexpr unsigned PieceBits = (TopLevelBits + Lanes - 1) / Lanes;
  static constexpr unsigned PieceShift = LaneBits - 1 - PieceBits;
  static constexpr unsigned NeighbourBits = LaneBits == 64 ? 48 : PieceShift;

  static constexpr Lane ValidMask = Lane(1) << (LaneBits - 1);
  static constexpr Lane PieceMask = (Lane(1) << PieceBits) - 1;
  static constexpr Lane TopLevelMask = PieceMask << PieceShift;
  static constexpr Lane NeighbourMask = (Lane(1) << NeighbourBits) - 1;

  /// A graph with more vertices does not fit.
  static constexpr Lane MostVertices = Lane(1) << NeighbourBits;

  /// Returns the lane at `index` in an edge vector of `topLevel`, with an edge.
  static constexpr Lane edge(Lane topLevel, unsigned index, Lane neighbour) {
    HEDDLE_ASSERT(neighbour <= NeighbourMask);
    return ValidMask | padding(topLevel, index) | neighbour;
  }
  /// Returns the lane at `index` in an edge vector of `topLevel`, without an
  /// edge.
  static constexpr Lane padding(Lane topLevel, unsigned index) {
    HEDDLE_ASSERT(index < Lanes);
    return (topLevel >> (index * PieceBits) & PieceMask) << PieceShift;
  }

  static constexpr bool isValid(Lane lane) { return lane >> (LaneBits - 1); }
  static constexpr Lane neighbour(Lane lane) { return lane & NeighbourMask; }

  /// The vertex that the edge vector beginning at `first` belongs to.
  static constexpr Lane topLevel(const Lane *first) {
    Lane vertex = 0;
    for (unsigned i = 0; i < Lanes; ++i) {
      const unsigned place = i * PieceBits;
      vertex |= std::rotr(first[i], int(PieceShift) - int(place)) &
                PieceMask << place;
    }
    return vertex;
  }

  /// Whether two edge vectors belong to the same vertex.
  static constexpr bool sameTopLevel(const Lane *first, const Lane *second) {
    Lane difference = 0;
    for (unsigned i = 0; i < Lanes; ++i)
      difference |= first[i] ^ second[i];
    return (difference & TopLevelMask) == 0;
  }
};

} // namespace heddle::graph

#endif
