//===- ShortestPaths.h - Shortest paths by weight, by messages -*- C++ -*-===//

#ifndef HEDDLE_GRAPH_MESSAGES_SHORTESTPATHS_H
#define HEDDLE_GRAPH_MESSAGES_SHORTESTPATHS_H

#include "heddle/graph/Error.h"
#include "heddle/graph/algorithms/Distance.h"
#include "heddle/graph/algorithms/Source.h"

#include <cstdint>
#include <optional>
#include <utility>

namespace heddle::graph {

namespace detail {

/// Sums over the edges that are followed.
struct PathSums {
  std::uint64_t shorter = 0; ///< paths that were found
  std::uint64_t wrong = 0;   ///< edges that make a path shorter by being on it

  PathSums &operator+=(const PathSums &other) {
    shorter += other.shorter;
    wrong += other.wrong;
    return *this;
  }
};

} // namespace detail

/// Computes the result of shortestPaths() by calls of an engine, with the
/// program of DFOGraph's figure 2b. The vertex array "distance", of Distances,
/// has for each vertex the least sum of weights on a path from `source`, or
/// Unreachable. Returns the number of vertices reached. Throws Error if there
/// is no vertex `source`, and if a negative weight or an overflowing sum makes
/// a path shorter; and the exceptions of the engine.
template <typename Engine>
std::uint64_t shortestPathsByMessages(Engine &engine,
                                      typename Engine::VertexId source) {
  using VertexId = typename Engine::VertexId;
  using Weight = typename Engine::Weight;
  using Distance = DistanceOf<Weight>;
  using detail::PathSums;
  checkSource(engine, source);
  auto &distance = engine.template vertexArray<Distance>("distance");
  auto &active = engine.template vertexArray<bool>("active");
  engine.processVertices(
      [&](VertexId v) {
        distance[v] = v == source ? 0 : Unreachable<Distance>;
        active[v] = v == source;
        return 0;
      },
      {distance, active});
  PathSums sums;
  do {
    sums = engine.processEdges(
        [&](VertexId v) {
          active[v] = false;
          return std::optional(distance[v]);
        },
        {std::as_const(distance), active},
        [&](Distance message, VertexId, VertexId to, Weight weight) {
          Distance length;
          if constexpr (std::integral<Distance>) {
            if (__builtin_add_overflow(message, weight, &length) ||
                length < message)
              return PathSums{.wrong = 1};
          } else {
            length = message + weight;
            if (length < message)
              return PathSums{.wrong = 1};
          }
          // Edges whose weight is NaN are ignored.
          if (!(length < distance[to]))
            return PathSums{};
          distance[to] = length;
          active[to] = true;
          return PathSums{.shorter = 1};
        },
        {distance, active}, &active);
    if (sums.wrong != 0)
      throw Error("shortest paths: expected weights that are not negative, and "
                  "no path whose weights overflow when added up");
  } while (sums.shorter != 0);
  return engine.processVertices(
      [&](VertexId v) -> std::uint64_t {
        return distance[v] != Unreachable<Distance>;
      },
      {std::as_const(distance)});
}

} // namespace heddle::graph

#endif
