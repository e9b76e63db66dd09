//===- Build.h - From edge lists to compressed sparse rows -----*- C++ -*-===//
//
// Edges are distributed to buckets of neighbouring rows, which are small enough
// to be sorted within a cache. A bucket that is large, because of a few long
// rows, is sorted by all threads. The order is total, so the result does not
// depend on the number of threads.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_BUILD_H
#define HEDDLE_GRAPH_BUILD_H

#include "heddle/graph/Csr.h"
#include "heddle/graph/EdgeList.h"
#include "heddle/graph/Error.h"
#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/sort/ParallelSort.h"
#include "heddle/graph/detail/sort/PrefixSum.h"
#include "heddle/graph/detail/sort/RadixSort.h"

#include <algorithm>
#include <bit>
#include <compare>
#include <limits>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace heddle::graph {

/// Which of the edges with the same ends (and, in a directed graph, the same
/// direction) are kept.
enum class ParallelEdges {
  KeepLightest, ///< only the one with the least weight stays
  KeepAll
};

struct BuildOptions {
  /// If false, an edge leads both ways, whichever direction the list has.
  bool directed = true;
  bool dropSelfLoops = false;
  ParallelEdges parallelEdges = ParallelEdges::KeepLightest;
};

namespace detail {

enum class RowOrder { Forward, Backward, Both };

/// Sorts the edges of a list into rows.
template <VertexIdentifier VertexId, EdgeWeight Weight> class RowBuilder {
public:
  using Rows = CsrRows<VertexId, Weight>;

  RowBuilder(const EdgeList<VertexId, Weight> &list, RowOrder order,
             const BuildOptions &options)
      : list(list), order(order), options(options),
        offsets(offsetCount(list.vertexCount)) {}

  Rows build() {
    chooseBuckets();
    partition();
    sortBuckets();
    exclusivePrefixSum(offsets);
    HEDDLE_ASSERT(std::is_sorted(offsets.begin(), offsets.end()));
    return copyRows();
  }

private:
  /// An edge from its row's point of view: `from` is the row.
  using Element = Edge<VertexId, Weight>;

  /// Returns the number of rows plus one. Throws std::bad_alloc if a
  /// std::size_t cannot hold it.
  static std::size_t offsetCount(VertexId rows) {
    if (rows == std::numeric_limits<std::size_t>::max())
      throw std::bad_alloc();
    return std::size_t(rows) + 1;
  }

  /// Calls `visit` with the edge as each row has it that it belongs to.
  template <typename Visit>
  void forEachElement(const Element &edge, Visit visit) const {
    const bool isLoop = edge.from == edge.to;
    if (isLoop && options.dropSelfLoops)
      return;
    if (order != RowOrder::Backward)
      visit(edge);
    if (order == RowOrder::Backward || (order == RowOrder::Both && !isLoop))
      visit(Element{edge.to, edge.from, edge.weight});
  }

  /// Chooses buckets of about as many edges as fit in a core's private cache.
  /// The number of buckets is limited, so that distributing edges to them stays
  /// within the cache.
  void chooseBuckets() {
    constexpr std::size_t edgesInBucket = std::size_t(1) << 15;
    constexpr std::size_t mostBuckets = std::size_t(1) << 14;
    const std::size_t rows = list.vertexCount;
    const std::size_t wanted = std::clamp<std::size_t>(
        list.edges.size() / edgesInBucket, 1, mostBuckets);
    if (rows == 0)
      return;
    while ((rows - 1) >> rowBits >= wanted)
      ++rowBits;
    buckets = ((rows - 1) >> rowBits) + 1;
    HEDDLE_ASSERT(buckets >= 1 && buckets <= mostBuckets);
  }

  /// Puts the elements of each bucket side by side.
  void partition() {
    constexpr std::size_t blocks = 64;
    const std::size_t edges = list.edges.size();
    const std::size_t blockSize = (edges + blocks - 1) / blocks;
    const auto forEachElementOf = [&](std::size_t block, auto visit) {
      const std::size_t end = std::min((block + 1) * blockSize, edges);
      for (std::size_t i = block * blockSize; i < end; ++i)
        forEachElement(list.edges[i], visit);
    };

    // At first the number of elements that a block has for each bucket, then
    // the index of the next one.
    Array<std::uint64_t> places(blocks * buckets);
#pragma omp parallel for
    for (std::size_t block = 0; block < blocks; ++block) {
      std::uint64_t *counts = places.data() + block * buckets;
      std::fill_n(counts, buckets, 0);
      forEachElementOf(block, [&](const Element &element) {
        ++counts[element.from >> rowBits];
      });
    }
    bucketBegin = Array<std::uint64_t>(buckets + 1);
    std::uint64_t total = 0;
    for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
      bucketBegin[bucket] = total;
      for (std::size_t block = 0; block < blocks; ++block)
        total += std::exchange(places[block * buckets + bucket], total);
    }
    bucketBegin[buckets] = total;
    HEDDLE_ASSERT(total <= 2 * edges);

    elements = Array<Element>(total);
#pragma omp parallel for
    for (std::size_t block = 0; block < blocks; ++block) {
      std::uint64_t *place = places.data() + block * buckets;
      forEachElementOf(block, [&](const Element &element) {
        elements[place[element.from >> rowBits]++] = element;
      });
    }
  }

  /// Sorts each bucket, moves the edges that are kept to its front, and counts
  /// the kept edges of each row in `offsets`.
  void sortBuckets() {
    std::vector<std::size_t> largeBuckets;
    offsets[list.vertexCount] = 0;
#pragma omp parallel
    {
      Array<Element> scratch;
#pragma omp for schedule(dynamic, 1)
      for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
        if (isLarge(bucket)) {
#pragma omp critical(heddle_graph_large_buckets)
          largeBuckets.push_back(bucket);
          continue;
        }
        sortSmall(begin(bucket), end(bucket), scratch);
        squeeze(bucket);
      }
    }
    for (const std::size_t bucket : largeBuckets) {
      parallelSort(begin(bucket), end(bucket), precedes);
      squeeze(bucket);
    }
  }

  Element *begin(std::size_t bucket) {
    return elements.data() + bucketBegin[bucket];
  }
  Element *end(std::size_t bucket) { return begin(bucket + 1); }

  /// Whether other threads would have to wait for a single thread that sorts
  /// this bucket. At most 64 buckets are large.
  bool isLarge(std::size_t bucket) const {
    const std::uint64_t size = bucketBegin[bucket + 1] - bucketBegin[bucket];
    return size > (std::uint64_t(1) << 17) && size > elements.size() / 64;
  }

  void sortSmall(Element *begin, Element *end, Array<Element> &scratch) const {
    constexpr std::size_t fewElements = 512;
    const auto size = static_cast<std::size_t>(end - begin);
    if (std::is_sorted(begin, end, precedes))
      return;
    if (size < fewElements || size > UINT32_MAX || !makeRoom(scratch, size)) {
      std::sort(begin, end, precedes);
      return;
    }
    RadixSort<Element> sort(begin, scratch.data(), size);
    sort.sortBy([](const Element &element) { return element.to; },
                ~std::size_t(0) >>
                    std::countl_zero(std::size_t(list.vertexCount - 1) | 1));
    sort.sortBy([](const Element &element) { return element.from; },
                (std::size_t(1) << rowBits) - 1);
    sort.finish();
    if constexpr (!std::same_as<Weight, Unweighted>)
      sortWeights(begin, end);
    HEDDLE_ASSERT(std::is_sorted(begin, end, precedes));
  }

  /// Allocates scratch memory. Returns false if there is none; the bucket is
  /// then sorted in place.
  static bool makeRoom(Array<Element> &scratch, std::size_t size) {
    if (scratch.size() >= size)
      return true;
    try {
      scratch = Array<Element>(2 * size);
      return true;
    } catch (const std::bad_alloc &) {
      return false;
    }
  }

  /// Sorts parallel edges by weight; everything else must be sorted.
  static void sortWeights(Element *begin, Element *end) {
    while (begin != end) {
      Element *other = begin + 1;
      while (other != end && areParallel(*begin, *other))
        ++other;
      if (other - begin > 1)
        std::sort(begin, other, precedes);
      begin = other;
    }
  }

  static bool areParallel(const Element &a, const Element &b) {
    return a.from == b.from && a.to == b.to;
  }

  /// Removes parallel edges from a sorted bucket unless all are kept, and
  /// counts the edges of its rows.
  void squeeze(std::size_t bucket) {
    const std::size_t firstRow = bucket << rowBits;
    const std::size_t endRow = endOfRows(bucket);
    HEDDLE_ASSERT(firstRow < endRow && endRow <= list.vertexCount);
    for (std::size_t row = firstRow; row < endRow; ++row)
      offsets[row] = 0;
    const bool keepAll = options.parallelEdges == ParallelEdges::KeepAll;
    Element *kept = begin(bucket);
    const Element *const stop = end(bucket);
    for (const Element *element = kept; element != stop; ++element) {
      if (!keepAll && kept != begin(bucket) && areParallel(kept[-1], *element))
        continue;
      HEDDLE_ASSERT(element->from >= firstRow && element->from < endRow);
      ++offsets[element->from];
      *kept++ = *element;
    }
  }

  std::size_t endOfRows(std::size_t bucket) const {
    return std::min<std::size_t>((bucket + 1) << rowBits, list.vertexCount);
  }

  Rows copyRows() {
    Rows rows;
    const std::uint64_t total = offsets[list.vertexCount];
    HEDDLE_ASSERT(total <= elements.size());
    rows.targets = Array<VertexId>(total);
    if constexpr (!std::same_as<Weight, Unweighted>)
      rows.weights = Array<Weight>(total);
#pragma omp parallel for schedule(dynamic, 1)
    for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
      const Element *element = begin(bucket);
      const std::uint64_t last = offsets[endOfRows(bucket)];
      for (std::uint64_t i = offsets[bucket << rowBits]; i < last;
           ++i, ++element) {
        rows.targets[i] = element->to;
        if constexpr (!std::same_as<Weight, Unweighted>)
          rows.weights[i] = element->weight;
      }
      HEDDLE_ASSERT(element <= end(bucket));
    }
    rows.offsets = std::move(offsets);
    return rows;
  }

  /// A total order, in which only identical elements are equal: floating-point
  /// weights have two zeros, and NaN is unordered.
  static bool precedes(const Element &a, const Element &b) {
    if (a.from != b.from)
      return a.from < b.from;
    if (a.to != b.to)
      return a.to < b.to;
    if constexpr (std::same_as<Weight, Unweighted>)
      return false;
    else
      return std::strong_order(a.weight, b.weight) < 0;
  }

  const EdgeList<VertexId, Weight> &list;
  const RowOrder order;
  const BuildOptions &options;
  unsigned rowBits = 0; ///< higher bits of a row select its bucket
  std::size_t buckets = 0;
  Array<std::uint64_t> offsets;
  Array<std::uint64_t> bucketBegin;
  Array<Element> elements;
};

/// Throws Error for the first edge in the list with an end that is no vertex.
template <VertexIdentifier VertexId, EdgeWeight Weight>
void checkEdges(const EdgeList<VertexId, Weight> &list) {
  std::size_t firstBad = list.edges.size();
#pragma omp parallel for reduction(min : firstBad)
  for (std::size_t i = 0; i < list.edges.size(); ++i)
    if (list.edges[i].from >= list.vertexCount ||
        list.edges[i].to >= list.vertexCount)
      firstBad = std::min(firstBad, i);
  if (firstBad == list.edges.size())
    return;
  const Edge<VertexId, Weight> &edge = list.edges[firstBad];
  throw Error("edge " + std::to_string(firstBad) + " from " +
              std::to_string(edge.from) + " to " + std::to_string(edge.to) +
              ": expected vertices below " + std::to_string(list.vertexCount));
}

} // namespace detail

/// Builds a graph from a list of edges, with the neighbours of each vertex
/// sorted. Runs on the threads of OpenMP, which sort long rows together; the
/// result does not depend on their number. Throws Error if an end of an edge is
/// not below list.vertexCount, and std::bad_alloc. Takes time in proportion to
/// the edges, but for the sorting of long rows, and at its peak the memory of
/// the result plus that of the rows in one direction.
///
///   Csr<> graph = buildCsr(list, {.directed = false, .dropSelfLoops = true});
template <VertexIdentifier VertexId, EdgeWeight Weight>
Csr<VertexId, Weight> buildCsr(const EdgeList<VertexId, Weight> &list,
                               const BuildOptions &options = {}) {
  using detail::RowOrder;
  using Builder = detail::RowBuilder<VertexId, Weight>;
  detail::checkEdges(list);
  if (!options.directed)
    return Csr<VertexId, Weight>(
        Builder(list, RowOrder::Both, options).build());
  auto out = Builder(list, RowOrder::Forward, options).build();
  auto in = Builder(list, RowOrder::Backward, options).build();
  return Csr<VertexId, Weight>(std::move(out), std::move(in));
}

} // namespace heddle::graph

#endif
