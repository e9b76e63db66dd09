//===- Distance.h - The distance to a vertex -------------------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_ALGORITHMS_DISTANCE_H
#define HEDDLE_GRAPH_ALGORITHMS_DISTANCE_H

#include "heddle/graph/Graph.h"

#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace heddle::graph {

/// The type of sums of weights: the type of weights, or std::int32_t if that is
/// an integer of fewer bits.
template <EdgeWeight Weight>
using DistanceOf =
    std::conditional_t<std::integral<Weight> && sizeof(Weight) < 4,
                       std::int32_t, Weight>;

/// The distance of vertices that cannot be reached: infinity, or the highest
/// integer.
template <typename Distance>
inline constexpr Distance Unreachable =
    std::numeric_limits<Distance>::has_infinity
        ? std::numeric_limits<Distance>::infinity()
        : std::numeric_limits<Distance>::max();

} // namespace heddle::graph

#endif
