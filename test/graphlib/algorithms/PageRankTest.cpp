//===- PageRankTest.cpp - Ranks of vertices -------------------------------===//

#include "heddle/graph/algorithms/PageRank.h"
#include "../support/SampleGraphs.h"
#include "heddle/graph/verify/PageRank.h"

namespace {

using namespace heddle::graph;
using namespace heddle::test;

template <typename VertexId> class PageRank : public testing::Test {};
using VertexIds = testing::Types<std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(PageRank, VertexIds);

TYPED_TEST(PageRank, HasConvergedInAllSamples) {
  forEachSample<TypeParam>([](const auto &graph) {
    const auto result =
        pageRank(graph, {.tolerance = 1e-4, .iterations = 1000});
    EXPECT_LT(result.iterations, 100u);
    EXPECT_EQ(verifyPageRank(graph, result.rank, 0.85, 1e-4), std::nullopt);
  });
}

TYPED_TEST(PageRank, ConvergesFurtherInDoublePrecision) {
  forEachSample<TypeParam>([](const auto &graph) {
    const auto result =
        pageRank<double>(graph, {.tolerance = 1e-12, .iterations = 1000});
    EXPECT_EQ(verifyPageRank(graph, result.rank, 0.85, 1e-12), std::nullopt);
  });
}

TEST(PageRankOptions, AreHonoured) {
  const Csr<> graph = buildCsr(generateKronecker({.scale = 8}));
  const auto three = pageRank(graph, {.tolerance = 0, .iterations = 3});
  EXPECT_EQ(three.iterations, 3u);
  EXPECT_GT(three.change, 0);
  const auto none = pageRank(graph, {.iterations = 0});
  EXPECT_EQ(none.iterations, 0u);
  EXPECT_FLOAT_EQ(none.rank[7], 1.0f / 256);
  const auto undamped =
      pageRank<double>(graph, {.damping = 0.1, .tolerance = 1e-9});
  EXPECT_EQ(verifyPageRank(graph, undamped.rank, 0.1, 1e-9), std::nullopt);
  EXPECT_NE(verifyPageRank(graph, undamped.rank, 0.85, 1e-9), std::nullopt);
}

TEST(PageRankOptions, RankOfVerticesWithoutEdgesIsNotLost) {
  // One edge: its end gets the rank of its beginning, and gives its own to
  // both.
  const Csr<> graph = buildCsr(generateGrid(1, 2));
  const auto rank =
      pageRank<double>(graph, {.tolerance = 1e-14, .iterations = 1000}).rank;
  EXPECT_NEAR(rank[0], 1 / 2.85, 1e-12);
  EXPECT_NEAR(rank[1], 1.85 / 2.85, 1e-12);
}

TEST(VerifyPageRank, FindsWrongRanks) {
  const Csr<> graph = buildCsr(generateGrid(3, 3));
  const auto verify = [&](const auto &rank) {
    return verifyPageRank(graph, rank, 0.85, 1e-6);
  };
  auto rank =
      pageRank<double>(graph, {.tolerance = 1e-9, .iterations = 100}).rank;
  ASSERT_EQ(verify(rank), std::nullopt);
  for (double &value : rank) {
    const double right = value;
    for (const double wrong : {right + 1e-5, 0.0, std::nan("")}) {
      value = wrong;
      EXPECT_TRUE(verify(rank)) << wrong;
    }
    value = right;
  }
  std::swap(rank[0], rank[8]);
  EXPECT_TRUE(verify(rank));
  for (double &value : rank)
    value *= 2;
  EXPECT_EQ(verify(rank), "expected ranks whose sum is 1, found 2.000000");
}

} // namespace
