//===- EdgeText.h - Lines that are edges -----------------------*- C++ -*-===//
//
// The common parts of edge lists and matrices in coordinates once their headers
// are read.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPHLIB_FORMATS_LINES_EDGETEXT_H
#define HEDDLE_GRAPHLIB_FORMATS_LINES_EDGETEXT_H

#include "../../files/TextFile.h"
#include "EdgeLineParser.h"
#include "heddle/graph/EdgeList.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace heddle::graph {

/// What is known about lines before they are read.
template <VertexIdentifier VertexId> struct EdgeTextForm {
  EdgeLineRules<VertexId> line;
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
  constexpr std::uint64_t base = std::uint64_t(1) << 22, each = 64;
  constexpr std::uint64_t highest = std::numeric_limits<std::uint64_t>::max();
  return edges > (highest - base) / each ? highest : base + each * edges;
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

/// Checks the numbers of vertices and edges in a header that has just been
/// read. Throws Error if the options or the edges do not allow so many
/// vertices. `name` is what the format calls them.
template <VertexIdentifier VertexId>
void checkHeaderCounts(const TextFile &text, const std::string &path,
                       const ReadOptions &options, std::uint64_t vertices,
                       std::uint64_t edges, const std::string &name) {
  const VertexId most = vertexLimit<VertexId>(path, options);
  if (vertices > most)
    text.fail(text.linesRead(), "expected at most " + std::to_string(most) +
                                    " " + name + ", found " +
                                    std::to_string(vertices));
  const std::uint64_t credible = crediblyMostVertices(edges);
  if (!options.vertexCount && vertices > credible)
    text.fail(text.linesRead(),
              "expected at most " + std::to_string(credible) + " " + name +
                  " for " + std::to_string(edges) + " entries, found " +
                  std::to_string(vertices) +
                  "; if that is right, give the number of vertices");
}

} // namespace heddle::graph

#endif
