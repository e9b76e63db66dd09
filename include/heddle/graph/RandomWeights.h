//===- RandomWeights.h - Weights for graphs without ------------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_RANDOMWEIGHTS_H
#define HEDDLE_GRAPH_RANDOMWEIGHTS_H

#include "heddle/graph/Csr.h"

#include <cstdint>

namespace heddle::graph {

/// Gives every edge an integer weight from 1 to 255, all as likely. It depends
/// on the seed and on the two ends alone: an edge has the same in both
/// directions, parallel edges have the same, and the number of threads does not
/// matter. Takes the arrays of `graph` over and adds one for each direction; in
/// parallel. Throws std::bad_alloc. Instantiated for both kinds of vertices and
/// weights of int32_t, int64_t, float and double.
///
///   auto graph = withRandomWeights(buildCsr(generateKronecker({.scale =
///   20})));
template <EdgeWeight Weight = std::int32_t, VertexIdentifier VertexId>
Csr<VertexId, Weight> withRandomWeights(Csr<VertexId, Unweighted> graph,
                                        std::uint64_t seed = 1);

} // namespace heddle::graph

#endif
