//===- PairsFile.h - Edges as pairs of binary numbers ----------*- C++ -*-===//
//
// A .pairs file has nothing but edges: source and target, each of 32 bits and
// unsigned, and, if there are weights, one of 32 bits, which the reader must
// know. Numbers begin with their lowest byte, whatever the machine.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPHLIB_FORMATS_PAIRSFILE_H
#define HEDDLE_GRAPHLIB_FORMATS_PAIRSFILE_H

#include "../files/BinaryFile.h"
#include "lines/EdgeText.h"

#include <array>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <span>
#include <string>

namespace heddle::graph {

/// The words of an edge.
template <EdgeWeight Weight>
using PairWords =
    std::array<std::uint32_t, std::same_as<Weight, Unweighted> ? 2 : 3>;

/// How a weight lies in the file.
template <EdgeWeight Weight>
using PairWeight =
    std::conditional_t<std::floating_point<Weight>, float, std::int32_t>;

/// From a word of the file to one of this machine, or back.
inline std::uint32_t pairWord(std::uint32_t word) {
  if constexpr (std::endian::native == std::endian::big)
    return __builtin_bswap32(word);
  return word;
}

/// Reads a .pairs file piece by piece.
template <VertexIdentifier VertexId, EdgeWeight Weight> class PairsFile {
public:
  /// Opens a file. Throws Error, and so do the other functions.
  PairsFile(const std::string &path, const ReadOptions &readOptions)
      : options(readOptions), limit(vertexLimit<VertexId>(path, options)),
        file(path, options) {
    file.expectWhole<Words>(What);
  }

  /// The next edges, valid until the next call; none after the last.
  std::span<const Edge<VertexId, Weight>> next() {
    const std::uint64_t at = file.position();
    words.resize(EdgesInPiece);
    words.resize(file.readUpTo(std::span(words), What));
    edges.resize(words.size());
    for (std::size_t i = 0; i < words.size(); ++i)
      edges[i] = edgeOf(words[i], at + i * sizeof(Words));
    if (edges.empty())
      checkCredible();
    file.reportProgress();
    return edges;
  }

  /// As the options say, or one more than the highest so far.
  std::uint64_t vertexCount() const {
    return options.vertexCount.value_or(vertices);
  }

  /// How many edges there will be from the first on, or 0 if nobody knows.
  std::uint64_t expectedEdges() const {
    return file.isSizeKnown() ? file.totalBytes() / sizeof(Words) : 0;
  }

private:
  using Words = PairWords<Weight>;

  static constexpr const char *What = "edges";
  static constexpr std::size_t EdgesInPiece = std::size_t(1) << 16;

  Edge<VertexId, Weight> edgeOf(const Words &edge, std::uint64_t at) {
    return {vertexOf(edge[0], at), vertexOf(edge[1], at + sizeof(edge[0])),
            weightOf(edge, at + 2 * sizeof(edge[0]))};
  }

  VertexId vertexOf(std::uint32_t word, std::uint64_t at) {
    const std::uint64_t vertex = pairWord(word);
    if (vertex >= limit)
      file.fail(at, "expected a vertex below " + std::to_string(limit) +
                        ", found " + std::to_string(vertex));
    if (vertex >= vertices) {
      vertices = vertex + 1;
      placeOfHighest = at;
    }
    return static_cast<VertexId>(vertex);
  }

  Weight weightOf(const Words &edge, std::uint64_t at) const {
    if constexpr (std::same_as<Weight, Unweighted>) {
      return {};
    } else {
      const auto weight = std::bit_cast<PairWeight<Weight>>(pairWord(edge[2]));
      if constexpr (std::floating_point<Weight>)
        if (!std::isfinite(weight))
          file.fail(at, "expected a weight that is a number, found " +
                            std::to_string(weight));
      return static_cast<Weight>(weight);
    }
  }

  void checkCredible() const {
    const std::uint64_t count = file.position() / sizeof(Words);
    if (!options.vertexCount && vertices > crediblyMostVertices(count))
      file.fail(placeOfHighest, incredibleVertex(vertices, count));
  }

  const ReadOptions options;
  const VertexId limit;
  BinaryFile file;
  std::vector<Words> words;
  std::vector<Edge<VertexId, Weight>> edges;
  std::uint64_t vertices = 0, placeOfHighest = 0;
};

} // namespace heddle::graph

#endif
