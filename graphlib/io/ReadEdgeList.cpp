//===- ReadEdgeList.cpp - Edge lists as SNAP publishes them --------------===//

#include "heddle/graph/ReadEdgeList.h"

#include "EdgeText.h"
#include "Instantiate.h"

namespace heddle::graph {

template <VertexIdentifier VertexId, EdgeWeight Weight>
EdgeList<VertexId, Weight> readEdgeList(const std::string &path,
                                        const ReadOptions &options) {
  const EdgeTextForm<VertexId> form = {
      .vertexLimit = vertexLimit<VertexId>(path, options)};
  TextFile text(path, options);
  auto [list, lineOfHighest] = parseEdges<VertexId, Weight>(text, form);
  if (options.vertexCount) {
    list.vertexCount = form.vertexLimit;
    return std::move(list);
  }
  const std::uint64_t limit = crediblyMostVertices(list.edges.size());
  if (list.vertexCount > limit)
    text.fail(lineOfHighest,
              "expected a vertex below " + std::to_string(limit) +
                  " in a file of " + std::to_string(list.edges.size()) +
                  " edges, found " + std::to_string(list.vertexCount - 1) +
                  "; if that is right, say how many vertices there are");
  return std::move(list);
}

#define HEDDLE_INSTANTIATE(VertexId, Weight)                                   \
  template EdgeList<VertexId, Weight> readEdgeList<VertexId, Weight>(          \
      const std::string &, const ReadOptions &);
HEDDLE_FOR_ALL_GRAPHS(HEDDLE_INSTANTIATE)

} // namespace heddle::graph
