//===- MatrixMarket.h - What a matrix in coordinates says ------*- C++ -*-===//
//
// A banner that says what the matrix is, comments, a line with the numbers of
// rows, columns and entries, and a line for each entry, which counts rows and
// columns from 1. Of a symmetric or skew-symmetric matrix only the entries on
// one side of the diagonal are there. Entries may be read at once or piece by
// piece; this is what both need.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPHLIB_FORMATS_MATRIXMARKET_H
#define HEDDLE_GRAPHLIB_FORMATS_MATRIXMARKET_H

#include "lines/EdgeText.h"

#include <cstdint>
#include <limits>
#include <string>

namespace heddle::graph {

struct MatrixMarketHeader {
  enum class Symmetry { General, Symmetric, Skew };

  Symmetry symmetry = Symmetry::General;
  bool hasValues = false;
  std::uint64_t vertices = 0, entries = 0;
};

/// Reads up to the first entry. Throws Error.
MatrixMarketHeader readMatrixMarketHeader(TextFile &text);

/// What the entries are to be like, right after the header was read. Throws
/// Error if that cannot be, or is not what the options or the weights ask for.
template <VertexIdentifier VertexId, EdgeWeight Weight>
EdgeTextForm<VertexId>
formOfEntries(const MatrixMarketHeader &header, const TextFile &text,
              const std::string &path, const ReadOptions &options) {
  if (!std::same_as<Weight, Unweighted> && !header.hasValues)
    text.fail(1, "expected a matrix with values, found 'pattern'");
  const VertexId most = vertexLimit<VertexId>(path, options);
  if (header.vertices > most)
    text.fail(text.linesRead(), "expected at most " + std::to_string(most) +
                                    " rows, found " +
                                    std::to_string(header.vertices));
  const std::uint64_t credible = crediblyMostVertices(header.entries);
  if (!options.vertexCount && header.vertices > credible)
    text.fail(text.linesRead(),
              "expected at most " + std::to_string(credible) + " rows for " +
                  std::to_string(header.entries) + " entries, found " +
                  std::to_string(header.vertices) +
                  "; if that is right, say how many vertices there are");
  return {.vertexLimit = static_cast<VertexId>(header.vertices),
          .firstVertex = 1,
          .edgeCount = header.entries};
}

/// The entry of a skew-symmetric matrix on the other side goes to `mirrored`.
/// Returns false if its value cannot be held.
template <VertexIdentifier VertexId, EdgeWeight Weight>
bool mirrorNegated(const Edge<VertexId, Weight> &entry,
                   Edge<VertexId, Weight> &mirrored) {
  mirrored = {entry.to, entry.from, entry.weight};
  if constexpr (std::is_integral_v<Weight>)
    if (entry.weight == std::numeric_limits<Weight>::min())
      return false;
  if constexpr (!std::same_as<Weight, Unweighted>)
    mirrored.weight = -entry.weight;
  return true;
}

/// Throws Error unless all entries could be mirrored.
template <EdgeWeight Weight>
void expectMirrored(bool areAllMirrored, const std::string &path) {
  if constexpr (std::is_integral_v<Weight>)
    if (!areAllMirrored)
      throw Error(path +
                  ": expected values of a skew-symmetric matrix whose "
                  "opposites can be held, found " +
                  std::to_string(std::numeric_limits<Weight>::min()));
}

} // namespace heddle::graph

#endif
