//===- Generate.h - Made-up graphs -----------------------------*- C++ -*-===//
//
// Every edge is a pure function of the parameters and its place in the list.
// Graphs are therefore made in parallel, and are the same on every machine and
// with any number of threads. All functions run on the threads of OpenMP, take
// time in proportion to the edges and no memory beside the list, and throw
// Error for sizes that a list of such vertices cannot have, and std::bad_alloc.
// Any
// number of threads may call them. They are instantiated for both kinds of
// vertices.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_GENERATE_H
#define HEDDLE_GRAPH_GENERATE_H

#include "heddle/graph/EdgeList.h"
#include "heddle/graph/Error.h"

#include <cstdint>

namespace heddle::graph {

struct KroneckerOptions {
  /// There are 2^scale vertices.
  unsigned scale = 20;
  /// Graph500 has 16.
  std::uint64_t edgesPerVertex = 16;
  std::uint64_t seed = 1;
};

/// The skewed graph of Graph500: few vertices have most of the edges. Each bit
/// of both ends is drawn at once, with probabilities 0.57 (0 and 0), 0.19 (0
/// and 1), 0.19 (1 and 0) and 0.05 (1 and 1); then the vertices are relabelled,
/// so that their numbers say nothing about their degrees. There are self-loops,
/// parallel edges and vertices without any.
///
///   auto graph = buildCsr(generateKronecker({.scale = 22}),
///                         {.directed = false, .dropSelfLoops = true});
template <VertexIdentifier VertexId = std::uint32_t>
EdgeList<VertexId> generateKronecker(const KroneckerOptions &options);

struct UniformOptions {
  std::uint64_t vertices = std::uint64_t(1) << 20;
  std::uint64_t edges = std::uint64_t(1) << 24;
  std::uint64_t seed = 1;
};

/// Edges whose ends are drawn independently, each vertex as likely as any
/// other. There may be self-loops and parallel edges.
///
///   auto list = generateUniform({.vertices = 1000, .edges = 16000});
template <VertexIdentifier VertexId = std::uint32_t>
EdgeList<VertexId> generateUniform(const UniformOptions &options);

/// A grid of rows and columns, like the streets of a town: vertex row * columns
/// + column has an edge to its right and one to its lower neighbour, where
/// there is one. The edges to the right come first, in the order of the
/// vertices.
///
///   auto list = generateGrid(1000, 1000);
template <VertexIdentifier VertexId = std::uint32_t>
EdgeList<VertexId> generateGrid(std::uint64_t rows, std::uint64_t columns);

} // namespace heddle::graph

#endif
