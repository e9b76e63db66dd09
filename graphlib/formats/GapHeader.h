//===- GapHeader.h - How a .sg or .wsg begins ------------------*- C++ -*-===//
//
// A byte that is 1 for a directed graph; the numbers of edges and of vertices;
// where the edges of each vertex begin and the last ones end; the targets, each
// followed by its weight in a .wsg; for a directed graph, offsets and edges
// again in the other direction. All numbers but the first byte are as the
// machine has them in memory, of 64 bits, and targets and weights of 32.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPHLIB_FORMATS_GAPHEADER_H
#define HEDDLE_GRAPHLIB_FORMATS_GAPHEADER_H

#include "../files/BinaryFile.h"
#include "heddle/graph/Graph.h"

#include <concepts>
#include <cstdint>
#include <string>

namespace heddle::graph {

struct GapHeader {
  bool directed = false;
  std::uint64_t edges = 0, vertices = 0;
};

struct GapWeightedTarget {
  std::uint32_t target;
  std::int32_t weight;
};

/// Reads up to the offsets. Throws Error.
inline GapHeader readGapHeader(BinaryFile &file) {
  const auto readCount = [&](const char *what, std::int64_t most) {
    const std::uint64_t at = file.position();
    const auto count = file.readValue<std::int64_t>("header");
    if (count < 0 || count > most)
      file.fail(at, std::string("expected at most ") + std::to_string(most) +
                        " " + what + ", found " + std::to_string(count));
    return static_cast<std::uint64_t>(count);
  };
  GapHeader header;
  const auto directed = file.readValue<std::uint8_t>("header");
  if (directed > 1)
    file.fail(0,
              "expected 0 or 1 (directed), found " + std::to_string(directed));
  header.directed = directed == 1;
  header.edges = readCount("edges", INT64_MAX);
  header.vertices = readCount("vertices", INT32_MAX);
  return header;
}

/// Throws Error if weights are wanted that there are none of.
template <EdgeWeight Weight>
void checkGapWeights(const std::string &path, bool hasWeights) {
  if (!std::same_as<Weight, Unweighted> && !hasWeights)
    throw Error(path + ": expected weights, found a .sg file, which has none");
}

} // namespace heddle::graph

#endif
