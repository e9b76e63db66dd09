//===- Grid.cpp - Rows and columns ---------------------------------------===//

#include "heddle/graph/Generate.h"

#include <new>
#include <string>

namespace heddle::graph {

template <VertexIdentifier VertexId>
EdgeList<VertexId> generateGrid(std::uint64_t rows, std::uint64_t columns) {
  EdgeList<VertexId> list;
  if (rows == 0 || columns == 0)
    return list;
  if (columns > MostVertices<VertexId> / rows)
    throw Error("grid: expected at most " +
                std::to_string(MostVertices<VertexId>) + " vertices, found " +
                std::to_string(rows) + " rows of " + std::to_string(columns));

  const std::size_t vertices = rows * columns;
  const std::size_t edgesToRight = vertices - rows;
  const std::size_t edgesDown = vertices - columns;
  if (edgesDown > SIZE_MAX - edgesToRight)
    throw std::bad_alloc();
  list.vertexCount = static_cast<VertexId>(vertices);
  list.edges = Array<Edge<VertexId>>(edgesToRight + edgesDown);
#pragma omp parallel for
  for (std::size_t i = 0; i < edgesToRight; ++i) {
    const auto from = static_cast<VertexId>(i + i / (columns - 1));
    list.edges[i] = {from, from + 1, {}};
  }
#pragma omp parallel for
  for (std::size_t i = 0; i < edgesDown; ++i) {
    const auto from = static_cast<VertexId>(i);
    list.edges[edgesToRight + i] = {
        from, static_cast<VertexId>(from + columns), {}};
  }
  return list;
}

template EdgeList<std::uint32_t> generateGrid(std::uint64_t, std::uint64_t);
template EdgeList<std::uint64_t> generateGrid(std::uint64_t, std::uint64_t);

} // namespace heddle::graph
