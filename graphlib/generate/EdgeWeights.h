//===- EdgeWeights.h - Weights from the ends of edges ----------*- C++ -*-===//

#ifndef HEDDLE_GRAPHLIB_GENERATE_EDGEWEIGHTS_H
#define HEDDLE_GRAPHLIB_GENERATE_EDGEWEIGHTS_H

#include "heddle/graph/Graph.h"
#include "heddle/graph/detail/Random.h"

#include <algorithm>
#include <cstdint>

namespace heddle::graph {

/// Returns a random weight from 1 to 255, the same for both directions of an
/// edge.
template <EdgeWeight Weight>
Weight randomWeight(const RandomSequence &random, std::uint64_t from,
                    std::uint64_t to) {
  constexpr std::uint64_t HighestWeight = 255;
  const auto [low, high] = std::minmax(from, to);
  return static_cast<Weight>(1 +
                             random.below(HighestWeight, scramble(low) + high));
}

} // namespace heddle::graph

#endif
