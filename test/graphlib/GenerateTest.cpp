//===- GenerateTest.cpp - Determinism and shape of made-up graphs ---------===//

#include "heddle/graph/Generate.h"
#include "heddle/graph/detail/Build.h"
#include "support/Threads.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace {

using namespace heddle::graph;
using heddle::test::ThreadCount;
using heddle::test::ThreadCounts;

template <typename List> auto edgesOf(const List &list) {
  return std::vector(list.edges.begin(), list.edges.end());
}

template <typename Generate> void expectSameForAllThreads(Generate generate) {
  const auto expected = edgesOf(generate());
  for (int threads : ThreadCounts) {
    ThreadCount scope(threads);
    EXPECT_EQ(edgesOf(generate()), expected) << threads;
  }
}

/// The degrees of an undirected graph with all its edges, highest first.
template <typename List> std::vector<std::uint64_t> degrees(const List &list) {
  const auto graph = buildCsr(
      list, {.directed = false, .parallelEdges = ParallelEdges::KeepAll});
  std::vector<std::uint64_t> result;
  for (std::uint32_t v = 0; v < graph.vertexCount(); ++v)
    result.push_back(graph.outDegree(v));
  std::sort(result.rbegin(), result.rend());
  return result;
}

std::uint64_t sum(const std::vector<std::uint64_t> &values) {
  std::uint64_t total = 0;
  for (std::uint64_t value : values)
    total += value;
  return total;
}

template <typename List> std::uint64_t loops(const List &list) {
  return static_cast<std::uint64_t>(
      std::count_if(list.edges.begin(), list.edges.end(),
                    [](const auto &edge) { return edge.from == edge.to; }));
}

TEST(Kronecker, ThreadsDoNotMatterAndTheSeedDoes) {
  expectSameForAllThreads([] { return generateKronecker({.scale = 9}); });
  EXPECT_NE(edgesOf(generateKronecker({.scale = 9, .seed = 1})),
            edgesOf(generateKronecker({.scale = 9, .seed = 2})));
}

TEST(Kronecker, HasTheSizesAskedFor) {
  for (unsigned scale : {0u, 1u, 2u, 5u, 10u}) {
    const auto list =
        generateKronecker({.scale = scale, .edgesPerVertex = 3, .seed = 5});
    EXPECT_EQ(list.vertexCount, 1u << scale);
    EXPECT_EQ(list.edges.size(), std::size_t(3) << scale);
    // Building checks that all vertices are in range.
    EXPECT_EQ(sum(degrees(list)), 2 * list.edges.size() - loops(list));
  }
}

TEST(Kronecker, IsSkewedAsItsProbabilitiesSay) {
  const auto list = generateKronecker({.scale = 12});
  const std::vector<std::uint64_t> sorted = degrees(list);
  // Of the 2^16 edges, 0.76^12 = 3.7% begin at the likeliest vertex, and as
  // many end there.
  const double share = 2 * 0.0371 * static_cast<double>(list.edges.size());
  EXPECT_NEAR(static_cast<double>(sorted[0]), share, 0.1 * share);
  // Vertices whose number has few zero bits have no edges.
  EXPECT_GT(std::count(sorted.begin(), sorted.end(), 0u), 500);
  // Loops stay among the diagonal quadrants: 0.62^12 of the edges.
  EXPECT_NEAR(static_cast<double>(loops(list)),
              0.00323 * static_cast<double>(list.edges.size()), 60);
}

TEST(Kronecker, RelabellingIsAPermutation) {
  // With this number of edges per vertex, each vertex has one unless two share
  // a label.
  for (unsigned scale : {1u, 2u, 3u, 4u, 5u}) {
    const auto sorted =
        degrees(generateKronecker({.scale = scale, .edgesPerVertex = 20000}));
    EXPECT_GT(sorted.back(), 0u) << scale;
  }
}

TEST(Kronecker, BothKindsOfVerticesHaveTheSameEdges) {
  const auto narrow = generateKronecker<std::uint32_t>({.scale = 7});
  const auto wide = generateKronecker<std::uint64_t>({.scale = 7});
  ASSERT_EQ(narrow.edges.size(), wide.edges.size());
  for (std::size_t i = 0; i < narrow.edges.size(); ++i) {
    EXPECT_EQ(narrow.edges[i].from, wide.edges[i].from);
    EXPECT_EQ(narrow.edges[i].to, wide.edges[i].to);
  }
}

TEST(Kronecker, ImpossibleSizesAreErrors) {
  EXPECT_THROW(generateKronecker({.scale = 32}), Error);
  EXPECT_THROW(generateKronecker({.scale = 4000000000}), Error);
  EXPECT_THROW(generateKronecker({.scale = 10, .edgesPerVertex = UINT64_MAX}),
               Error);
  EXPECT_THROW(generateKronecker<std::uint64_t>({.scale = 64}), Error);
}

TEST(Uniform, ThreadsDoNotMatterAndTheSeedDoes) {
  const UniformOptions options = {.vertices = 77, .edges = 5000, .seed = 3};
  expectSameForAllThreads([&] { return generateUniform(options); });
  EXPECT_NE(
      edgesOf(generateUniform(options)),
      edgesOf(generateUniform({.vertices = 77, .edges = 5000, .seed = 4})));
}

TEST(Uniform, VerticesAreEquallyLikely) {
  const auto list =
      generateUniform({.vertices = 100, .edges = 100000, .seed = 9});
  const std::vector<std::uint64_t> sorted = degrees(list);
  EXPECT_EQ(sum(sorted), 200000 - loops(list));
  // 2000 expected, less the loops that count once; the deviation is 45.
  EXPECT_LT(sorted.front(), 2200u);
  EXPECT_GT(sorted.back(), 1800u);
  EXPECT_NEAR(static_cast<double>(loops(list)), 1000, 150);
}

TEST(Uniform, SmallAndImpossibleSizes) {
  EXPECT_EQ(generateUniform({.vertices = 0, .edges = 0}).vertexCount, 0u);
  EXPECT_EQ(loops(generateUniform({.vertices = 1, .edges = 9})), 9u);
  EXPECT_THROW(generateUniform({.vertices = 0, .edges = 1}), Error);
  EXPECT_THROW(generateUniform({.vertices = std::uint64_t(1) << 32}), Error);
}

TEST(Grid, EveryVertexHasItsNeighbours) {
  constexpr std::uint32_t most = 6;
  for (std::uint32_t rows = 1; rows < most; ++rows)
    for (std::uint32_t columns = 1; columns < most; ++columns) {
      SCOPED_TRACE(testing::Message() << rows << " x " << columns);
      const auto list = generateGrid(rows, columns);
      ASSERT_EQ(list.vertexCount, rows * columns);
      EXPECT_EQ(list.edges.size(), rows * (columns - 1) + (rows - 1) * columns);
      const auto graph = buildCsr(list, {.directed = false});
      EXPECT_EQ(graph.edgeCount(), 2 * list.edges.size());
      for (std::uint32_t v = 0; v < list.vertexCount; ++v)
        for (auto [target, weight] : graph.outEdges(v)) {
          const int down = std::abs(int(target / columns) - int(v / columns));
          const int right = std::abs(int(target % columns) - int(v % columns));
          EXPECT_EQ(down + right, 1) << v << " to " << target;
        }
    }
}

TEST(Grid, ThreadsDoNotMatter) {
  expectSameForAllThreads([] { return generateGrid<std::uint64_t>(40, 7); });
}

TEST(Grid, EmptyAndImpossibleSizes) {
  EXPECT_EQ(generateGrid(0, 5).vertexCount, 0u);
  EXPECT_EQ(generateGrid(5, 0).edges.size(), 0u);
  EXPECT_THROW(generateGrid(65536, 65536), Error);
  EXPECT_THROW(generateGrid<std::uint64_t>(UINT64_MAX, 2), Error);
}

} // namespace
