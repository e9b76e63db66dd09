//===- BuildTest.cpp - The builder against a naive model ------------------===//

#include "heddle/graph/detail/Build.h"
#include "support/FlatGraph.h"
#include "support/InputFile.h"
#include "support/Threads.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <vector>

namespace {

using namespace heddle::graph;
using namespace heddle::test;

static_assert(!IsWeighted<Csr<>>);
static_assert(IsWeighted<Csr<std::uint64_t, float>>);
static_assert(!Graph<EdgeList<>>);

template <typename VertexId, typename Weight>
EdgeList<VertexId, Weight>
listOf(VertexId vertexCount, const std::vector<Edge<VertexId, Weight>> &edges) {
  EdgeList<VertexId, Weight> list;
  list.vertexCount = vertexCount;
  list.edges = Array<Edge<VertexId, Weight>>(edges.size());
  std::copy(edges.begin(), edges.end(), list.edges.begin());
  return list;
}

/// For each vertex, its targets, each with its weights in ascending order.
using Model =
    std::map<std::uint64_t, std::map<std::uint64_t, std::multiset<double>>>;

template <typename List>
Model modelOf(const List &list, const BuildOptions &options, bool reversed) {
  Model model;
  for (auto [from, to, weight] : list.edges) {
    if (from == to && options.dropSelfLoops)
      continue;
    if (!options.directed || !reversed)
      model[from][to].insert(number(weight));
    if ((!options.directed && from != to) || (options.directed && reversed))
      model[to][from].insert(number(weight));
  }
  if (options.parallelEdges == ParallelEdges::KeepLightest)
    for (auto &[vertex, row] : model)
      for (auto &[target, weights] : row)
        weights = {*weights.begin()};
  return model;
}

FlatEdges edgesOf(const Model &model) {
  FlatEdges result;
  for (const auto &[vertex, row] : model)
    for (const auto &[target, weights] : row)
      for (double weight : weights)
        result.emplace_back(vertex, target, weight);
  return result;
}

const std::vector<BuildOptions> &allOptions() {
  static const std::vector<BuildOptions> all = [] {
    std::vector<BuildOptions> result;
    for (bool directed : {false, true})
      for (bool dropSelfLoops : {false, true})
        for (ParallelEdges parallel :
             {ParallelEdges::KeepLightest, ParallelEdges::KeepAll})
          result.push_back({directed, dropSelfLoops, parallel});
    return result;
  }();
  return all;
}

template <typename List> void expectModel(const List &list) {
  for (const BuildOptions &options : allOptions()) {
    SCOPED_TRACE(testing::Message()
                 << "directed " << options.directed << ", dropSelfLoops "
                 << options.dropSelfLoops << ", keepAll "
                 << (options.parallelEdges == ParallelEdges::KeepAll));
    const auto graph = buildCsr(list, options);
    EXPECT_EQ(graph.vertexCount(), list.vertexCount);
    EXPECT_EQ(graph.isDirected(), options.directed);
    const FlatEdges expected = edgesOf(modelOf(list, options, false));
    EXPECT_EQ(graph.edgeCount(), expected.size());
    EXPECT_EQ(flatten(graph, false), expected);
    EXPECT_EQ(flatten(graph, true), edgesOf(modelOf(list, options, true)));
  }
}

template <typename VertexId, typename Weight>
EdgeList<VertexId, Weight> randomList(VertexId vertices, std::size_t edges,
                                      unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Edge<VertexId, Weight>> result;
  for (std::size_t i = 0; i < edges; ++i) {
    Edge<VertexId, Weight> edge = {};
    // Low numbers are likelier, so that there are duplicates and long rows.
    edge.from = static_cast<VertexId>(random() % (random() % vertices + 1));
    edge.to = static_cast<VertexId>(random() % (random() % vertices + 1));
    if constexpr (!std::same_as<Weight, Unweighted>)
      edge.weight = static_cast<Weight>(static_cast<int>(random() % 9) - 4);
    result.push_back(edge);
  }
  return listOf<VertexId, Weight>(vertices, result);
}

template <typename Types> class BuildTyped : public testing::Test {};
using AllTypes = testing::Types<EdgeList<>, EdgeList<std::uint64_t>,
                                EdgeList<std::uint32_t, std::int32_t>,
                                EdgeList<std::uint64_t, double>>;
TYPED_TEST_SUITE(BuildTyped, AllTypes);

TYPED_TEST(BuildTyped, RandomListsMatchTheModel) {
  using VertexId = typename TypeParam::VertexId;
  using Weight = typename TypeParam::Weight;
  for (unsigned seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    expectModel(randomList<VertexId, Weight>(1 + 13 * seed, 60 * seed, seed));
  }
}

TYPED_TEST(BuildTyped, SmallGraphsMatchTheModel) {
  using VertexId = typename TypeParam::VertexId;
  using Weight = typename TypeParam::Weight;
  expectModel(listOf<VertexId, Weight>(0, {}));
  expectModel(listOf<VertexId, Weight>(1, {}));
  expectModel(listOf<VertexId, Weight>(1, {{0, 0, {}}, {0, 0, {}}}));
  // The last vertices are isolated.
  expectModel(listOf<VertexId, Weight>(9, {{3, 0, {}}, {0, 3, {}}}));
}

TEST(Build, TheResultDoesNotDependOnThreads) {
  // More rows than a thread takes at once, so that several take part.
  const auto list = randomList<std::uint32_t, float>(5000, 100000, 4);
  const BuildOptions both[] = {
      {.directed = true, .parallelEdges = ParallelEdges::KeepAll},
      {.directed = false, .dropSelfLoops = true}};
  for (const BuildOptions &options : both) {
    FlatEdges expected;
    for (int threads : ThreadCounts) {
      ThreadCount scope(threads);
      const auto graph = buildCsr(list, options);
      const FlatEdges found = flatten(graph, true);
      if (threads == 1)
        expected = found;
      EXPECT_EQ(found, expected) << threads;
    }
    EXPECT_EQ(expected, edgesOf(modelOf(list, options, true)));
  }
}

TEST(Build, ARowWithMostOfTheEdgesIsSortedToo) {
  auto list = randomList<std::uint32_t, std::int32_t>(50000, 200000, 9);
  for (std::size_t i = 0; i < list.edges.size(); ++i)
    if (i % 4 != 0)
      list.edges[i].from = 17;
  for (const ParallelEdges parallel :
       {ParallelEdges::KeepLightest, ParallelEdges::KeepAll}) {
    const BuildOptions options = {.parallelEdges = parallel};
    const FlatEdges expected = edgesOf(modelOf(list, options, false));
    for (int threads : {1, 3}) {
      ThreadCount scope(threads);
      EXPECT_TRUE(flatten(buildCsr(list, options), false) == expected);
    }
  }
}

TEST(ParallelSort, SortsValuesOfAnyPattern) {
  constexpr std::size_t size = 100000;
  std::mt19937 random(3);
  const std::function<unsigned(std::size_t)> patterns[] = {
      [](std::size_t) { return 5; },
      [](std::size_t i) { return i; },
      [](std::size_t i) { return size - i; },
      [](std::size_t i) { return i % 3; },
      [](std::size_t i) { return i < size / 2 ? i : size - i; },
      [&](std::size_t) { return random(); }};
  for (const auto &pattern : patterns) {
    std::vector<unsigned> values(size);
    for (std::size_t i = 0; i < size; ++i)
      values[i] = pattern(i);
    std::vector<unsigned> expected = values;
    std::sort(expected.begin(), expected.end(), std::greater());
    parallelSort(values.data(), values.data() + size, std::greater());
    EXPECT_TRUE(values == expected);
  }
}

TEST(Build, WeightsThatCompareEqualAreStillOrdered) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto list = listOf<std::uint32_t, float>(
      2, {{0, 1, nan}, {0, 1, 0.0f}, {0, 1, -0.0f}, {0, 1, -1.0f}});
  const auto graph = buildCsr(list, {.parallelEdges = ParallelEdges::KeepAll});
  const auto &weights = graph.outRows().weights;
  ASSERT_EQ(weights.size(), 4u);
  EXPECT_EQ(weights[0], -1.0f);
  EXPECT_TRUE(std::signbit(weights[1]) && weights[1] == 0);
  EXPECT_FALSE(std::signbit(weights[2]));
  EXPECT_TRUE(std::isnan(weights[3]));
}

TEST(Build, TheFirstEdgeOutOfRangeIsNamed) {
  const auto list = listOf<std::uint32_t, Unweighted>(
      5, {{0, 4, {}}, {1, 5, {}}, {4294967295, 0, {}}});
  for (int threads : ThreadCounts) {
    ThreadCount scope(threads);
    EXPECT_EQ(problemWith("", [&] { buildCsr(list); }),
              "edge 1 from 1 to 5: expected vertices below 5");
  }
}

TEST(Build, TooManyVerticesAreLackOfMemory) {
  const auto list =
      listOf<std::uint64_t, Unweighted>(UINT64_MAX, {{UINT64_MAX - 1, 3, {}}});
  EXPECT_THROW(buildCsr(list), std::bad_alloc);
}

TEST(Build, UnweightedEdgesTakeNoMemoryForWeights) {
  EXPECT_EQ(sizeof(Edge<std::uint32_t>), 8u);
  const auto graph =
      buildCsr(listOf<std::uint32_t, Unweighted>(2, {{0, 1, {}}}));
  EXPECT_TRUE(graph.outRows().weights.empty());
}

TEST(Build, AnUndirectedGraphIsStoredOnce) {
  const auto graph =
      buildCsr(listOf<std::uint32_t, Unweighted>(3, {{0, 1, {}}, {2, 1, {}}}),
               {.directed = false});
  EXPECT_EQ(&graph.inRows(), &graph.outRows());
  EXPECT_EQ(graph.edgeCount(), 4u);
}

TEST(Csr, AMovedGraphIsTheSameAndLeavesNone) {
  auto graph = buildCsr(listOf<std::uint32_t, Unweighted>(2, {{0, 1, {}}}));
  const Csr<> moved = std::move(graph);
  EXPECT_EQ(graph.vertexCount(), 0u);
  EXPECT_EQ(moved.vertexCount(), 2u);
  EXPECT_EQ((*moved.inEdges(1).begin()).target, 0u);
}

TEST(PrefixSum, EverySizeMatchesARunningSum) {
  for (std::size_t size : {0, 1, 2, 255, 256, 257, 1000, 65537}) {
    std::vector<std::uint64_t> values(size), expected(size);
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < size; ++i) {
      expected[i] = sum;
      sum += values[i] = i * 7 % 11;
    }
    EXPECT_EQ(exclusivePrefixSum(values), sum) << size;
    EXPECT_EQ(values, expected) << size;
  }
}

} // namespace
