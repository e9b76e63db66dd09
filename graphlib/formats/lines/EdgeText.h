//===- EdgeText.h - Lines that are edges -----------------------*- C++ -*-===//
//
// The common parts of edge lists and matrices in coordinates once their headers
// are read.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPHLIB_FORMATS_LINES_EDGETEXT_H
#define HEDDLE_GRAPHLIB_FORMATS_LINES_EDGETEXT_H

#include "../../files/TextFile.h"
#include "heddle/graph/EdgeList.h"

#include <cstdint>
#include <optional>
#include <string>

namespace heddle::graph {

/// The facts about the edges that a header gives.
template <VertexIdentifier VertexId> struct EdgeTextForm {
  VertexId vertexLimit = MostVertices<VertexId>;
  VertexId firstVertex = 0; ///< its number in the file
  std::optional<std::uint64_t> edgeCount = {};
};

/// Returns the limit that vertexCount in the options sets. Throws Error if it
/// is no number of vertices.
template <VertexIdentifier VertexId>
VertexId vertexLimit(const std::string &path, const ReadOptions &options) {
  const std::uint64_t count =
      options.vertexCount.value_or(MostVertices<VertexId>);
  if (count > MostVertices<VertexId>)
    throw Error(path + ": expected at most " +
                std::to_string(MostVertices<VertexId>) +
                " vertices, found a vertex count of " + std::to_string(count));
  return static_cast<VertexId>(count);
}

/// The most vertices that are plausible for a file with `edges` edges.
inline std::uint64_t crediblyMostVertices(std::uint64_t edges) {
  return (std::uint64_t(1) << 22) + 64 * edges;
}

/// Returns the error message for a list with implausibly many vertices.
inline std::string incredibleVertex(std::uint64_t vertices,
                                    std::uint64_t edges) {
  return "expected a vertex below " +
         std::to_string(crediblyMostVertices(edges)) + " in a file of " +
         std::to_string(edges) + " edges, found " +
         std::to_string(vertices - 1) +
         "; if that is right, give the number of vertices";
}

/// Throws Error if a list of `edges` edges has implausibly many vertices.
inline void checkCredible(const TextFile &text, std::uint64_t vertices,
                          std::uint64_t edges, std::uint64_t lineOfHighest) {
  if (vertices > crediblyMostVertices(edges))
    text.fail(lineOfHighest, incredibleVertex(vertices, edges));
}

} // namespace heddle::graph

#endif
