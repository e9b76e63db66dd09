//===- KroneckerGraph.h - The generator of Graph500 ------------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_BENCH_KERNELS_KRONECKERGRAPH_H
#define HEDDLE_TOOLS_BENCH_KERNELS_KRONECKERGRAPH_H

#include "Loops.h"

#include "../Random.h"
#include "../measure/Memory.h"

#include <vector>

namespace heddle::bench {

/// An undirected Kronecker graph with the parameters of Graph500: 16 edges a
/// vertex, initiator 0.57, 0.19, 0.19, 0.05, scattered labels. Each edge stands
/// in the rows of both its ends; loops and repeated edges remain.
class KroneckerGraph {
public:
  /// `vertices` is a power of two.
  explicit KroneckerGraph(uint64_t vertices);

  Graph build(Arena &arena) const;

  static constexpr uint64_t bytesPerVertex() {
    return sizeof(*Graph::rows) + 2 * EdgesPerVertex * sizeof(*Graph::columns);
  }

private:
  struct Edge {
    uint32_t from, to;
  };
  Edge edge(uint64_t index) const;

  static constexpr uint64_t EdgesPerVertex = 16;
  /// Two levels of the recursion are drawn at a time with so many random bits.
  static constexpr unsigned BitsPerDraw = 12;

  uint64_t vertices;
  Permutation label;
  /// Draw to outcome: two bits of the one end above two bits of the other.
  std::vector<uint8_t> outcomes;
};

} // namespace heddle::bench

#endif
