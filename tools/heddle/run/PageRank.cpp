//===- PageRank.cpp - `heddle run pagerank` ------------------------------===//

#include "Algorithms.h"

#include "../command/Options.h"

#include "heddle/graph/algorithms/PageRank.h"
#include "heddle/graph/verify/PageRank.h"

namespace heddle {

namespace {

template <typename Store> class PageRank final : public Task {
public:
  PageRank(const Store &graph, const Parameters &parameters)
      : graph(graph), options(parameters.pageRank) {}

  void run() override { result = pageRank(graph, options); }

  void describe(Facts &facts) const override {
    facts.add("iterations", "iterations", result.iterations);
    facts.add("change", "change in the last", result.change);
    addHighest(facts, result.rank);
  }

  /// An iteration shrinks the distance to the fixed point by the damping, so
  /// that one more may not change as much as the last one did.
  graph::Violation verify() const override {
    // The rounding error of sums in single precision.
    constexpr double Rounding = 1e-4;
    return verifyPageRank(graph, result.rank, options.damping,
                          result.change + Rounding);
  }

  std::string valueOf(std::uint64_t vertex) const override {
    return fmt::format("{}", result.rank[vertex]);
  }

private:
  const Store &graph;
  const graph::PageRankOptions options;
  graph::PageRankResult<float> result;
};

} // namespace

void addPageRankOptions(CLI::App &command, graph::PageRankOptions &options) {
  addReal(command, "--damping", options.damping, 0, 1,
          "The probability to follow an edge [0.85]");
  addReal(command, "--tolerance", options.tolerance, 0, 1e300,
          "Stop when the sum of all changes is below this [0.0001]");
  addBounded(command, "--iterations", options.iterations, 1u, MostIterations,
             "The most iterations [20]");
}

Algorithm pageRankAlgorithm() {
  return {.name = "pagerank",
          .description =
              "PageRank: for each vertex the probability to be there "
              "after following random edges",
          .addOptions =
              [](CLI::App &command, Parameters &parameters) {
                addPageRankOptions(command, parameters.pageRank);
              },
          .prepare = makeTask<PageRank>};
}

} // namespace heddle
