// A graph that changes: people who follow each other. Prints what the updates
// make of it.

#include <cstdio>
#include <exception>
#include <heddle/graph/ReadEdgeList.h>
#include <heddle/graph/ToCBList.h>
#include <heddle/graph/algorithms/ConnectedComponents.h>
#include <vector>

using namespace heddle::graph;

int main(int count, char **arguments) try {
  if (count != 2) {
    std::fprintf(stderr, "usage: updates GRAPH\n");
    return 2;
  }
  //! [program]
  auto graph = buildCBList(readEdgeList(arguments[1]));
  const auto newcomer = graph.vertexCount();
  graph.updateVertex(newcomer, UpdateMode::Add);

  const Edge<std::uint32_t> there = {newcomer, 0, {}}, back = {0, newcomer, {}},
                            old = {0, 1, {}};
  std::vector<EdgeUpdate<std::uint32_t, Unweighted>> updates;
  updates.push_back({there, UpdateMode::Add});
  updates.push_back({back, UpdateMode::Add});
  updates.push_back({old, UpdateMode::Delete});
  updates.push_back({back, UpdateMode::Add}); // exists: no effect
  const auto changes = graph.updateEdges(updates);
  const auto component = connectedComponents(graph);
  //! [program]
  std::printf("%zu changes, %llu edges; the newcomer is with %u\n", changes,
              static_cast<unsigned long long>(graph.edgeCount()),
              component[newcomer]);
} catch (const std::exception &error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
