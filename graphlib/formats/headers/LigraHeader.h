//===- LigraHeader.h - How an adjacency graph of Ligra begins --*- C++ -*-===//
//
// A word that says whether there are weights, then numbers: of vertices, of
// edges, for each vertex where its edges begin, for each edge its target, and
// perhaps for each edge its weight.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPHLIB_FORMATS_LIGRAHEADER_H
#define HEDDLE_GRAPHLIB_FORMATS_LIGRAHEADER_H

#include "../lines/EdgeText.h"

#include <concepts>
#include <cstdint>
#include <string>

namespace heddle::graph {

struct LigraHeader {
  bool hasWeights = false;
  std::uint64_t vertices = 0, edges = 0;

  /// Which of the numbers behind the header is the first of its kind.
  std::uint64_t firstTarget() const { return vertices; }
  std::uint64_t firstWeight() const { return vertices + edges; }
  /// The number of numbers behind the header.
  std::uint64_t total() const {
    return firstWeight() + (hasWeights ? edges : 0);
  }
};

/// Reads up to the first offset. Throws Error.
LigraHeader readLigraHeader(TextFile &text);

/// Reads a header, and throws Error if it does not match the options or the
/// weights.
template <VertexIdentifier VertexId, EdgeWeight Weight>
LigraHeader readLigraHeader(TextFile &text, const std::string &path,
                            const ReadOptions &options) {
  const VertexId limit = vertexLimit<VertexId>(path, options);
  const LigraHeader header = readLigraHeader(text);
  if (header.vertices > limit)
    text.fail(text.linesRead(), "expected at most " + std::to_string(limit) +
                                    " vertices, found " +
                                    std::to_string(header.vertices));
  if (header.vertices == 0 && header.edges > 0)
    text.fail(text.linesRead(), "expected no edges among no vertices, found " +
                                    std::to_string(header.edges));
  if (!std::same_as<Weight, Unweighted> && !header.hasWeights)
    text.fail(1, "expected 'WeightedAdjacencyGraph', found 'AdjacencyGraph'");
  return header;
}

} // namespace heddle::graph

#endif
