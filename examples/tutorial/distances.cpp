// Prints how far all vertices of a graph file with weights are from vertex 0.

#include <cstdio>
#include <exception>
#include <heddle/graph/ReadGraph.h>
#include <heddle/graph/algorithms/ShortestPaths.h>
#include <heddle/graph/verify/ShortestPaths.h>

using namespace heddle::graph;

//! [read]
int main(int count, char **arguments) try {
  if (count != 2) {
    std::fprintf(stderr, "usage: distances GRAPH\n");
    return 2;
  }
  const auto roads = readGraph<std::uint32_t, std::int32_t>(
      arguments[1], {.build = {.directed = false}});
  const auto distance = shortestPaths(roads, 0);
  //! [read]

  //! [verify]
  if (const Violation violation = verifyShortestPaths(roads, 0, distance)) {
    std::fprintf(stderr, "%s\n", violation->c_str());
    return 1;
  }
  //! [verify]

  //! [print]
  for (std::uint32_t v = 0; v < roads.vertexCount(); ++v)
    if (distance[v] != Unreachable<std::int32_t>)
      std::printf("%u %d\n", v, distance[v]);
} catch (const std::exception &error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
//! [print]
