// Prints the PageRank of every vertex of a graph file.

//! [program]
#include <cstdio>
#include <heddle/graph/ReadGraph.h>
#include <heddle/graph/algorithms/PageRank.h>

int main(int, char **arguments) {
  const auto graph = heddle::graph::readGraph(arguments[1]);
  const auto [rank, iterations, change] = heddle::graph::pageRank(graph);
  for (std::uint32_t v = 0; v < graph.vertexCount(); ++v)
    std::printf("%u %g\n", v, rank[v]);
}
//! [program]
