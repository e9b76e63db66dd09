//===- input.h - Where graphs come from -------------------------*- C++ -*-===//
//
// A graph as the driver keeps it, and the four ways to get one: the package
// index of a Debian machine, an edge list, and two generators.
//
//===----------------------------------------------------------------------===//

#ifndef GRAPH_INPUT_INPUT_H
#define GRAPH_INPUT_INPUT_H

#include "../algorithms/graph.h"
#include "array.h"

#include <span>
#include <stdexcept>
#include <string>
#include <vector>

/// Input that cannot be used; the message says which, where and why.
struct InputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// An edge before it is sorted into rows.
struct Edge {
  int32_t from, to, weight;
};

/// Compressed sparse rows with the memory they lie in.
struct CsrArrays {
  Array<int64_t> rowStart;
  Array<int32_t> column, weight;

  int32_t vertices() const { return static_cast<int32_t>(rowStart.size() - 1); }
  operator Csr() const {
    return {vertices(), rowStart.data(), column.data(), weight.data()};
  }
};

struct Graph {
  std::string name;
  /// Where it is from, in words; or nothing.
  std::string origin;
  bool undirected = false;
  CsrArrays out;
  CsrArrays reversed; // empty if undirected
  /// Package names, or none.
  std::vector<std::string> packages;
  /// The numbers that the vertices of an edge list have in the file, or none.
  Array<int32_t> numbers;

  Csr in() const { return undirected ? out : reversed; }

  /// Lengths are printed divided by the scale, with the unit.
  int64_t weightScale = 1;
  const char *weightUnit = "";

  /// What a person calls vertices, and vertex `v`.
  const char *vertexNoun() const {
    return packages.empty() ? "vertices" : "packages";
  }
  std::string vertexName(int32_t v) const;
  /// The vertex of that name, or -1.
  int32_t findVertex(const std::string &name) const;
};

enum class Direction { Forward, Backward, Both };

/// Sorts edges into rows, as they are, reversed, or once in each direction.
/// Self-loops are dropped; of parallel edges the lightest stays.
CsrArrays buildRows(int32_t vertices, std::span<const Edge> edges,
                    Direction direction);

/// Builds the rows that a graph needs.
Graph buildGraph(std::string name, int32_t vertices,
                 std::span<const Edge> edges, bool undirected);

/// An acyclic graph over the groups of vertices that lie on common cycles.
struct AcyclicGraph {
  CsrArrays out;
  /// The group of each vertex; empty if every vertex is its own group.
  Array<int32_t> group;
};

/// Merges the vertices of each cycle into one (a strongly connected component).
/// Undirected graphs are made acyclic by keeping each edge from its lower to
/// its higher end only.
AcyclicGraph makeAcyclic(const Graph &graph);

/// Edge from every package to each package that it depends on or recommends,
/// and from every virtual package to its providers. Reads `file` if not empty,
/// else what apt knows, else what is installed.
Graph readPackages(const std::string &file);

/// Reads "from to [weight]" lines; '#' starts a comment; may be gzipped.
Graph readEdgeList(const std::string &file, bool undirected);

/// 16 edges for each of the 2^scale vertices, undirected, weights 1 to 255.
Graph generateKronecker(int scale);
Graph generateUniform(int scale);

/// A weight from 1 to 255 that depends on the ends of the edge alone.
int32_t generatedWeight(int32_t a, int32_t b);

#endif
