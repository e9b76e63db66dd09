//===- ReadMatrixMarket.cpp - Sparse matrices in coordinates -------------===//

#include "../files/Instantiate.h"
#include "Formats.h"
#include "MatrixMarket.h"

namespace heddle::graph {
namespace {

/// Adds the entries that a skew-symmetric matrix has on the other side.
template <VertexIdentifier VertexId, EdgeWeight Weight>
void addMirrored(EdgeList<VertexId, Weight> &list, const std::string &path) {
  const std::size_t listed = list.edges.size();
  Array<Edge<VertexId, Weight>> both(2 * listed);
  std::size_t mirrored = 0;
#pragma omp parallel for reduction(+ : mirrored)
  for (std::size_t i = 0; i < listed; ++i) {
    both[2 * i] = list.edges[i];
    mirrored += mirrorNegated(list.edges[i], both[2 * i + 1]);
  }
  expectMirrored<Weight>(mirrored == listed, path);
  list.edges = std::move(both);
}

} // namespace

template <VertexIdentifier VertexId, EdgeWeight Weight>
EdgesOfFile<VertexId, Weight> readMatrixMarket(const std::string &path,
                                               const ReadOptions &options) {
  using Symmetry = MatrixMarketHeader::Symmetry;
  TextFile text(path, options);
  const MatrixMarketHeader header = readMatrixMarketHeader(text);
  const auto form =
      formOfEntries<VertexId, Weight>(header, text, path, options);
  EdgesOfFile<VertexId, Weight> result;
  result.list = parseEdges<VertexId, Weight>(text, form).list;
  result.list.vertexCount =
      static_cast<VertexId>(options.vertexCount.value_or(header.vertices));
  if (header.symmetry == Symmetry::Symmetric)
    result.directed = false;
  if (header.symmetry == Symmetry::Skew) {
    result.directed = true;
    addMirrored(result.list, path);
  }
  return result;
}

#define HEDDLE_INSTANTIATE(VertexId, Weight)                                   \
  template EdgesOfFile<VertexId, Weight> readMatrixMarket(                     \
      const std::string &, const ReadOptions &);
HEDDLE_FOR_ALL_GRAPHS(HEDDLE_INSTANTIATE)

} // namespace heddle::graph
