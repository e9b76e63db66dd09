//===- ReadPairs.cpp - Edges as pairs of binary numbers ------------------===//

#include "../files/GrowingArray.h"
#include "../files/Instantiate.h"
#include "Formats.h"
#include "PairsFile.h"

#include <algorithm>

namespace heddle::graph {

template <VertexIdentifier VertexId, EdgeWeight Weight>
EdgeList<VertexId, Weight> readPairs(const std::string &path,
                                     const ReadOptions &options) {
  PairsFile<VertexId, Weight> file(path, options);
  GrowingArray<Edge<VertexId, Weight>> edges;
  for (auto piece = file.next(); !piece.empty(); piece = file.next())
    std::ranges::copy(piece, edges.extend(piece.size(), file.expectedEdges()));
  EdgeList<VertexId, Weight> list;
  list.vertexCount = static_cast<VertexId>(file.vertexCount());
  list.edges = edges.take();
  return list;
}

#define HEDDLE_INSTANTIATE(VertexId, Weight)                                   \
  template EdgeList<VertexId, Weight> readPairs(const std::string &,           \
                                                const ReadOptions &);
HEDDLE_FOR_ALL_GRAPHS(HEDDLE_INSTANTIATE)

} // namespace heddle::graph
