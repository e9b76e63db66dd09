//===- input.h - Where graphs come from -------------------------*- C++ -*-===//
//
// A graph as the driver keeps it, and the four ways to get one: the package
// index of a Debian machine, an edge list, and two generators.
//
//===----------------------------------------------------------------------===//

#ifndef GRAPH_INPUT_INPUT_H
#define GRAPH_INPUT_INPUT_H

#include "../algorithms/graph.h"
#include "heddle/graph/Csr.h"
#include "heddle/graph/EdgeList.h"
#include "heddle/graph/Error.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

/// Input that cannot be used; the message says which, where and why.
using InputError = heddle::graph::Error;

using Edge = heddle::graph::Edge<uint32_t, int32_t>;

/// Memory on pages of the size that --pages asks for.
template <typename T> using Array = heddle::graph::Array<T>;

/// An array whose elements are all 0.
template <typename T> Array<T> zeros(size_t count) {
  Array<T> array(count);
  std::fill(array.begin(), array.end(), T());
  return array;
}

/// The arrays of rows as the algorithms have them, which know of no types of
/// Heddle.
Csr viewOf(const heddle::graph::CsrRows<uint32_t, int32_t> &rows);

struct Graph {
  std::string name;
  /// Where it is from, in words; or nothing.
  std::string origin;
  heddle::graph::Csr<uint32_t, int32_t> rows;
  /// Package names, or none.
  std::vector<std::string> packages;
  /// The numbers that the vertices of an edge list have in the file, or none.
  std::vector<int32_t> numbers;

  int32_t vertices() const { return static_cast<int32_t>(rows.vertexCount()); }
  bool isUndirected() const { return !rows.isDirected(); }
  Csr out() const { return viewOf(rows.outRows()); }
  Csr in() const { return viewOf(rows.inRows()); }

  /// Lengths are printed divided by the scale, with the unit.
  int64_t weightScale = 1;
  const char *weightUnit = "";

  /// Return the user's words for vertices, and for vertex `v`.
  const char *vertexNoun() const {
    return packages.empty() ? "vertices" : "packages";
  }
  std::string vertexName(int32_t v) const;
  /// The vertex of that name, or -1.
  int32_t findVertex(const std::string &name) const;
};

/// Sorts edges into rows. Self-loops are dropped; of parallel edges the
/// lightest stays.
Graph buildGraph(std::string name, int32_t vertices, Array<Edge> edges,
                 bool undirected);

/// An acyclic graph over the groups of vertices that lie on common cycles.
struct AcyclicGraph {
  heddle::graph::Csr<uint32_t, int32_t> rows;
  /// The group of each vertex; empty if every vertex is its own group.
  std::vector<int32_t> group;

  int32_t vertices() const { return static_cast<int32_t>(rows.vertexCount()); }
  Csr out() const { return viewOf(rows.outRows()); }
};

/// Merges the vertices of each cycle into one (a strongly connected component).
/// Undirected graphs are made acyclic by keeping each edge from its lower to
/// its higher end only. Edges lead from lower to higher groups.
AcyclicGraph makeAcyclic(const Graph &graph);

/// Edge from every package to each package that it depends on or recommends,
/// and from every virtual package to its providers. Reads `file` if not empty,
/// else what apt knows, else what is installed.
Graph readPackages(const std::string &file);

/// Reads "from to [weight]" lines; '#' starts a comment; may be compressed.
Graph readEdgeList(const std::string &file, bool undirected);

/// 16 edges for each of the 2^scale vertices, undirected, weights 1 to 255.
Graph generateKronecker(int scale);
Graph generateUniform(int scale);

/// A weight from 1 to 255 that depends on the ends of the edge alone.
int32_t generatedWeight(uint32_t a, uint32_t b);

#endif
