//===- ReadLigra.cpp - Adjacency graphs of Ligra -------------------------===//

#include "../files/GrowingArray.h"
#include "../files/Instantiate.h"
#include "Formats.h"
#include "LigraParser.h"

#include <algorithm>

namespace heddle::graph {
namespace {

/// Where all numbers of a file go.
template <VertexIdentifier VertexId, EdgeWeight Weight> class WholeGraph {
public:
  WholeGraph(const TextFile &text, const LigraHeader &header)
      : text(text), header(header) {}

  void makeRoom(std::uint64_t, std::uint64_t end) {
    const std::uint64_t firstTarget = header.firstTarget();
    extendTo(offsets, std::min(end, firstTarget));
    extendTo(edges, std::min(std::max(end, firstTarget), header.firstWeight()) -
                        firstTarget);
  }

  bool wants(std::uint64_t) const { return true; }
  std::uint64_t offset(std::uint64_t vertex) const { return offsets[vertex]; }
  void setOffset(std::uint64_t vertex, std::uint64_t offset) {
    offsets[vertex] = offset;
  }
  void setTarget(std::uint64_t edge, VertexId target) {
    edges[edge].to = target;
  }
  void setWeight(std::uint64_t edge, Weight weight) {
    edges[edge].weight = weight;
  }

  /// All edges, once all numbers are there.
  EdgeList<VertexId, Weight> takeEdges() {
    EdgeList<VertexId, Weight> list;
    list.vertexCount = static_cast<VertexId>(header.vertices);
    list.edges = edges.take();
#pragma omp parallel for schedule(dynamic, 256)
    for (std::size_t v = 0; v < header.vertices; ++v) {
      const std::uint64_t end =
          v + 1 < header.vertices ? offsets[v + 1] : header.edges;
      for (std::uint64_t i = offsets[v]; i < end; ++i)
        list.edges[i].from = static_cast<VertexId>(v);
    }
    return list;
  }

private:
  template <typename T>
  void extendTo(GrowingArray<T> &array, std::uint64_t size) {
    if (size > array.size())
      array.extend(size - array.size(), text.expectedTotal(size));
  }

  const TextFile &text;
  const LigraHeader header;
  GrowingArray<std::uint64_t> offsets;
  GrowingArray<Edge<VertexId, Weight>> edges;
};

} // namespace

template <VertexIdentifier VertexId, EdgeWeight Weight>
EdgesOfFile<VertexId, Weight> readLigra(const std::string &path,
                                        const ReadOptions &options) {
  TextFile text(path, options);
  const auto header = readLigraHeader<VertexId, Weight>(text, path, options);
  WholeGraph<VertexId, Weight> graph(text, header);
  LigraParser<VertexId, Weight, WholeGraph<VertexId, Weight>> parser(
      text, header, graph);
  while (parser.parseLines()) {
  }
  EdgesOfFile<VertexId, Weight> result;
  result.list = graph.takeEdges();
  result.list.vertexCount =
      static_cast<VertexId>(options.vertexCount.value_or(header.vertices));
  return result;
}

#define HEDDLE_INSTANTIATE(VertexId, Weight)                                   \
  template EdgesOfFile<VertexId, Weight> readLigra(const std::string &,        \
                                                   const ReadOptions &);
HEDDLE_FOR_ALL_GRAPHS(HEDDLE_INSTANTIATE)

} // namespace heddle::graph
