//===- Kronecker.cpp - The generator of Graph500 -------------------------===//

#include "heddle/graph/detail/Kronecker.h"
#include "heddle/graph/Generate.h"

#include <limits>
#include <string>

namespace heddle::graph {

template <VertexIdentifier VertexId>
EdgeList<VertexId> generateKronecker(const KroneckerOptions &options) {
  constexpr unsigned mostLevels = std::numeric_limits<VertexId>::digits - 1;
  const unsigned scale = options.scale;
  if (scale > mostLevels)
    throw Error("Kronecker graph: expected a scale of at most " +
                std::to_string(mostLevels) + ", found " +
                std::to_string(scale));
  const std::uint64_t vertices = std::uint64_t(1) << scale;
  if (options.edgesPerVertex >
      std::numeric_limits<std::uint64_t>::max() / vertices)
    throw Error("Kronecker graph: expected fewer than 2^64 edges, found " +
                std::to_string(options.edgesPerVertex) + " for each of 2^" +
                std::to_string(scale) + " vertices");

  EdgeList<VertexId> list;
  list.vertexCount = static_cast<VertexId>(vertices);
  list.edges = Array<Edge<VertexId>>(options.edgesPerVertex * vertices);
  const detail::KroneckerEdges edges(scale, options.seed);
#pragma omp parallel for
  for (std::size_t i = 0; i < list.edges.size(); ++i) {
    const auto [from, to] = edges[i];
    list.edges[i] = {
        static_cast<VertexId>(from), static_cast<VertexId>(to), {}};
  }
  return list;
}

template EdgeList<std::uint32_t> generateKronecker(const KroneckerOptions &);
template EdgeList<std::uint64_t> generateKronecker(const KroneckerOptions &);

} // namespace heddle::graph
