// Prints the PageRank of every vertex of a graph file.

//! [program]
#include <cstdio>
#include <heddle/graph/ReadGraph.h>
#include <heddle/graph/algorithms/PageRank.h>

void printRanks(const char *path) {
  const auto graph = heddle::graph::readGraph(path);
  const auto [rank, iterations, change] = heddle::graph::pageRank(graph);
  for (std::uint32_t v = 0; v < graph.vertexCount(); ++v)
    std::printf("%u %g\n", v, rank[v]);
}
//! [program]

//! [main]
int main(int count, char **arguments) try {
  if (count != 2) {
    std::fprintf(stderr, "usage: pagerank GRAPH\n");
    return 2;
  }
  printRanks(arguments[1]);
} catch (const std::exception &error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
//! [main]
