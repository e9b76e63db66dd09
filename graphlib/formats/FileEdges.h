//===- FileEdges.h - The edges of a file that lists them -------*- C++ -*-===//
//
// One reader of a list gives its edges piece by piece, for graphs that are
// larger than memory, or all at once, to build a graph from.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPHLIB_FORMATS_FILEEDGES_H
#define HEDDLE_GRAPHLIB_FORMATS_FILEEDGES_H

#include "../files/GrowingArray.h"
#include "CsrInstances.h"
#include "heddle/graph/Csr.h"
#include "heddle/graph/ReadGraph.h"
#include "heddle/graph/detail/EdgeSource.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace heddle::graph {

template <VertexIdentifier VertexId, EdgeWeight Weight>
class FileEdges : public detail::EdgeSource<VertexId, Weight> {
public:
  /// Returns all edges; used instead of next(). If the file has one entry for
  /// both directions of an edge and isDirected() says so, the edge is returned
  /// once.
  virtual Array<Edge<VertexId, Weight>> all() {
    GrowingArray<Edge<VertexId, Weight>> edges;
    for (auto piece = this->next(); !piece.empty(); piece = this->next())
      std::ranges::copy(piece, edges.extend(piece.size(), expectedEdges()));
    return edges.take();
  }

  /// Whether edges have a direction, if the file says so.
  virtual std::optional<bool> isDirected() const { return {}; }

protected:
  /// The expected number of edges of the whole file, or 0 if that is not known.
  virtual std::uint64_t expectedEdges() const { return 0; }
};

/// Copies edges to `piece`, each but loops followed by the same in the other
/// direction.
template <VertexIdentifier VertexId, EdgeWeight Weight>
std::span<const Edge<VertexId, Weight>>
mirrored(std::span<const Edge<VertexId, Weight>> listed,
         std::vector<Edge<VertexId, Weight>> &piece) {
  piece.clear();
  for (const auto &edge : listed) {
    piece.push_back(edge);
    if (edge.from != edge.to)
      piece.push_back({edge.to, edge.from, edge.weight});
  }
  return piece;
}

/// Returns all edges of a file from which nothing has been read.
template <VertexIdentifier VertexId, EdgeWeight Weight>
EdgeList<VertexId, Weight> listOf(FileEdges<VertexId, Weight> &file) {
  EdgeList<VertexId, Weight> list;
  list.edges = file.all();
  list.vertexCount = static_cast<VertexId>(file.vertexCount());
  return list;
}

/// The graph that the edges of a `File`, a class of FileEdges, make up.
template <template <typename, typename> class File, VertexIdentifier VertexId,
          EdgeWeight Weight>
Csr<VertexId, Weight> buildFromList(const std::string &path,
                                    const ReadGraphOptions &options) {
  EdgeList<VertexId, Weight> list;
  BuildOptions build = options.build;
  {
    File<VertexId, Weight> file(path, options.text);
    list = listOf(file);
    build.directed = file.isDirected().value_or(build.directed);
  }
  return buildCsr(list, build);
}

} // namespace heddle::graph

#endif
