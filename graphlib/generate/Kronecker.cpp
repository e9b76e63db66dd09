//===- Kronecker.cpp - The generator of Graph500 -------------------------===//

#include "Random.h"
#include "heddle/graph/Generate.h"

#include <limits>
#include <string>

namespace heddle::graph {
namespace {

/// Shuffles the numbers of `bits` bits, each step being a bijection on them.
class Relabelling {
public:
  Relabelling(unsigned bits, std::uint64_t seed)
      : keys(seed), mask((std::uint64_t(1) << bits) - 1), shift(bits / 2 + 1) {}

  std::uint64_t operator()(std::uint64_t label) const {
    constexpr std::uint64_t rounds = 4;
    for (std::uint64_t round = 0; round < rounds; ++round) {
      const std::uint64_t key = keys[round];
      // An odd factor spreads each bit to those above it, the shift carries
      // them back down.
      label = (label * (key | 1) + (key >> 32)) & mask;
      label ^= label >> shift;
    }
    return label;
  }

private:
  RandomSequence keys;
  std::uint64_t mask;
  unsigned shift;
};

/// Where a random number of 32 bits leaves each quadrant for the next.
constexpr std::uint32_t threshold(double probability) {
  return static_cast<std::uint32_t>(probability * 4294967296.0);
}
constexpr std::uint32_t UpperLeft = threshold(0.57);
constexpr std::uint32_t TopQuadrants = threshold(0.57 + 0.19);
constexpr std::uint32_t LowerLeft = threshold(0.57 + 0.19 + 0.19);

/// Draws the quadrants of the adjacency matrix that an edge falls into, level
/// by level; 32 random bits decide on one.
class QuadrantWalk {
public:
  QuadrantWalk(unsigned levels, std::uint64_t seed)
      : levels(levels), random(seed) {}

  void draw(std::uint64_t edge, std::uint64_t &from, std::uint64_t &to) const {
    const std::uint64_t numbersPerEdge = (levels + 1) / 2;
    from = to = 0;
    for (unsigned level = 0; level < levels; ++level) {
      const std::uint64_t number = random[edge * numbersPerEdge + level / 2];
      const auto bits =
          static_cast<std::uint32_t>(level % 2 == 0 ? number : number >> 32);
      const bool isLower = bits >= TopQuadrants;
      const bool isRight = isLower ? bits >= LowerLeft : bits >= UpperLeft;
      from = from << 1 | isLower;
      to = to << 1 | isRight;
    }
  }

private:
  unsigned levels;
  RandomSequence random;
};

} // namespace

template <VertexIdentifier VertexId>
EdgeList<VertexId> generateKronecker(const KroneckerOptions &options) {
  constexpr unsigned mostLevels = std::numeric_limits<VertexId>::digits - 1;
  const unsigned scale = options.scale;
  if (scale > mostLevels)
    throw Error("Kronecker graph: expected a scale of at most " +
                std::to_string(mostLevels) + ", found " +
                std::to_string(scale));
  const std::uint64_t vertices = std::uint64_t(1) << scale;
  if (options.edgesPerVertex >
      std::numeric_limits<std::uint64_t>::max() / vertices)
    throw Error("Kronecker graph: expected fewer than 2^64 edges, found " +
                std::to_string(options.edgesPerVertex) + " for each of 2^" +
                std::to_string(scale) + " vertices");

  EdgeList<VertexId> list;
  list.vertexCount = static_cast<VertexId>(vertices);
  list.edges = Array<Edge<VertexId>>(options.edgesPerVertex * vertices);
  const QuadrantWalk walk(scale, options.seed);
  const Relabelling relabelled(scale, ~options.seed);
#pragma omp parallel for
  for (std::size_t i = 0; i < list.edges.size(); ++i) {
    std::uint64_t from, to;
    walk.draw(i, from, to);
    list.edges[i] = {static_cast<VertexId>(relabelled(from)),
                     static_cast<VertexId>(relabelled(to)),
                     {}};
  }
  return list;
}

template EdgeList<std::uint32_t> generateKronecker(const KroneckerOptions &);
template EdgeList<std::uint64_t> generateKronecker(const KroneckerOptions &);

} // namespace heddle::graph
