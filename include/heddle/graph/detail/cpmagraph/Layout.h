//===- cpmagraph/Layout.h - How edges become keys --------------*- C++ -*-===//
//
// One ordered set holds all edges of a graph in one direction (CPMA, section 6,
// F-Graph): the row that an edge is in is the high half of its key, and its
// target the low one. Within a row, what lies between one key and the next is
// what lies between their targets.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_CPMAGRAPH_LAYOUT_H
#define HEDDLE_GRAPH_DETAIL_CPMAGRAPH_LAYOUT_H

#include "heddle/graph/Graph.h"
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

/// Elements with weights are twice as large: leaves with as many of them are as
/// well filled.
template <EdgeWeight Weight>
inline constexpr std::size_t UsualLeafBytes =
    std::same_as<Weight, Unweighted> ? 256 : 512;

/// What leaves there are for edges with such weights.
template <EdgeWeight WeightType, std::size_t LeafSize> struct Layout {
  using VertexId = std::uint32_t;
  using Weight = WeightType;
  static constexpr bool IsWeighted = !std::same_as<Weight, Unweighted>;

  using Value = std::conditional_t<IsWeighted, Weight, detail::NoValue>;
  using Traits = detail::LeafTraits<detail::DeltaCodec<Key>, Value, LeafSize>;
  using Leaves = detail::Leaves<Traits>;
  using Density = detail::Density<Traits>;

  /// A weight as leaves have it, and back.
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

/// Where the edges of a vertex begin: at an element of a leaf. It says so much
/// that the row can be read from there and nothing else need be decoded or
/// searched: what the target of that element is, where the code of the next one
/// begins, and how many elements of the leaf are left, from which follows where
/// its value lies.
struct RowStart {
  std::uint32_t leaf;
  std::uint16_t rest;     ///< elements of the leaf from this one on
  std::uint16_t codesEnd; ///< of the codes up to this element's, in bytes
  std::uint32_t target;
  std::uint32_t size; ///< how many edges there are; if none, all else is void

  static constexpr std::uint32_t NoLeaf = UINT32_MAX;

  /// A vertex that has been deleted has no edges, and none can be added.
  bool isDeleted() const { return size == 0 && leaf == NoLeaf; }
};

static_assert(sizeof(RowStart) == 16);

} // namespace heddle::graph::cpmagraph

#endif
