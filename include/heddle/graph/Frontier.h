//===- Frontier.h - The vertices that a step starts from -------*- C++ -*-===//
//
// The frontier of a traversal begins with one vertex, grows to most of the
// graph, and shrinks again. A list is best for few vertices, a bitmap for many.
// A frontier is one or the other; makeSparse() and makeDense() convert it.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_FRONTIER_H
#define HEDDLE_GRAPH_DETAIL_FRONTIER_H

#include "heddle/graph/Graph.h"
#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/Bitmap.h"
#include "heddle/graph/detail/Tasks.h"

#include <algorithm>
#include <array>
#include <span>

namespace heddle::graph {

/// A set of vertices, either sparse, an unordered list, or dense, a bitmap.
/// Takes a VertexId and a bit per vertex; pages that are never used take no
/// physical memory. Conversions and sums run on the threads of OpenMP. All
/// calls but those of an Appender are for one thread at a time. The constructor
/// throws std::bad_alloc.
///
///   Frontier<> frontier(graph.vertexCount());
///   frontier.insert(source);
template <VertexIdentifier VertexIdType = std::uint32_t> class Frontier {
public:
  using VertexId = VertexIdType;
  class Appender;

  /// Sparse, without vertices.
  explicit Frontier(VertexId vertexCount)
      : list(vertexCount), bits(vertexCount) {}

  bool isDense() const { return dense; }

  /// The number of vertices. Counts the bits of a dense frontier.
  std::size_t size() const { return dense ? bits.count() : listed; }
  bool empty() const { return size() == 0; }

  /// The vertices of a sparse frontier.
  std::span<const VertexId> vertices() const {
    HEDDLE_ASSERT(!dense);
    return {list.data(), listed};
  }

  /// The vertices of a dense frontier.
  const Bitmap &bitmap() const { return bits; }
  Bitmap &bitmap() { return bits; }

  /// Removes all vertices.
  void clearSparse() {
    dense = false;
    listed = 0;
  }
  void clearDense() {
    dense = true;
    bits.clear();
  }

  /// Adds a vertex. A sparse frontier must not have it yet.
  void insert(VertexId vertex) {
    HEDDLE_ASSERT(vertex < bits.size());
    if (dense) {
      bits.set(vertex);
      return;
    }
    HEDDLE_ASSERT(listed < list.size());
    list[listed++] = vertex;
  }

  void makeDense() {
    if (dense)
      return;
    clearDense();
#pragma omp parallel for if (worthThreads(listed))
    for (std::size_t i = 0; i < listed; ++i)
      bits.setShared(list[i]);
    HEDDLE_ASSERT(bits.count() == listed); // no vertex was listed twice
  }

  void makeSparse() {
    if (!dense)
      return;
    clearSparse();
#pragma omp parallel if (worthThreads(bits.wordCount()))
    {
      Appender found(*this);
#pragma omp for nowait
      for (std::size_t word = 0; word < bits.wordCount(); ++word)
        bits.forEachInWord(word, [&](std::size_t vertex) {
          found.append(static_cast<VertexId>(vertex));
        });
    }
  }

  /// Calls `visit` with every vertex, in parallel and in no order, and returns
  /// the sum of the results, which may be anything that can be added.
  template <typename Visit> auto sum(Visit visit) const {
    if (!dense && !worthThreads(listed))
      return sumOf(vertices(), visit);
    constexpr std::size_t Words = 64, Listed = 1024;
    if (dense)
      return detail::sumInParallel(
          (bits.wordCount() + Words - 1) / Words, worthThreads(bits.size()),
          [&](std::size_t chunk) {
            decltype(visit(VertexId())) sum = {};
            const std::size_t end =
                std::min((chunk + 1) * Words, bits.wordCount());
            for (std::size_t word = chunk * Words; word < end; ++word)
              bits.forEachInWord(word, [&](std::size_t vertex) {
                sum += visit(static_cast<VertexId>(vertex));
              });
            return sum;
          });
    return detail::sumInParallel(
        (listed + Listed - 1) / Listed, true, [&](std::size_t chunk) {
          const std::size_t begin = chunk * Listed;
          return sumOf(
              vertices().subspan(begin, std::min(Listed, listed - begin)),
              visit);
        });
  }

  /// The sum of the vertices' out-degrees: the number of edges that a push from
  /// the frontier follows.
  template <Graph Store>
  typename Store::EdgeId outDegreeSum(const Store &graph) const {
    return sum([&](VertexId vertex) { return graph.outDegree(vertex); });
  }

private:
  template <typename Visit>
  static auto sumOf(std::span<const VertexId> vertices, Visit visit) {
    decltype(visit(VertexId())) sum = {};
#pragma heddle async
    for (std::size_t i = 0; i < vertices.size(); ++i)
      sum += visit(vertices[i]);
    return sum;
  }

  VertexArray<VertexId> list;
  std::size_t listed = 0;
  Bitmap bits;
  bool dense = false;
};

/// Adds the vertices of one thread to a sparse frontier to which other threads
/// add at the same time. The vertices are in the frontier once the appender is
/// destroyed. No vertex may be appended twice.
///
///   #pragma omp parallel
///   {
///     Frontier<>::Appender found(next);
///   #pragma omp for nowait
///     for (...)
///       found.append(vertex);
///   }
template <VertexIdentifier VertexIdType>
class Frontier<VertexIdType>::Appender {
public:
  explicit Appender(Frontier &frontier) : frontier(frontier) {
    HEDDLE_ASSERT(!frontier.dense);
  }
  ~Appender() { flush(); }
  Appender(const Appender &) = delete;
  Appender &operator=(const Appender &) = delete;

  void append(VertexId vertex) {
    if (count == buffer.size())
      flush();
    buffer[count++] = vertex;
  }

private:
  void flush() {
    const std::size_t position = addShared(frontier.listed, count);
    HEDDLE_ASSERT(position + count <= frontier.list.size());
    std::copy_n(buffer.begin(), count, frontier.list.begin() + position);
    count = 0;
  }

  Frontier &frontier;
  std::size_t count = 0;
  std::array<VertexId, 2048> buffer;
};

} // namespace heddle::graph

#endif
