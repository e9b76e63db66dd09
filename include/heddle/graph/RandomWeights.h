//===- RandomWeights.h - Weights for graphs without ------------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_RANDOMWEIGHTS_H
#define HEDDLE_GRAPH_RANDOMWEIGHTS_H

#include "heddle/graph/Csr.h"

#include <cstdint>

namespace heddle::graph {

/// Gives every edge a uniformly distributed integer weight from 1 to 255. It
/// depends only on the seed and the two ends: an edge has the same weight in
/// both directions, parallel edges have the same weight, and the number of
/// threads does not matter. Takes over the arrays of `graph` and adds an array
/// of weights for each direction, in parallel. Throws std::bad_alloc.
/// Instantiated for both vertex types and weights of int32_t, int64_t, float
/// and double.
///
///   auto graph = withRandomWeights(buildCsr(generateKronecker({.scale =
///   20})));
template <EdgeWeight Weight = std::int32_t, VertexIdentifier VertexId>
Csr<VertexId, Weight> withRandomWeights(Csr<VertexId, Unweighted> graph,
                                        std::uint64_t seed = 1);

} // namespace heddle::graph

#endif
