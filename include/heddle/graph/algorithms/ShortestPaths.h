//===- ShortestPaths.h - Shortest paths by weight --------------*- C++ -*-===//
//
// U. Meyer, P. Sanders: Delta-stepping, a parallelizable shortest path
// algorithm (2003), with the bucket fusion of Y. Zhang et al.: Optimizing
// Ordered Graph Algorithms with GraphIt (CGO 2020). Vertices are taken in the
// order of their distance, except for differences of less than delta: all
// vertices of a bucket at once, and again if a path within the bucket is
// shorter. Fusion lets a thread that has found few such vertices process them
// by itself.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_ALGORITHMS_SHORTESTPATHS_H
#define HEDDLE_GRAPH_ALGORITHMS_SHORTESTPATHS_H

#include "heddle/graph/VertexArray.h"
#include "heddle/graph/algorithms/Distance.h"
#include "heddle/graph/algorithms/Source.h"
#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/Atomic.h"
#include "heddle/graph/detail/algorithms/DistanceBuckets.h"

#include <algorithm>
#include <omp.h>
#include <optional>
#include <vector>

namespace heddle::graph {

template <EdgeWeight Weight> struct ShortestPathsOptions {
  /// The range of distances in one bucket. With a small delta, few edges are
  /// followed in vain; with a large one, the threads have many vertices at
  /// once. By default chosen from weights and degrees.
  std::optional<DistanceOf<Weight>> delta = {};
};

namespace detail {

/// Chooses delta for a graph: the mean weight over the mean degree, more if
/// vertices have so few edges that buckets would be nearly empty. Weights, and
/// the number of vertices with edges, come from a sample; degrees do not,
/// because few vertices may have most of the edges.
template <Graph Store> double chooseDelta(const Store &graph) {
  constexpr std::size_t Vertices = 1024, EdgesOfEach = 64;
  double weights = 0, seen = 0, sampled = 0, withEdges = 0;
  const std::size_t vertices = graph.vertexCount();
  const std::size_t step = vertices / Vertices + 1;
  for (std::size_t v = 0; v < vertices; v += step, ++sampled) {
    std::size_t count = 0;
    for (const auto [target, weight] :
         graph.outEdges(static_cast<typename Store::VertexId>(v))) {
      if (count++ == EdgesOfEach)
        break;
      weights += static_cast<double>(weight);
      ++seen;
    }
    withEdges += count != 0;
  }
  if (!(weights > 0 && weights < std::numeric_limits<double>::infinity()))
    return 1;
  const double meanWeight = weights / seen;
  const double meanDegree =
      static_cast<double>(graph.edgeCount()) /
      (static_cast<double>(vertices) * withEdges / sampled);
  constexpr double ManyEdges = 32;
  return meanWeight / meanDegree * std::max(1.0, ManyEdges / meanDegree);
}

template <Graph Store> class DeltaStepping {
public:
  using VertexId = typename Store::VertexId;
  using Weight = typename Store::Weight;
  using Distance = DistanceOf<Weight>;

  DeltaStepping(const Store &graph, double delta)
      : graph(graph), perDelta(1 / delta),
        distance(graph.vertexCount(), Unreachable<Distance>), frontier(1),
        threadBuckets(static_cast<std::size_t>(omp_get_max_threads())) {}

  VertexArray<Distance> from(VertexId source) && {
    distance[source] = 0;
    frontier[0] = source;
    frontierSize = 1;
#pragma omp parallel
    {
      Buckets &own =
          threadBuckets[static_cast<std::size_t>(omp_get_thread_num())];
      BucketNumber bucket = 0;
      while (bucket != NoBucket) {
        followEdgesTogether(bucket, own);
        followEdgesAlone(bucket, own);
        bucket = fillFrontier(bucket, own);
      }
    }
    for (const Buckets &buckets : threadBuckets)
      if (buckets.ranOutOfMemory())
        throw std::bad_alloc();
    if (lostVertices)
      throw std::bad_alloc();
    if (foundShorterAhead)
      throw Error("shortest paths: expected weights that are not negative, and "
                  "no path whose weights overflow when added up");
    return std::move(distance);
  }

private:
  using Buckets = DistanceBuckets<VertexId>;

  /// The threads follow the edges of the frontier's vertices together.
  void followEdgesTogether(BucketNumber bucket, Buckets &own) {
#pragma omp for schedule(dynamic, 256) nowait
#pragma heddle async
    for (std::size_t i = 0; i < frontierSize; ++i)
      followEdges(frontier[i], bucket, own);
  }

  /// Vertices of the same bucket that the thread found itself, while they are
  /// few.
  void followEdgesAlone(BucketNumber bucket, Buckets &own) {
    constexpr std::size_t Few = 1000;
    while (own.size(bucket) != 0 && own.size(bucket) < Few)
      for (const VertexId vertex : own.take(bucket))
        followEdges(vertex, bucket, own);
  }

  void followEdges(VertexId vertex, BucketNumber bucket, Buckets &own) {
    const Distance reached = loadShared(distance[vertex]);
    // The vertex is in a lower bucket, where its edges have been followed.
    if (bucketOf(reached) != bucket)
      return;
    for (const auto [target, weight] : graph.outEdges(vertex)) {
      const Distance length = plus(reached, weight);
      Distance before = loadShared(distance[target]);
      while (length < before) {
        if (length < reached) {
          storeShared(foundShorterAhead, true);
          break;
        }
        if (claimShared(distance[target], before, length)) {
          own.insert(target, bucketOf(length));
          break;
        }
        before = loadShared(distance[target]);
      }
    }
  }

  /// Moves all threads' vertices of the next bucket to the frontier, and
  /// returns its number to all of them.
  BucketNumber fillFrontier(BucketNumber bucket, Buckets &own) {
    const auto bucketOfVertex = [&](VertexId vertex) {
      return bucketOf(loadShared(distance[vertex]));
    };
    const BucketNumber lowest = own.lowest(bucket, bucketOfVertex);
#pragma omp critical(heddle_graph_next_bucket)
    nextBucket = std::min(nextBucket, lowest);
#pragma omp barrier
    const BucketNumber next = nextBucket;
    HEDDLE_ASSERT(next >= bucket);
    if (next == NoBucket)
      return NoBucket;
    own.advance(next, bucketOfVertex);
    const VertexList<VertexId> found = own.take(next);
    const std::size_t position = addShared(claimed, found.size());
#pragma omp barrier
#pragma omp single
    {
      nextBucket = NoBucket;
      frontierSize = std::exchange(claimed, 0);
      makeRoom();
    }
    HEDDLE_ASSERT(frontierSize == 0 || position + found.size() <= frontierSize);
    if (frontierSize != 0)
      std::copy(found.begin(), found.end(), frontier.begin() + position);
#pragma omp barrier
    return next;
  }

  /// Exceptions must not leave a parallel region.
  void makeRoom() noexcept {
    if (frontierSize <= frontier.size())
      return;
    try {
      frontier = VertexArray<VertexId>(2 * frontierSize);
    } catch (const std::bad_alloc &) {
      lostVertices = true;
      frontierSize = 0;
    }
  }

  BucketNumber bucketOf(Distance length) const {
    return detail::bucketOf(static_cast<double>(length), perDelta);
  }

  /// Returns the sum, which is less than `length` if it overflows.
  static Distance plus(Distance length, Weight weight) {
    if constexpr (std::floating_point<Distance>) {
      return length + weight;
    } else {
      using Bits = std::make_unsigned_t<Distance>;
      return static_cast<Distance>(
          static_cast<Bits>(length) +
          static_cast<Bits>(static_cast<Distance>(weight)));
    }
  }

  const Store &graph;
  const double perDelta;
  VertexArray<Distance> distance;

  VertexArray<VertexId> frontier;
  std::size_t frontierSize = 0, claimed = 0;
  BucketNumber nextBucket = NoBucket;
  std::vector<Buckets> threadBuckets;
  bool foundShorterAhead = false, lostVertices = false;
};

} // namespace detail

/// For every vertex the least sum of weights on a path from `source` to it, or
/// Unreachable. Runs on the threads of OpenMP. The result does not depend on
/// their number, even in floating point: a distance is the least of the sums of
/// all paths, each added up from the source on. Edges with the weight NaN are
/// ignored. Takes memory for the result and a few identifiers per vertex. Takes
/// time in proportion to the number of times that edges are followed: an edge
/// is followed again when the distance of its source decreases, which is rare
/// unless delta is far too large. Throws Error if there is no vertex `source`,
/// if delta is not positive, and if a negative weight or an overflowing sum
/// makes a path shorter; and std::bad_alloc.
///
///   auto distance = shortestPaths(graph, 0);
template <Graph Store>
  requires IsWeighted<Store>
VertexArray<DistanceOf<typename Store::Weight>> shortestPaths(
    const Store &graph, typename Store::VertexId source,
    const ShortestPathsOptions<typename Store::Weight> &options = {}) {
  checkSource(graph, source);
  const double delta = options.delta ? static_cast<double>(*options.delta)
                                     : detail::chooseDelta(graph);
  if (!(delta > 0))
    throw Error("shortest paths: expected a delta above 0, found " +
                std::to_string(delta));
  return detail::DeltaStepping<Store>(graph, delta).from(source);
}

} // namespace heddle::graph

#endif
