//===- BreadthFirst.cpp - `heddle run bfs` -------------------------------===//

#include "Algorithms.h"

#include "heddle/graph/algorithms/BreadthFirstSearch.h"
#include "heddle/graph/verify/BreadthFirstSearch.h"

#include <algorithm>

namespace heddle {

namespace {

template <typename Store> class BreadthFirst final : public Task {
public:
  using VertexId = typename Store::VertexId;

  BreadthFirst(const Store &graph, const Parameters &parameters)
      : graph(graph), source(sourcesIn(graph, parameters).front()) {}

  void run() override { parent = breadthFirstSearch(graph, source); }

  void describe(Facts &facts) const override {
    facts.add("source", "source", source);
    facts.add("reached", "vertices reached",
              parent.size() - static_cast<std::size_t>(std::ranges::count(
                                  parent, graph::NoVertex<VertexId>)));
  }

  graph::Violation verify() const override {
    return verifyBreadthFirstSearch(graph, source, parent);
  }

  std::string valueOf(std::uint64_t vertex) const override {
    if (parent[vertex] == graph::NoVertex<VertexId>)
      return "-";
    return fmt::format("{}", parent[vertex]);
  }

private:
  const Store &graph;
  const VertexId source;
  graph::VertexArray<VertexId> parent;
};

} // namespace

Algorithm breadthFirstAlgorithm() {
  return {.name = "bfs",
          .description = "Breadth-first search: for each vertex its parent on "
                         "a path with the fewest edges",
          .addOptions = addSourceOption,
          .prepare = makeTask<BreadthFirst>};
}

} // namespace heddle
