//===- RandomWeights.cpp - Weights from the ends of edges ----------------===//

#include "heddle/graph/RandomWeights.h"

#include "EdgeWeights.h"

#include <utility>

namespace heddle::graph {
namespace {

template <EdgeWeight Weight, VertexIdentifier VertexId>
CsrRows<VertexId, Weight> addWeights(CsrRows<VertexId, Unweighted> rows,
                                     const RandomSequence &random) {
  CsrRows<VertexId, Weight> result;
  result.offsets = std::move(rows.offsets);
  result.targets = std::move(rows.targets);
  result.weights = Array<Weight>(result.targets.size());
  const std::size_t count =
      result.offsets.empty() ? 0 : result.offsets.size() - 1;
#pragma omp parallel for schedule(dynamic, 256)
  for (std::size_t row = 0; row < count; ++row)
    for (std::uint64_t i = result.offsets[row]; i < result.offsets[row + 1];
         ++i)
      result.weights[i] = randomWeight<Weight>(random, row, result.targets[i]);
  return result;
}

} // namespace

template <EdgeWeight Weight, VertexIdentifier VertexId>
Csr<VertexId, Weight> withRandomWeights(Csr<VertexId, Unweighted> graph,
                                        std::uint64_t seed) {
  const RandomSequence random(seed);
  const bool directed = graph.isDirected();
  auto [out, in] = std::move(graph).takeRows();
  auto weightedOut = addWeights<Weight>(std::move(out), random);
  if (!directed)
    return Csr<VertexId, Weight>(std::move(weightedOut));
  return Csr<VertexId, Weight>(std::move(weightedOut),
                               addWeights<Weight>(std::move(in), random));
}

#define HEDDLE_INSTANTIATE(VertexId, Weight)                                   \
  template Csr<VertexId, Weight> withRandomWeights<Weight>(                    \
      Csr<VertexId, Unweighted>, std::uint64_t);
#define HEDDLE_INSTANTIATE_WEIGHTS(VertexId)                                   \
  HEDDLE_INSTANTIATE(VertexId, std::int32_t)                                   \
  HEDDLE_INSTANTIATE(VertexId, std::int64_t)                                   \
  HEDDLE_INSTANTIATE(VertexId, float)                                          \
  HEDDLE_INSTANTIATE(VertexId, double)
HEDDLE_INSTANTIATE_WEIGHTS(std::uint32_t)
HEDDLE_INSTANTIATE_WEIGHTS(std::uint64_t)

} // namespace heddle::graph
