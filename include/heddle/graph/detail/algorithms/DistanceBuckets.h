//===- DistanceBuckets.h - Vertices ordered by distance --------*- C++ -*-===//
//
// The queue of delta stepping: vertices whose distances are in the same step of
// `delta` are in one bucket, in no order.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_ALGORITHMS_DISTANCEBUCKETS_H
#define HEDDLE_GRAPH_DETAIL_ALGORITHMS_DISTANCEBUCKETS_H

#include "heddle/graph/detail/Array.h"
#include "heddle/graph/detail/Assert.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace heddle::graph::detail {

using BucketNumber = std::int64_t;
inline constexpr BucketNumber NoBucket =
    std::numeric_limits<BucketNumber>::max();

/// Returns the bucket of a distance, which never decreases with the distance.
/// All distances beyond the highest number are in one bucket.
inline BucketNumber bucketOf(double distance, double perDelta) {
  constexpr double Highest = 0x1p62;
  return static_cast<BucketNumber>(std::min(distance * perDelta, Highest));
}

/// A list that grows without exceptions, which loops would have to expect.
template <typename VertexId> class VertexList {
public:
  std::size_t size() const { return count; }
  bool empty() const { return count == 0; }
  const VertexId *begin() const { return first.get(); }
  const VertexId *end() const { return first.get() + count; }

  /// False if there is no memory.
  bool append(VertexId vertex) noexcept {
    if (count == capacity && !grow())
      return false;
    first[count++] = vertex;
    return true;
  }

private:
  [[gnu::noinline]] bool grow() noexcept {
    const std::size_t larger = std::max<std::size_t>(64, 2 * capacity);
    std::unique_ptr<VertexId[]> copy(new (std::nothrow) VertexId[larger]);
    if (!copy)
      return false;
    std::copy_n(first.get(), size(), copy.get());
    first = std::move(copy);
    capacity = larger;
    return true;
  }

  std::unique_ptr<VertexId[]> first;
  ZeroWhenMoved<std::size_t> count, capacity;
};

/// The buckets that one thread puts vertices into. The next few have a list
/// each; vertices beyond share one, which is sorted when its time comes.
template <typename VertexId> class DistanceBuckets {
public:
  DistanceBuckets() : near(NearBuckets) {}

  /// Puts a vertex into a bucket that is not below the one last advanced to.
  /// Loses it if there is no memory; then ranOutOfMemory() is true.
  void insert(VertexId vertex, BucketNumber bucket) noexcept {
    if (!listOf(bucket).append(vertex))
      lost = true;
  }

  bool ranOutOfMemory() const { return lost; }

  /// Removes and returns the vertices of the bucket last advanced to.
  VertexList<VertexId> take(BucketNumber bucket) {
    HEDDLE_ASSERT(bucket >= base);
    return std::move(listOf(bucket));
  }

  /// The number of vertices in the bucket last advanced to.
  std::size_t size(BucketNumber bucket) { return listOf(bucket).size(); }

  /// Returns the first bucket from `from` on that has vertices, or NoBucket.
  /// Vertices in the list of far ones count for their present bucket,
  /// `bucketOfVertex`; those that have come near since are in a near bucket as
  /// well.
  template <typename BucketOfVertex>
  BucketNumber lowest(BucketNumber from, BucketOfVertex bucketOfVertex) {
    HEDDLE_ASSERT(from >= base);
    for (BucketNumber bucket = from; bucket < base + NearBuckets; ++bucket)
      if (!listOf(bucket).empty())
        return bucket;
    BucketNumber nearest = NoBucket;
    for (const VertexId vertex : beyond)
      if (const BucketNumber its = bucketOfVertex(vertex);
          its >= base + NearBuckets)
        nearest = std::min(nearest, its);
    return nearest;
  }

  /// Makes `bucket` the lowest; all buckets below it must be empty.
  template <typename BucketOfVertex>
  void advance(BucketNumber bucket, BucketOfVertex bucketOfVertex) {
    HEDDLE_ASSERT(bucket >= base && bucket != NoBucket);
    if (bucket < base + NearBuckets)
      return;
    HEDDLE_ASSERT(std::ranges::all_of(near, &VertexList<VertexId>::empty));
    base = bucket;
    for (const VertexId vertex : VertexList<VertexId>(std::move(beyond)))
      if (const BucketNumber its = bucketOfVertex(vertex); its >= base)
        insert(vertex, its);
  }

private:
  static constexpr BucketNumber NearBuckets = 1024;

  VertexList<VertexId> &listOf(BucketNumber bucket) {
    const BucketNumber index = bucket - base;
    return index < NearBuckets ? near[static_cast<std::size_t>(index)] : beyond;
  }

  std::vector<VertexList<VertexId>> near;
  VertexList<VertexId> beyond;
  BucketNumber base = 0;
  bool lost = false;
};

} // namespace heddle::graph::detail

#endif
