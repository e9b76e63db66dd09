//===- WriteText.cpp - Edge lists, Matrix Market, Ligra ------------------===//

#include "../files/Instantiate.h"
#include "GraphLines.h"
#include "Writers.h"

#include <string>

namespace heddle::graph {
namespace {

template <typename... Parts>
void writeHeader(OutputFile &file, Parts... parts) {
  std::string line;
  ((line += parts), ...);
  file.write(line);
}

/// One number in each line.
template <typename T>
void writeColumn(OutputFile &file, const T *numbers, std::uint64_t count) {
  writeLines(file, count, MostNumberBytes + 1,
             [&](std::uint64_t begin, std::uint64_t end, char *to) {
               for (std::uint64_t i = begin; i < end; ++i) {
                 to = writeNumber(to, numbers[i]);
                 *to++ = '\n';
               }
               return to;
             });
}

/// How many edges of an undirected graph are left if each is listed once.
template <VertexIdentifier VertexId, EdgeWeight Weight>
std::uint64_t countOnce(const Csr<VertexId, Weight> &graph) {
  std::uint64_t count = 0;
#pragma omp parallel for schedule(dynamic, 256) reduction(+ : count)
  for (VertexId v = 0; v < graph.vertexCount(); ++v)
    for (const auto edge : graph.outEdges(v))
      count += edge.target <= v;
  return count;
}

} // namespace

template <VertexIdentifier VertexId, EdgeWeight Weight>
void writeEdgeList(OutputFile &file, const Csr<VertexId, Weight> &graph,
                   EdgeLineForm form) {
  const bool directed = graph.isDirected();
  if (form.withComment)
    writeHeader(file, directed ? "# Directed" : "# Undirected", " graph of ",
                std::to_string(graph.vertexCount()), " vertices and ",
                std::to_string(directed ? graph.edgeCount() : countOnce(graph)),
                " edges\n");
  writeEdges(file, graph.outRows(), form,
             [directed](std::uint64_t from, std::uint64_t to) {
               return directed || from <= to;
             });
}

template <VertexIdentifier VertexId, EdgeWeight Weight>
void writeMatrixMarket(OutputFile &file, const Csr<VertexId, Weight> &graph) {
  const bool directed = graph.isDirected();
  const char *field = std::same_as<Weight, Unweighted>   ? "pattern"
                      : std::is_floating_point_v<Weight> ? "real"
                                                         : "integer";
  const std::string vertices = std::to_string(graph.vertexCount());
  writeHeader(
      file, "%%MatrixMarket matrix coordinate ", field,
      directed ? " general\n" : " symmetric\n", vertices, " ", vertices, " ",
      std::to_string(directed ? graph.edgeCount() : countOnce(graph)), "\n");
  // The lower triangle of a symmetric matrix.
  writeEdges(file, graph.outRows(), {.firstVertex = 1},
             [directed](std::uint64_t from, std::uint64_t to) {
               return directed || from >= to;
             });
}

template <VertexIdentifier VertexId, EdgeWeight Weight>
void writeLigra(OutputFile &file, const Csr<VertexId, Weight> &graph) {
  constexpr bool isWeighted = !std::same_as<Weight, Unweighted>;
  const auto &rows = graph.outRows();
  writeHeader(file, isWeighted ? "Weighted" : "", "AdjacencyGraph\n",
              std::to_string(graph.vertexCount()), "\n",
              std::to_string(graph.edgeCount()), "\n");
  writeColumn(file, rows.offsets.data(), graph.vertexCount());
  writeColumn(file, rows.targets.data(), graph.edgeCount());
  if constexpr (isWeighted)
    writeColumn(file, rows.weights.data(), graph.edgeCount());
}

#define HEDDLE_INSTANTIATE(VertexId, Weight)                                   \
  template void writeEdgeList(OutputFile &, const Csr<VertexId, Weight> &,     \
                              EdgeLineForm);                                   \
  template void writeMatrixMarket(OutputFile &,                                \
                                  const Csr<VertexId, Weight> &);              \
  template void writeLigra(OutputFile &, const Csr<VertexId, Weight> &);
HEDDLE_FOR_ALL_GRAPHS(HEDDLE_INSTANTIATE)

} // namespace heddle::graph
