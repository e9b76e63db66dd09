//===- Uniform.cpp - Edges between random vertices -----------------------===//

#include "heddle/graph/Generate.h"
#include "heddle/graph/detail/Random.h"

#include <string>

namespace heddle::graph {

template <VertexIdentifier VertexId>
EdgeList<VertexId> generateUniform(const UniformOptions &options) {
  if (options.vertices > MostVertices<VertexId>)
    throw Error("uniform graph: expected at most " +
                std::to_string(MostVertices<VertexId>) + " vertices, found " +
                std::to_string(options.vertices));
  if (options.vertices == 0 && options.edges > 0)
    throw Error("uniform graph: expected a vertex for the edges to end at, "
                "found none");

  EdgeList<VertexId> list;
  list.vertexCount = static_cast<VertexId>(options.vertices);
  list.edges = Array<Edge<VertexId>>(options.edges);
  const RandomSequence random(options.seed);
#pragma omp parallel for
  for (std::size_t i = 0; i < list.edges.size(); ++i)
    list.edges[i] = {
        static_cast<VertexId>(random.below(options.vertices, 2 * i)),
        static_cast<VertexId>(random.below(options.vertices, 2 * i + 1)),
        {}};
  return list;
}

template EdgeList<std::uint32_t> generateUniform(const UniformOptions &);
template EdgeList<std::uint64_t> generateUniform(const UniformOptions &);

} // namespace heddle::graph
