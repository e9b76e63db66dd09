//===- cpmagraph/Layout.h - How edges become keys --------------*- C++ -*-===//
//
// One ordered set holds all edges of a graph in one direction (CPMA, section 6,
// F-Graph). The high half of an edge's key is its row, the low half its target.
// Within a row, the difference of two keys is the difference of their targets.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_CPMAGRAPH_LAYOUT_H
#define HEDDLE_GRAPH_DETAIL_CPMAGRAPH_LAYOUT_H

#include "heddle/graph/Graph.h"
#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/pma/Density.h"
#include "heddle/graph/detail/pma/Leaves.h"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace heddle::graph::cpmagraph {

using Key = std::uint64_t;

inline constexpr unsigned TargetBits = 32;

constexpr Key keyOf(std::uint32_t row, std::uint32_t target) {
  return Key(row) << TargetBits | target;
}
constexpr std::uint32_t rowOf(Key key) {
  return static_cast<std::uint32_t>(key >> TargetBits);
}
constexpr std::uint32_t targetOf(Key key) {
  return static_cast<std::uint32_t>(key);
}

/// Elements with weights are about twice as large, so their leaves are too.
template <EdgeWeight Weight>
inline constexpr std::size_t UsualLeafBytes =
    std::same_as<Weight, Unweighted> ? 256 : 512;

/// The leaves of edges with a kind of weights.
template <EdgeWeight WeightType, std::size_t LeafSize> struct Layout {
  using VertexId = std::uint32_t;
  using Weight = WeightType;
  static constexpr bool IsWeighted = !std::same_as<Weight, Unweighted>;

  using Value = std::conditional_t<IsWeighted, Weight, detail::NoValue>;
  using Traits = detail::LeafTraits<detail::DeltaCodec<Key>, Value, LeafSize>;
  using Leaves = detail::Leaves<Traits>;
  using Density = detail::Density<Traits>;

  /// Converts a weight to the value of a leaf, and back.
  static Value valueOf(Weight weight) {
    if constexpr (IsWeighted)
      return weight;
    else
      return {};
  }
  [[gnu::always_inline]] static Weight weightAt(const std::byte *value) {
    if constexpr (IsWeighted)
      return detail::loadValue<Weight>(value);
    else
      return {};
  }
};

/// The first edge of a vertex: an element of a leaf. It has all data to read
/// the row from there without decoding or searching anything else: the target
/// of the element, the offset of the next code, and the number of elements left
/// in the leaf, from which the address of the value follows.
struct RowStart {
  std::uint32_t leaf;
  std::uint16_t rest;     ///< elements of the leaf from this one on
  std::uint16_t codesEnd; ///< of the codes up to this element's, in bytes
  std::uint32_t target;
  std::uint32_t size; ///< the number of edges; without any, all else is void

  static constexpr std::uint32_t NoLeaf = UINT32_MAX;

  /// A deleted vertex has no edges, and none can be added.
  bool isDeleted() const { return size == 0 && leaf == NoLeaf; }
  void setDeleted(bool isDeleted) {
    HEDDLE_ASSERT(size == 0);
    leaf = isDeleted ? NoLeaf : 0;
  }
  void makeEmpty() { *this = {}; }
};

static_assert(sizeof(RowStart) == 16);

} // namespace heddle::graph::cpmagraph

#endif
