//===- EdgeSum.h - Whether two lists have the same edges -------*- C++ -*-===//
//
// A finished graph that says that it is undirected has each edge in the rows of
// both its ends, and the in-edges of a directed one are its out-edges reversed.
// Algorithms that go either way would otherwise compute on two graphs. To sort
// and compare takes much longer than to read; a sum of hashed edges takes
// little and does not depend on their order.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPHLIB_FORMATS_EDGESUM_H
#define HEDDLE_GRAPHLIB_FORMATS_EDGESUM_H

#include "heddle/graph/Csr.h"
#include "heddle/graph/EdgeList.h"

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>

namespace heddle::graph {

/// The sum of the hashes of edges, in which each counts as often as it is
/// there.
class EdgeSum {
public:
  template <VertexIdentifier VertexId, EdgeWeight Weight>
  void add(const Edge<VertexId, Weight> &edge) {
    addHash(edge.from, edge.to, bitsOf(edge.weight));
  }

  /// Adds the edge in the other direction.
  template <VertexIdentifier VertexId, EdgeWeight Weight>
  void addReversed(const Edge<VertexId, Weight> &edge) {
    addHash(edge.to, edge.from, bitsOf(edge.weight));
  }

  EdgeSum &operator+=(const EdgeSum &other) {
    sum += other.sum;
    return *this;
  }
  bool operator==(const EdgeSum &) const = default;

private:
  void addHash(std::uint64_t from, std::uint64_t to, std::uint64_t weight) {
    sum += mixed(mixed(mixed(from + 1) + to) + weight);
  }

  static std::uint64_t mixed(std::uint64_t number) {
    number = (number ^ (number >> 32)) * 0x9e3779b97f4a7c15;
    return number ^ (number >> 29);
  }

  template <EdgeWeight Weight> static std::uint64_t bitsOf(Weight weight) {
    if constexpr (std::same_as<Weight, Unweighted>)
      return 0;
    else if constexpr (std::is_integral_v<Weight>)
      return static_cast<std::uint64_t>(weight);
    else if constexpr (sizeof(Weight) == sizeof(std::uint32_t))
      return std::bit_cast<std::uint32_t>(weight);
    else
      return std::bit_cast<std::uint64_t>(weight);
  }

  std::uint64_t sum = 0;
};

/// Calls `visit(edge)` for the edges of a row.
template <VertexIdentifier VertexId, EdgeWeight Weight, typename Visit>
void forEachInRow(const CsrRows<VertexId, Weight> &rows, std::size_t row,
                  Visit visit) {
  for (std::uint64_t i = rows.offsets[row]; i < rows.offsets[row + 1]; ++i) {
    Edge<VertexId, Weight> edge = {
        static_cast<VertexId>(row), rows.targets[i], {}};
    if constexpr (!std::same_as<Weight, Unweighted>)
      edge.weight = rows.weights[i];
    visit(edge);
  }
}

/// Whether `in` has the edges of `out` reversed. Both must have good rows of as
/// many vertices.
template <VertexIdentifier VertexId, EdgeWeight Weight>
bool areReverse(const CsrRows<VertexId, Weight> &out,
                const CsrRows<VertexId, Weight> &in) {
  const std::size_t rows = out.offsets.size() - 1;
  EdgeSum forward, backward;
#pragma omp declare reduction(+ : EdgeSum : omp_out += omp_in)
#pragma omp parallel for schedule(dynamic, 256) reduction(+ : forward, backward)
  for (std::size_t row = 0; row < rows; ++row) {
    forEachInRow(out, row, [&](const auto &edge) { forward.add(edge); });
    forEachInRow(in, row,
                 [&](const auto &edge) { backward.addReversed(edge); });
  }
  return forward == backward;
}

/// The first edge of `out` that `in` does not have reversed as often, as
/// "expected ..., found ...". Rows must be sorted by target.
template <VertexIdentifier VertexId, EdgeWeight Weight>
std::string firstWithoutReverse(const CsrRows<VertexId, Weight> &out,
                                const CsrRows<VertexId, Weight> &in) {
  const auto countOf = [](const CsrRows<VertexId, Weight> &rows,
                          std::size_t row, VertexId target) {
    const auto found =
        std::equal_range(rows.targets.begin() + rows.offsets[row],
                         rows.targets.begin() + rows.offsets[row + 1], target);
    return found.second - found.first;
  };
  const std::size_t rows = out.offsets.size() - 1;
  std::size_t bad = rows;
#pragma omp parallel for schedule(dynamic, 256) reduction(min : bad)
  for (std::size_t row = 0; row < rows; ++row)
    forEachInRow(out, row, [&](const auto &edge) {
      if (row < bad &&
          countOf(out, row, edge.to) != countOf(in, edge.to, edge.from))
        bad = row;
    });
  std::string text = "expected each edge with the same weight in both "
                     "directions, found others";
  bool isFound = false;
  if (bad < rows)
    forEachInRow(out, bad, [&](const auto &edge) {
      const auto there = countOf(out, bad, edge.to),
                 back = countOf(in, edge.to, edge.from);
      if (isFound || there == back)
        return;
      isFound = true;
      text = "expected the edge from " + std::to_string(edge.from) + " to " +
             std::to_string(edge.to) + " in both directions, found " +
             std::to_string(there) + " in one and " + std::to_string(back) +
             " in the other";
    });
  return text;
}

} // namespace heddle::graph

#endif
