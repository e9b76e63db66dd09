// Connected components with the calls of DFOGraph: each vertex sends the lowest
// vertex that it knows of along its edges, until no vertex learns of a lower
// one. Prints the number of components.

#include <cstdio>
#include <exception>
#include <heddle/graph/ReadGraph.h>
#include <heddle/graph/SignalSlot.h>
#include <optional>

using namespace heddle::graph;

int main(int count, char **arguments) try {
  if (count != 2) {
    std::fprintf(stderr, "usage: messages GRAPH\n");
    return 2;
  }
  const auto graph = readGraph(arguments[1], {.build = {.directed = false}});
  //! [program]
  SignalSlot engine(graph);
  auto &lowest = engine.vertexArray<std::uint32_t>("lowest");
  auto &active = engine.vertexArray<bool>("active");
  engine.processVertices(
      [&](std::uint32_t v) {
        lowest[v] = v;
        active[v] = true;
        return 0;
      },
      {lowest, active});

  int changes;
  do
    changes = engine.processEdges(
        [&](std::uint32_t v) { // the signal of a vertex
          active[v] = false;
          return std::optional(lowest[v]);
        },
        {lowest, active},
        [&](std::uint32_t message, std::uint32_t, std::uint32_t to,
            Unweighted) { // the slot, where it arrives
          if (message >= lowest[to])
            return 0;
          lowest[to] = message;
          active[to] = true;
          return 1;
        },
        {lowest, active}, &active);
  while (changes != 0);

  const int components = engine.processVertices(
      [&](std::uint32_t v) { return lowest[v] == v ? 1 : 0; }, {lowest});
  //! [program]
  std::printf("%d components\n", components);
} catch (const std::exception &error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
