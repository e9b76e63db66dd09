//===- Betweenness.cpp - `heddle run betweenness` ------------------------===//

#include "Algorithms.h"

#include "heddle/graph/algorithms/BetweennessCentrality.h"
#include "heddle/graph/verify/BetweennessCentrality.h"

namespace heddle {

namespace {

template <typename Store> class Betweenness final : public Task {
public:
  using VertexId = typename Store::VertexId;

  Betweenness(const Store &graph, const Parameters &parameters)
      : graph(graph), sources(sourcesIn(graph, parameters)) {}

  void run() override { centrality = betweennessCentrality(graph, sources); }

  void describe(Facts &facts) const override {
    facts.add("sources", "sources", sources.size());
    addHighest(facts, centrality);
  }

  graph::Violation verify() const override {
    return verifyBetweennessCentrality(graph, sources, centrality);
  }

  std::string valueOf(std::uint64_t vertex) const override {
    return fmt::format("{}", centrality[vertex]);
  }

private:
  const Store &graph;
  const std::vector<VertexId> sources;
  graph::VertexArray<double> centrality;
};

} // namespace

Algorithm betweennessAlgorithm() {
  return {.name = "betweenness",
          .description = "Betweenness centrality: for each vertex its share of "
                         "the shortest paths from some sources",
          .addOptions = addSourcesOption,
          .prepare = makeTask<Betweenness>};
}

} // namespace heddle
