//===- LabelPropagation.cpp - `heddle run labels` ------------------------===//

#include "Algorithms.h"

#include "../command/GroupSizes.h"
#include "../command/Options.h"

#include "heddle/graph/algorithms/LabelPropagation.h"
#include "heddle/graph/verify/LabelPropagation.h"

namespace heddle {

namespace {

template <typename Store> class LabelPropagation final : public Task {
public:
  LabelPropagation(const Store &graph, const Parameters &parameters)
      : graph(graph), options(parameters.labelPropagation) {}

  void run() override { label = labelPropagation(graph, options); }

  void describe(Facts &facts) const override {
    const GroupSizes groups = groupSizes(label);
    facts.add("iterations", "iterations at most", options.iterations);
    facts.add("communities", "communities", groups.count);
    facts.add("largest", "vertices in largest", groups.largest);
  }

  graph::Violation verify() const override {
    return verifyLabelPropagation(graph, label, options.iterations);
  }

  std::string valueOf(std::uint64_t vertex) const override {
    return fmt::format("{}", label[vertex]);
  }

private:
  const Store &graph;
  const graph::LabelPropagationOptions options;
  graph::VertexArray<typename Store::VertexId> label;
};

} // namespace

Algorithm labelPropagationAlgorithm() {
  return {.name = "labels",
          .description = "Label propagation: for each vertex a label that "
                         "many of its neighbours have",
          .addOptions =
              [](CLI::App &command, Parameters &parameters) {
                unsigned &iterations = parameters.labelPropagation.iterations;
                addBounded(command, "--iterations", iterations, 1u, 1000000u,
                           fmt::format("The most iterations [{}]", iterations));
              },
          .prepare = makeTask<LabelPropagation>};
}

} // namespace heddle
