//===- LabelPropagationTest.cpp - Communities -----------------------------===//

#include "heddle/graph/algorithms/LabelPropagation.h"
#include "../support/SampleGraphs.h"
#include "heddle/graph/verify/LabelPropagation.h"

namespace {

using namespace heddle::graph;
using namespace heddle::test;

template <typename VertexId> class LabelPropagation : public testing::Test {};
using VertexIds = testing::Types<std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(LabelPropagation, VertexIds);

TYPED_TEST(LabelPropagation, IsThatOfMapsInAllSamples) {
  forEachSample<TypeParam>([](const auto &graph) {
    for (const unsigned iterations : {0u, 1u, 2u, 10u})
      EXPECT_EQ(verifyLabelPropagation(
                    graph, labelPropagation(graph, {.iterations = iterations}),
                    iterations),
                std::nullopt);
  });
}

TEST(LabelPropagationValues, AreThoseThatTheRulesGive) {
  const auto labels = [](const Csr<> &graph, unsigned iterations) {
    const auto label = labelPropagation(graph, {.iterations = iterations});
    return std::vector(label.begin(), label.end());
  };
  using Labels = std::vector<std::uint32_t>;
  // Vertex 3 hears 1, 2 and twice 4, which is its neighbour both ways.
  const Csr<> graph =
      buildCsr(listOf<std::uint32_t>(6, {{1, 3}, {3, 2}, {3, 4}, {4, 3}}));
  EXPECT_EQ(labels(graph, 0), (Labels{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(labels(graph, 1), (Labels{0, 3, 3, 4, 3, 5}));
  EXPECT_EQ(labels(graph, 2), (Labels{0, 4, 4, 3, 4, 5}));
}

TEST(VerifyLabelPropagation, FindsWrongLabels) {
  const Csr<> graph = buildCsr(generateGrid(3, 3), {.directed = false});
  auto label = labelPropagation(graph);
  ASSERT_EQ(verifyLabelPropagation(graph, label, 10), std::nullopt);
  EXPECT_TRUE(verifyLabelPropagation(graph, label, 0));
  for (std::uint32_t &value : label) {
    ++value;
    EXPECT_TRUE(verifyLabelPropagation(graph, label, 10));
    --value;
  }
}

} // namespace
