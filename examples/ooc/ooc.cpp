// Breadth-first search in a graph that need not fit in memory: prepares an edge
// list in a directory, runs a program of signals and slots over it within 64
// MiB, and prints the number of vertices at each distance.
//
//   ooc EDGE-LIST DIRECTORY VERTEX

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <heddle/graph/ooc/Engine.h>
#include <heddle/graph/ooc/Prepare.h>
#include <optional>

using namespace heddle::graph;

int main(int count, char **arguments) try {
  if (count != 4) {
    std::fprintf(stderr, "usage: ooc EDGE-LIST DIRECTORY VERTEX\n");
    return 2;
  }
  const auto source =
      static_cast<std::uint32_t>(std::strtoul(arguments[3], nullptr, 10));
  //! [program]
  constexpr std::uint64_t Memory = 64 << 20;
  const auto edges = ooc::openEdgeSource<Unweighted>(arguments[1]);
  ooc::prepare(*edges, arguments[2], {.memoryBytes = Memory});

  ooc::Engine<> engine(arguments[2], {.memoryBytes = Memory});
  auto &distance = engine.vertexArray<int>("distance");
  auto &active = engine.vertexArray<bool>("active");
  engine.processVertices(
      [&](std::uint32_t v) {
        distance[v] = v == source ? 0 : -1;
        active[v] = v == source;
        return 0;
      },
      {distance, active});
  for (int found = 1, steps = 0; found != 0; ++steps) {
    std::printf("%d at distance %d\n", found, steps);
    found = engine.processEdges(
        [&](std::uint32_t v) {
          active[v] = false;
          return std::optional(distance[v]);
        },
        {distance, active},
        [&](int message, std::uint32_t, std::uint32_t to, Unweighted) {
          if (distance[to] >= 0)
            return 0;
          distance[to] = message + 1;
          active[to] = true;
          return 1;
        },
        {distance, active}, &active);
  }
  //! [program]
} catch (const std::exception &error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
