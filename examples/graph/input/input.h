//===- input.h - Where graphs come from -------------------------*- C++ -*-===//
//
// A graph as the driver keeps it, and the ways to get one: the package index of
// a Debian machine, an edge list, and the generators of Heddle's library.
//
//===----------------------------------------------------------------------===//

#ifndef GRAPH_INPUT_INPUT_H
#define GRAPH_INPUT_INPUT_H

#include "../algorithms/graph.h"
#include "heddle/graph/Csr.h"
#include "heddle/graph/EdgeList.h"
#include "heddle/graph/Error.h"
#include "heddle/graph/verify/Violation.h"

#include <concepts>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

/// Input that cannot be used; the message says which, where and why.
using InputError = heddle::graph::Error;

/// The error in a result, or nothing.
using Verdict = heddle::graph::Violation;

using EdgeList = heddle::graph::EdgeList<uint32_t, int32_t>;
using Edge = heddle::graph::Edge<uint32_t, int32_t>;

/// Memory on pages of the size that --pages asks for.
template <typename T> using Array = heddle::graph::Array<T>;

/// The arrays of rows as the algorithms have them, which know of no types of
/// Heddle. Numbers with a sign and without have the same representation, and
/// none is so high that it differs.
template <typename Weight>
Csr viewOf(const heddle::graph::CsrRows<uint32_t, Weight> &rows) {
  Csr view = {static_cast<int32_t>(rows.offsets.size() - 1),
              reinterpret_cast<const int64_t *>(rows.offsets.data()),
              reinterpret_cast<const int32_t *>(rows.targets.data())};
  if constexpr (std::same_as<Weight, int32_t>)
    view.weight = rows.weights.data();
  return view;
}

/// Of everything random.
constexpr uint64_t Seed = 1;

struct Graph {
  std::string name;
  /// The origin of the graph in words, or empty.
  std::string origin;
  heddle::graph::Csr<uint32_t, int32_t> rows;
  /// Package names, or none.
  std::vector<std::string> packages;
  /// The numbers that the vertices of an edge list have in the file, or none.
  std::vector<uint32_t> numbers;

  /// Lengths are printed divided by the scale, with the unit.
  int64_t weightScale = 1;
  const char *weightUnit = "";

  int32_t vertices() const { return static_cast<int32_t>(rows.vertexCount()); }
  bool isUndirected() const { return !rows.isDirected(); }
  Csr out() const { return viewOf(rows.outRows()); }
  Csr in() const { return viewOf(rows.inRows()); }

  /// Return the user's words for vertices, and for vertex `v`.
  const char *vertexNoun() const {
    return packages.empty() ? "vertices" : "packages";
  }
  std::string vertexName(int32_t v) const {
    if (!packages.empty())
      return packages[v];
    return std::to_string(numbers.empty() ? v : numbers[v]);
  }
};

/// Sorts edges into rows. Self-loops are dropped; of parallel edges the
/// lightest stays.
Graph buildGraph(std::string name, const EdgeList &edges, bool undirected);

/// Edge from every package to each package that it depends on or recommends,
/// and from every virtual package to its providers. Reads `file` if not empty,
/// else what apt knows, else what is installed.
Graph readPackages(const std::string &file);

/// Reads "from to [weight]" lines; '#' or '%' starts a comment; may be
/// compressed.
Graph readEdgeList(const std::string &file, bool undirected);

/// A "kronecker" or "uniform" graph: 16 edges for each of the 2^scale vertices,
/// undirected, weights 1 to 255. Shows progress.
Graph generate(const std::string &kind, int scale);

/// Calls `visit` for every line of `file`, which may be compressed, with the
/// line (without its end) and its number from 1. Shows progress, in which the
/// file has that name. Throws InputError if the file cannot be read to its end.
void forEachLine(const std::string &file, const std::string &name,
                 const std::function<void(std::string_view, uint64_t)> &visit);

#endif
