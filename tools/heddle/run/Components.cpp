//===- Components.cpp - `heddle run components` --------------------------===//

#include "Algorithms.h"

#include "heddle/graph/algorithms/ConnectedComponents.h"
#include "heddle/graph/verify/ConnectedComponents.h"

#include <algorithm>
#include <vector>

namespace heddle {

namespace {

template <typename Store> class Components final : public Task {
public:
  Components(const Store &graph, const Parameters &) : graph(graph) {}

  void run() override { component = connectedComponents(graph); }

  void describe(Facts &facts) const override {
    std::vector<std::size_t> sizes(component.size());
    for (const auto lowest : component)
      ++sizes[lowest];
    facts.add("components", "components",
              sizes.size() -
                  static_cast<std::size_t>(std::ranges::count(sizes, 0u)));
    facts.add("largest", "vertices in largest",
              sizes.empty() ? 0 : std::ranges::max(sizes));
  }

  graph::Violation verify() const override {
    return verifyConnectedComponents(graph, component);
  }

  std::string valueOf(std::uint64_t vertex) const override {
    return fmt::format("{}", component[vertex]);
  }

private:
  const Store &graph;
  graph::VertexArray<typename Store::VertexId> component;
};

} // namespace

Algorithm componentsAlgorithm() {
  return {.name = "components",
          .description = "Weak components: for each vertex the lowest one that "
                         "it is connected with",
          .addOptions = [](CLI::App &, Parameters &) {},
          .prepare = makeTask<Components>};
}

} // namespace heddle
