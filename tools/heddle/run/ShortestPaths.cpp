//===- ShortestPaths.cpp - `heddle run sssp` -----------------------------===//

#include "Algorithms.h"

#include "../command/Options.h"

#include "heddle/graph/algorithms/ShortestPaths.h"
#include "heddle/graph/verify/ShortestPaths.h"

#include <algorithm>

namespace heddle {

namespace {

template <typename Store> class ShortestPaths final : public Task {
public:
  using VertexId = typename Store::VertexId;
  using Distance = graph::DistanceOf<typename Store::Weight>;

  ShortestPaths(const Store &graph, const Parameters &parameters)
      : graph(graph), source(sourcesIn(graph, parameters).front()) {
    if (parameters.delta)
      options.delta = static_cast<Distance>(*parameters.delta);
  }

  void run() override { distance = shortestPaths(graph, source, options); }

  void describe(Facts &facts) const override {
    std::size_t reached = 0;
    Distance farthest = 0;
    for (const Distance length : distance)
      if (length != graph::Unreachable<Distance>) {
        ++reached;
        farthest = std::max(farthest, length);
      }
    facts.add("source", "source", source);
    facts.add("reached", "vertices reached", reached);
    facts.add("farthest", "greatest distance", farthest);
  }

  graph::Violation verify() const override {
    return verifyShortestPaths(graph, source, distance);
  }

  std::string valueOf(std::uint64_t vertex) const override {
    if (distance[vertex] == graph::Unreachable<Distance>)
      return "-";
    return fmt::format("{}", distance[vertex]);
  }

private:
  const Store &graph;
  const VertexId source;
  graph::ShortestPathsOptions<typename Store::Weight> options;
  graph::VertexArray<Distance> distance;
};

} // namespace

Algorithm shortestPathsAlgorithm() {
  return {.name = "sssp",
          .description = "Shortest paths by weight: for each vertex its "
                         "distance from a source",
          .addOptions =
              [](CLI::App &command, Parameters &parameters) {
                addSourceOption(command, parameters);
                addReal(command, "--delta", parameters.delta, 1e-30, 1e9,
                        "Range of distances that are processed together "
                        "[chosen from weights and degrees]");
              },
          .prepare = nullptr,
          .prepareInt = makeTask<ShortestPaths>,
          .prepareFloat = makeTask<ShortestPaths>};
}

} // namespace heddle
