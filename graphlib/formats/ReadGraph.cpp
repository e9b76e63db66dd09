//===- ReadGraph.cpp - Graphs from files of any format -------------------===//

#include "heddle/graph/ReadGraph.h"

#include "Formats.h"
#include "heddle/graph/RandomWeights.h"

namespace heddle::graph {
namespace {

template <VertexIdentifier VertexId, EdgeWeight Weight>
Csr<VertexId, Weight> readFile(const std::string &path,
                               const ReadGraphOptions &options) {
  const GraphFormat format =
      options.format ? *options.format : formatOfFile(path);
  return visitFormat(format, [&](auto chosen) {
    return chosen.template read<VertexId, Weight>(path, options);
  });
}

} // namespace

template <VertexIdentifier VertexId, EdgeWeight Weight>
Csr<VertexId, Weight> readGraph(const std::string &path,
                                const ReadGraphOptions &options) {
  if constexpr (!std::same_as<Weight, Unweighted>)
    if (options.randomWeightSeed)
      return withRandomWeights<Weight>(
          readFile<VertexId, Unweighted>(path, options),
          *options.randomWeightSeed);
  return readFile<VertexId, Weight>(path, options);
}

#define HEDDLE_INSTANTIATE(VertexId, Weight)                                   \
  template Csr<VertexId, Weight> readGraph(const std::string &,                \
                                           const ReadGraphOptions &);
HEDDLE_FOR_ALL_GRAPHS(HEDDLE_INSTANTIATE)
#undef HEDDLE_INSTANTIATE

} // namespace heddle::graph
