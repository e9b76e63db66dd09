//===- Frontier.h - The vertices that a step starts from -------*- C++ -*-===//
//
// A traversal begins with one vertex, grows to most of the graph and ends with
// few again. Few vertices are best kept as a list, many as a bitmap; a frontier
// is one or the other and changes when it is told to.
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

/// A set of vertices, either sparse, a list in no order, or dense, a bitmap.
/// Takes memory for both, which the system provides only where it is used.
/// Conversions and sums run on the threads of OpenMP; all calls but those of an
/// Appender and insertShared() are for one thread at a time.
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

  /// How many vertices there are. Counts the bits of a dense frontier.
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

  /// Adds a vertex; to a sparse frontier, one that is not in it.
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
  /// the sum of what it returns, anything that can be added up.
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

  /// The sum of the vertices' out-degrees: how many edges a step that pushes
  /// along them follows.
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

/// A thread's way to add vertices to a sparse frontier that other threads add
/// to as well. They are in it once the appender is destroyed. No vertex may be
/// appended twice.
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
