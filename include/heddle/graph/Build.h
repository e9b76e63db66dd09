//===- Build.h - From edge lists to compressed sparse rows -----*- C++ -*-===//
//
// A parallel counting sort by row, then a sort within each row. Threads race
// for places within a row, but not for its content, and sorting erases their
// order: the result does not depend on how many there are.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_BUILD_H
#define HEDDLE_GRAPH_BUILD_H

#include "heddle/graph/Csr.h"
#include "heddle/graph/EdgeList.h"
#include "heddle/graph/Error.h"
#include "heddle/graph/ParallelSort.h"
#include "heddle/graph/PrefixSum.h"

#include <algorithm>
#include <atomic>
#include <compare>
#include <limits>
#include <new>
#include <string>
#include <vector>

namespace heddle::graph {

/// What becomes of edges that have the same ends (and, in a directed graph, the
/// same direction).
enum class ParallelEdges {
  KeepLightest, ///< only the one with the least weight stays
  KeepAll
};

struct BuildOptions {
  /// False: an edge leads both ways, whichever way the list has it.
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
        rowEnd(offsetCount(list.vertexCount)) {}

  Rows build() {
    scatter();
    Rows rows;
    rows.offsets = sortRows();
    copyRows(rows);
    return rows;
  }

private:
  using Element = Neighbour<VertexId, Weight>;

  /// One more than there are rows, which a size need not be able to hold.
  static std::size_t offsetCount(VertexId rows) {
    if (rows == std::numeric_limits<std::size_t>::max())
      throw std::bad_alloc();
    return std::size_t(rows) + 1;
  }

  /// Calls `visit` with every row that an edge belongs to and what it has
  /// there.
  template <typename Visit>
  void forEachElement(const Edge<VertexId, Weight> &edge, Visit visit) const {
    const bool isLoop = edge.from == edge.to;
    if (isLoop && options.dropSelfLoops)
      return;
    if (order != RowOrder::Backward)
      visit(edge.from, Element{edge.to, edge.weight});
    if (order == RowOrder::Backward || (order == RowOrder::Both && !isLoop))
      visit(edge.to, Element{edge.from, edge.weight});
  }

  /// Puts the elements of each row side by side, in any order.
  void scatter() {
#pragma omp parallel for
    for (std::size_t row = 0; row < rowEnd.size(); ++row)
      rowEnd[row] = 0;

    const std::size_t edges = list.edges.size();
#pragma omp parallel for
    for (std::size_t i = 0; i < edges; ++i)
      forEachElement(list.edges[i],
                     [&](VertexId row, Element) { claim(rowEnd[row]); });

    // From here each claim yields the next free place of a row, and after the
    // last one that is the row's end.
    elements = Array<Element>(exclusivePrefixSum(rowEnd));
#pragma omp parallel for
    for (std::size_t i = 0; i < edges; ++i)
      forEachElement(list.edges[i], [&](VertexId row, Element element) {
        elements[claim(rowEnd[row])] = element;
      });
  }

  static std::uint64_t claim(std::uint64_t &counter) {
    return std::atomic_ref(counter).fetch_add(1, std::memory_order_relaxed);
  }

  /// Sorts each row, moves what stays of it to its front, and returns where the
  /// rows begin once the rest is squeezed out.
  Array<std::uint64_t> sortRows() {
    const std::size_t rows = list.vertexCount;
    Array<std::uint64_t> offsets(rows + 1);
    offsets[rows] = 0;
    std::vector<std::size_t> longRows;
#pragma omp parallel for schedule(dynamic, RowsAtOnce)
    for (std::size_t row = 0; row < rows; ++row) {
      Element *begin = rowBegin(row), *end = elements.data() + rowEnd[row];
      if (isLong(static_cast<std::size_t>(end - begin))) {
#pragma omp critical(heddle_graph_long_rows)
        longRows.push_back(row);
        continue;
      }
      std::sort(begin, end, precedes);
      offsets[row] = countKept(begin, end);
    }
    for (const std::size_t row : longRows) {
      Element *begin = rowBegin(row), *end = elements.data() + rowEnd[row];
      parallelSort(begin, end, precedes);
      offsets[row] = countKept(begin, end);
    }
    exclusivePrefixSum(offsets);
    return offsets;
  }

  /// Whether a row is so large a part of all that the other threads would have
  /// to wait for the one that sorts it. There are at most 64 such rows.
  bool isLong(std::size_t size) const {
    return size > (std::size_t(1) << 16) && size > elements.size() / 64;
  }

  /// Moves what stays of a sorted row to its front, and returns how much.
  std::uint64_t countKept(Element *begin, Element *end) const {
    if (options.parallelEdges == ParallelEdges::KeepLightest)
      end = std::unique(begin, end, [](const Element &a, const Element &b) {
        return a.target == b.target;
      });
    return static_cast<std::uint64_t>(end - begin);
  }

  void copyRows(Rows &rows) {
    const std::size_t count = list.vertexCount;
    rows.targets = Array<VertexId>(rows.offsets[count]);
    if constexpr (!std::same_as<Weight, Unweighted>)
      rows.weights = Array<Weight>(rows.offsets[count]);
#pragma omp parallel for schedule(dynamic, RowsAtOnce)
    for (std::size_t row = 0; row < count; ++row) {
      const Element *element = rowBegin(row);
      for (std::uint64_t i = rows.offsets[row]; i < rows.offsets[row + 1];
           ++i, ++element) {
        rows.targets[i] = element->target;
        if constexpr (!std::same_as<Weight, Unweighted>)
          rows.weights[i] = element->weight;
      }
    }
  }

  Element *rowBegin(std::size_t row) {
    return elements.data() + (row == 0 ? 0 : rowEnd[row - 1]);
  }

  /// A total order, in which only identical elements are equal: floating-point
  /// weights have two zeros, and what is not a number compares with nothing.
  static bool precedes(const Element &a, const Element &b) {
    if (a.target != b.target)
      return a.target < b.target;
    if constexpr (std::same_as<Weight, Unweighted>)
      return false;
    else
      return std::strong_order(a.weight, b.weight) < 0;
  }

  // Enough that handing out work costs little, and few enough that the long
  // rows of a skewed graph spread over the threads.
  static constexpr int RowsAtOnce = 256;

  const EdgeList<VertexId, Weight> &list;
  const RowOrder order;
  const BuildOptions &options;
  Array<std::uint64_t> rowEnd;
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
/// result is the same whatever their number. Throws Error if an end of an edge
/// is not below list.vertexCount, and std::bad_alloc. Takes time in proportion
/// to the edges, but for the sorting of long rows, and at its peak the memory
/// of the result plus that of the rows in one direction.
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
