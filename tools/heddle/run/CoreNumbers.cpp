//===- CoreNumbers.cpp - `heddle run cores` ------------------------------===//

#include "Algorithms.h"

#include "heddle/graph/algorithms/CoreNumbers.h"
#include "heddle/graph/verify/CoreNumbers.h"

#include <algorithm>

namespace heddle {

namespace {

template <typename Store> class CoreNumbers final : public Task {
public:
  CoreNumbers(const Store &graph, const Parameters &) : graph(graph) {}

  void run() override { core = coreNumbers(graph); }

  void describe(Facts &facts) const override {
    const std::uint64_t highest = core.empty() ? 0 : std::ranges::max(core);
    facts.add("highest_core", "highest core", highest);
    facts.add("in_highest_core", "vertices in it",
              std::ranges::count(core, highest));
  }

  graph::Violation verify() const override {
    return verifyCoreNumbers(graph, core);
  }

  std::string valueOf(std::uint64_t vertex) const override {
    return fmt::format("{}", core[vertex]);
  }

private:
  const Store &graph;
  graph::VertexArray<std::uint64_t> core;
};

} // namespace

Algorithm coreNumbersAlgorithm() {
  return {.name = "cores",
          .description = "Core numbers, of an undirected graph: for each "
                         "vertex the highest k such that it is in a k-core",
          .prepare = makeTask<CoreNumbers>};
}

} // namespace heddle
