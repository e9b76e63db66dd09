//===- Components.cpp - `heddle run components` --------------------------===//

#include "Algorithms.h"

#include "../command/GroupSizes.h"

#include "heddle/graph/algorithms/ConnectedComponents.h"
#include "heddle/graph/verify/ConnectedComponents.h"

namespace heddle {

namespace {

template <typename Store> class Components final : public Task {
public:
  Components(const Store &graph, const Parameters &) : graph(graph) {}

  void run() override { component = connectedComponents(graph); }

  void describe(Facts &facts) const override {
    const GroupSizes groups = groupSizes(component);
    facts.add("components", "components", groups.count);
    facts.add("largest", "vertices in largest", groups.largest);
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
          .prepare = makeTask<Components>};
}

} // namespace heddle
