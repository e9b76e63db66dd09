//===- ReadEdgeList.cpp - Edge lists as SNAP publishes them --------------===//

#include "heddle/graph/ReadEdgeList.h"

#include "../files/Instantiate.h"
#include "lines/EdgeText.h"

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
  checkCredible(text, list.vertexCount, list.edges.size(), lineOfHighest);
  return std::move(list);
}

#define HEDDLE_INSTANTIATE(VertexId, Weight)                                   \
  template EdgeList<VertexId, Weight> readEdgeList<VertexId, Weight>(          \
      const std::string &, const ReadOptions &);
HEDDLE_FOR_ALL_GRAPHS(HEDDLE_INSTANTIATE)

} // namespace heddle::graph
