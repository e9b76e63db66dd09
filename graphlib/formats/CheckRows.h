//===- CheckRows.h - Whether rows from a file are rows ---------*- C++ -*-===//
//
// Algorithms trust a graph: an offset or a target out of range would take them
// to foreign memory.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPHLIB_FORMATS_CHECKROWS_H
#define HEDDLE_GRAPHLIB_FORMATS_CHECKROWS_H

#include "heddle/graph/Csr.h"
#include "heddle/graph/detail/Build.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

namespace heddle::graph {

/// The first thing in an array that is not as it should be.
struct RowProblem {
  static constexpr std::size_t None = SIZE_MAX;
  std::size_t index = None;
  std::string text; ///< "expected ..., found ..."

  explicit operator bool() const { return index != None; }
};

/// Offsets must begin at 0, never decrease, and end at the number of targets.
template <VertexIdentifier VertexId, EdgeWeight Weight>
RowProblem problemInOffsets(const CsrRows<VertexId, Weight> &rows) {
  const Array<std::uint64_t> &offsets = rows.offsets;
  const std::size_t last = offsets.size() - 1;
  std::size_t bad = RowProblem::None;
#pragma omp parallel for reduction(min : bad)
  for (std::size_t i = 1; i <= last; ++i)
    if (offsets[i] < offsets[i - 1])
      bad = std::min(bad, i);
  const auto problemAt = [&](std::size_t index, const std::string &expected) {
    return RowProblem{index, "expected " + expected + ", found " +
                                 std::to_string(offsets[index])};
  };
  if (offsets[0] != 0)
    return problemAt(0, "the offset 0");
  if (bad != RowProblem::None)
    return problemAt(bad, "an offset of at least " +
                              std::to_string(offsets[bad - 1]));
  if (offsets[last] != rows.targets.size())
    return problemAt(last, "the offset " + std::to_string(rows.targets.size()));
  return {};
}

/// Targets must be vertices. `rows` must have good offsets.
template <VertexIdentifier VertexId, EdgeWeight Weight>
RowProblem problemInTargets(const CsrRows<VertexId, Weight> &rows) {
  const Array<VertexId> &targets = rows.targets;
  const std::size_t vertices = rows.offsets.size() - 1;
  std::size_t bad = RowProblem::None;
#pragma omp parallel for reduction(min : bad)
  for (std::size_t i = 0; i < targets.size(); ++i)
    if (targets[i] >= vertices)
      bad = std::min(bad, i);
  if (bad == RowProblem::None)
    return {};
  return {bad, "expected a vertex below " + std::to_string(vertices) +
                   ", found " + std::to_string(targets[bad])};
}

/// Whether each row is sorted by target. `rows` must have good offsets.
template <VertexIdentifier VertexId, EdgeWeight Weight>
bool areSorted(const CsrRows<VertexId, Weight> &rows) {
  const std::size_t count = rows.offsets.size() - 1;
  std::size_t unsorted = 0;
#pragma omp parallel for schedule(dynamic, 256) reduction(+ : unsorted)
  for (std::size_t row = 0; row < count; ++row)
    unsorted += !std::is_sorted(rows.targets.begin() + rows.offsets[row],
                                rows.targets.begin() + rows.offsets[row + 1]);
  return unsorted == 0;
}

/// Sorts each row by target. `rows` must be good but for their order.
template <VertexIdentifier VertexId, EdgeWeight Weight>
void sortRows(CsrRows<VertexId, Weight> &rows) {
  const std::size_t count = rows.offsets.size() - 1;
  EdgeList<VertexId, Weight> list;
  list.vertexCount = static_cast<VertexId>(count);
  list.edges = Array<Edge<VertexId, Weight>>(rows.targets.size());
#pragma omp parallel for schedule(dynamic, 256)
  for (std::size_t row = 0; row < count; ++row)
    for (std::uint64_t i = rows.offsets[row]; i < rows.offsets[row + 1]; ++i) {
      list.edges[i] = {static_cast<VertexId>(row), rows.targets[i], {}};
      if constexpr (!std::same_as<Weight, Unweighted>)
        list.edges[i].weight = rows.weights[i];
    }
  rows = {};
  rows = detail::RowBuilder<VertexId, Weight>(
             list, detail::RowOrder::Forward,
             {.parallelEdges = ParallelEdges::KeepAll})
             .build();
}

} // namespace heddle::graph

#endif
