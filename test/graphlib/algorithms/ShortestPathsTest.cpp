//===- ShortestPathsTest.cpp - Distances by weight ------------------------===//

#include "heddle/graph/algorithms/ShortestPaths.h"
#include "../support/SampleGraphs.h"
#include "heddle/graph/verify/ShortestPaths.h"

#include <cmath>
#include <string>

namespace {

using namespace heddle::graph;
using namespace heddle::test;

template <typename VertexIdType, typename WeightType> struct Types {
  using VertexId = VertexIdType;
  using Weight = WeightType;
};

template <typename Types> class ShortestPaths : public testing::Test {};
using AllTypes =
    testing::Types<Types<std::uint32_t, std::int32_t>,
                   Types<std::uint32_t, std::uint8_t>,
                   Types<std::uint32_t, std::int64_t>,
                   Types<std::uint32_t, float>, Types<std::uint64_t, double>>;
TYPED_TEST_SUITE(ShortestPaths, AllTypes);

TYPED_TEST(ShortestPaths, AreThoseOfDijkstraInAllSamples) {
  using Weight = typename TypeParam::Weight;
  forEachSample<typename TypeParam::VertexId, Weight>([](const auto &graph) {
    for (const auto source : sampleSources(graph))
      EXPECT_EQ(
          verifyShortestPaths(graph, source, shortestPaths(graph, source)),
          std::nullopt);
  });
}

TYPED_TEST(ShortestPaths, DeltaDoesNotMatter) {
  using Weight = typename TypeParam::Weight;
  const auto graph = buildCsr(
      withWeights<Weight>(generateUniform<typename TypeParam::VertexId>(
          {.vertices = 300, .edges = 1200})));
  for (const int delta : {1, 2, 100, 1000000})
    for (const int threads : {1, 2}) {
      ThreadCount scope(threads);
      ShortestPathsOptions<Weight> options;
      options.delta = static_cast<DistanceOf<Weight>>(delta);
      EXPECT_EQ(verifyShortestPaths(graph, 0, shortestPaths(graph, 0, options)),
                std::nullopt);
    }
}

template <typename Weight>
Csr<std::uint32_t, Weight>
graphOf(std::uint32_t vertices,
        std::vector<Edge<std::uint32_t, Weight>> edges) {
  EdgeList<std::uint32_t, Weight> list;
  list.vertexCount = vertices;
  list.edges = Array<Edge<std::uint32_t, Weight>>(edges.size());
  std::copy(edges.begin(), edges.end(), list.edges.begin());
  return buildCsr(list);
}

std::vector<double> distances(const Csr<std::uint32_t, double> &graph,
                              std::optional<double> delta = {}) {
  const auto result = shortestPaths(graph, 0, {.delta = delta});
  return {result.begin(), result.end()};
}

TEST(ShortestPathsWeights, MayDifferByManyOrdersOfMagnitude) {
  const auto graph = graphOf<double>(6, {{0, 1, 1e-300},
                                         {1, 2, 1e300},
                                         {0, 2, 1e301},
                                         {2, 3, 5},
                                         {0, 4, 0},
                                         {4, 5, 1e-5}});
  const std::vector<double> expected = {0, 1e-300, 1e300, 1e300, 0, 1e-5};
  for (const double delta :
       {1e-308, 1e-9, 1.0, 1e300, std::numeric_limits<double>::infinity()})
    EXPECT_EQ(distances(graph, delta), expected) << delta;
  EXPECT_EQ(distances(graph), expected);
}

TEST(ShortestPathsWeights, LeaveTheNearBucketsBehind) {
  // Thousands of buckets are in use one after the other, and vertices far away
  // come nearer before their turn.
  for (const std::uint32_t rows : {1u, 8u}) {
    const auto graph =
        buildCsr(withWeights<std::int32_t>(generateGrid(rows, 1000)),
                 {.directed = false});
    for (const int threads : {1, 2}) {
      ThreadCount scope(threads);
      EXPECT_EQ(verifyShortestPaths(graph, 500,
                                    shortestPaths(graph, 500, {.delta = 1})),
                std::nullopt);
    }
  }
}

TEST(ShortestPathsWeights, InfiniteOrNoNumberLeadNowhere) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto graph =
      graphOf<double>(4, {{0, 1, 1}, {1, 2, std::nan("")}, {1, 3, infinity}});
  EXPECT_EQ(distances(graph, 1.0),
            (std::vector<double>{0, 1, infinity, infinity}));
  EXPECT_EQ(distances(graph), (std::vector<double>{0, 1, infinity, infinity}));
}

TEST(ShortestPathsErrors, NegativeWeightsAndOverflow) {
  EXPECT_THROW(shortestPaths(graphOf<float>(2, {{0, 1, -1.0f}}), 0), Error);
  EXPECT_THROW(shortestPaths(graphOf<std::int32_t>(2, {{0, 1, -1}}), 0), Error);
  constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();
  EXPECT_THROW(
      shortestPaths(graphOf<std::int32_t>(3, {{0, 1, most - 1}, {1, 2, 2}}), 0),
      Error);
  constexpr std::uint64_t all = std::numeric_limits<std::uint64_t>::max();
  EXPECT_THROW(
      shortestPaths(graphOf<std::uint64_t>(3, {{0, 1, all - 1}, {1, 2, 2}}), 0),
      Error);
}

TEST(ShortestPathsErrors, DeltaMustBePositive) {
  const auto graph = graphOf<double>(1, {});
  for (const double delta : {0.0, -1.0, std::nan("")})
    EXPECT_THROW(shortestPaths(graph, 0, {.delta = delta}), Error) << delta;
  EXPECT_THROW(shortestPaths(graph, 1), Error);
}

TEST(VerifyShortestPaths, FindsWrongDistances) {
  const auto graph = buildCsr(withWeights<float>(generateGrid(3, 3)));
  auto distance = shortestPaths(graph, 0);
  ASSERT_EQ(verifyShortestPaths(graph, 0, distance), std::nullopt);
  for (float &value : distance) {
    const float right = value;
    for (const float wrong :
         {std::nextafter(right, 1e9f), right - 1, std::nanf("")}) {
      value = wrong;
      EXPECT_TRUE(verifyShortestPaths(graph, 0, distance));
    }
    value = right;
  }
  EXPECT_TRUE(verifyShortestPaths(graph, 1, distance));
}

} // namespace
