// Breadth-first search with the calls of GastCoCo, from the vertex that the
// second argument names. Prints how many vertices can be reached from there.

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <heddle/graph/Process.h>
#include <heddle/graph/algorithms/Source.h>

using namespace heddle::graph;

int main(int count, char **arguments) try {
  if (count != 3) {
    std::fprintf(stderr, "usage: process GRAPH VERTEX\n");
    return 2;
  }
  //! [program]
  const auto graph = loadGraph(arguments[1]);
  constexpr std::uint32_t None = NoVertex<std::uint32_t>;
  VertexArray<std::uint32_t> parent(graph.vertexCount(), None);
  Frontier<> frontier(graph.vertexCount()), next(graph.vertexCount());

  // Many vertices are active: those without a parent look for one.
  const auto dense = [&](std::uint32_t v, auto edges) {
    if (parent[v] != None)
      return 0;
    for (const auto [from, weight] : edges)
      if (frontier.bitmap().test(from)) {
        parent[v] = from;
        next.bitmap().set(v);
        return 1;
      }
    return 0;
  };
  // Few vertices are active: they look for children; two may find the same.
  const auto sparse = [&](std::uint32_t v, auto edges) {
    int children = 0;
    for (const auto [target, weight] : edges)
      if (claimShared(parent[target], None, v)) {
        next.bitmap().setShared(target);
        ++children;
      }
    return children;
  };

  const auto source =
      static_cast<std::uint32_t>(std::strtoul(arguments[2], nullptr, 10));
  checkSource(graph, source);
  parent[source] = source;
  frontier.insert(source);
  int found = 1, reached = 0;
  while (found != 0) {
    reached += found;
    next.clearDense();
    found = processEdges(graph, dense, sparse, frontier);
    std::swap(frontier, next);
  }
  //! [program]
  std::printf("%d of %u vertices can be reached\n", reached,
              graph.vertexCount());
} catch (const std::exception &error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
