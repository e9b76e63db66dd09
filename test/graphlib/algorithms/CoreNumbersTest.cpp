//===- CoreNumbersTest.cpp - Core numbers ---------------------------------===//

#include "heddle/graph/algorithms/CoreNumbers.h"
#include "../support/SampleGraphs.h"
#include "heddle/graph/verify/CoreNumbers.h"

namespace {

using namespace heddle::graph;
using namespace heddle::test;

template <typename VertexId> class CoreNumbers : public testing::Test {};
using VertexIds = testing::Types<std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(CoreNumbers, VertexIds);

TYPED_TEST(CoreNumbers, AreThoseOfDeletionInAllSamples) {
  forEachSample<TypeParam>([](const auto &graph) {
    if (graph.isDirected())
      EXPECT_THROW(coreNumbers(graph), Error);
    else
      EXPECT_EQ(verifyCoreNumbers(graph, coreNumbers(graph)), std::nullopt);
  });
}

/// A complete graph of four vertices with a tail, and one vertex more.
Csr<> cliqueWithTail() {
  return buildCsr(listOf<std::uint32_t>(7, {{0, 1},
                                            {0, 2},
                                            {0, 3},
                                            {1, 2},
                                            {1, 3},
                                            {2, 3},
                                            {3, 4},
                                            {4, 5},
                                            {5, 5}}),
                  {.directed = false});
}

TEST(CoreNumbersValues, AreThoseThatTheRulesGive) {
  const auto core = coreNumbers(cliqueWithTail());
  EXPECT_EQ(std::vector(core.begin(), core.end()),
            (std::vector<std::uint64_t>{3, 3, 3, 3, 1, 1, 0}));
}

TEST(VerifyCoreNumbers, FindsWrongValues) {
  const Csr<> graph = cliqueWithTail();
  auto core = coreNumbers(graph);
  ASSERT_EQ(verifyCoreNumbers(graph, core), std::nullopt);
  for (std::uint64_t &value : core) {
    ++value;
    EXPECT_TRUE(verifyCoreNumbers(graph, core));
    value -= 2;
    EXPECT_TRUE(verifyCoreNumbers(graph, core));
    ++value;
  }
}

} // namespace
