//===- Generate.h - Synthetic graphs ---------------------------*- C++ -*-===//
//
// Every edge is a pure function of the parameters and its index in the list.
// Graphs are therefore generated in parallel, and are the same on every machine
// and with any number of threads. All functions run on the threads of OpenMP,
// and take time in proportion to the edges and no memory but the list. They
// throw Error if there are more vertices than a VertexId can hold, and
// std::bad_alloc. Any number of threads may call them. They are instantiated
// for both vertex types.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_GENERATE_H
#define HEDDLE_GRAPH_GENERATE_H

#include "heddle/graph/EdgeList.h"
#include "heddle/graph/Error.h"

#include <cstdint>

namespace heddle::graph {

struct KroneckerOptions {
  /// The number of vertices is 2^scale.
  unsigned scale = 20;
  /// Graph500 has 16.
  std::uint64_t edgesPerVertex = 16;
  std::uint64_t seed = 1;
};

/// The Kronecker (R-MAT) graph of Graph500, which is skewed: few vertices have
/// most of the edges. Each bit of both ends is drawn together, with
/// probabilities 0.57 (0 and 0), 0.19 (0 and 1), 0.19 (1 and 0) and 0.05 (1 and
/// 1). Vertices are then permuted, so that their numbers are independent of
/// their degrees. There are self-loops, parallel edges and vertices without
/// edges.
///
///   // buildCsr() is in ToCsr.h.
///   auto graph = buildCsr(generateKronecker({.scale = 22}),
///                         {.directed = false, .dropSelfLoops = true});
template <VertexIdentifier VertexId = std::uint32_t>
EdgeList<VertexId> generateKronecker(const KroneckerOptions &options);

struct UniformOptions {
  std::uint64_t vertices = std::uint64_t(1) << 20;
  std::uint64_t edges = std::uint64_t(1) << 24;
  std::uint64_t seed = 1;
};

/// Edges whose ends are drawn independently and uniformly from all vertices.
/// There may be self-loops and parallel edges.
///
///   auto list = generateUniform({.vertices = 1000, .edges = 16000});
template <VertexIdentifier VertexId = std::uint32_t>
EdgeList<VertexId> generateUniform(const UniformOptions &options);

/// A grid of rows and columns, like the streets of a town: vertex row * columns
/// + column has an edge to its right and to its lower neighbour, if there are
/// such. The edges to the right come first, in the order of the vertices.
///
///   auto list = generateGrid(1000, 1000);
template <VertexIdentifier VertexId = std::uint32_t>
EdgeList<VertexId> generateGrid(std::uint64_t rows, std::uint64_t columns);

} // namespace heddle::graph

#endif
