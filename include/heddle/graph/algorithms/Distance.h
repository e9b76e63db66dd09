//===- Distance.h - How far it is to a vertex ------------------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_ALGORITHMS_DISTANCE_H
#define HEDDLE_GRAPH_ALGORITHMS_DISTANCE_H

#include "heddle/graph/Graph.h"

#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace heddle::graph {

/// What sums of weights are kept in: a floating-point type itself, and an
/// integer of at least 32 bits.
template <EdgeWeight Weight>
using DistanceOf =
    std::conditional_t<std::integral<Weight> && sizeof(Weight) < 4,
                       std::int32_t, Weight>;

/// The distance of vertices that no path leads to: infinity, or the highest
/// integer.
template <typename Distance>
inline constexpr Distance Unreachable =
    std::numeric_limits<Distance>::has_infinity
        ? std::numeric_limits<Distance>::infinity()
        : std::numeric_limits<Distance>::max();

} // namespace heddle::graph

#endif
