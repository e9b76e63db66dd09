//===- FrontierTest.cpp - Sets of vertices --------------------------------===//

#include "heddle/graph/Frontier.h"
#include "support/SampleGraphs.h"

namespace {

using namespace heddle::graph;
using namespace heddle::test;

template <typename VertexId>
std::vector<VertexId> sorted(const Frontier<VertexId> &frontier) {
  std::vector<VertexId> result(frontier.vertices().begin(),
                               frontier.vertices().end());
  std::sort(result.begin(), result.end());
  return result;
}

TEST(VertexArray, IsFilledWithAValue) {
  VertexArray<double> array(1000, 2.5);
  EXPECT_EQ(std::count(array.begin(), array.end(), 2.5), 1000);
  array.fill(-1);
  EXPECT_EQ(std::count(array.begin(), array.end(), -1), 1000);
  EXPECT_EQ(VertexArray<int>().size(), 0u);
}

TEST(Bitmap, CountsAndListsWhatIsSet) {
  for (const std::size_t bits : {0, 1, 63, 64, 65, 1000}) {
    Bitmap bitmap(bits);
    bitmap.clear();
    EXPECT_EQ(bitmap.count(), 0u);
    std::vector<std::size_t> expected, found;
    for (std::size_t bit = 0; bit < bits; bit += 1 + bit % 5) {
      expected.push_back(bit);
      if (bit % 2)
        bitmap.set(bit);
      else
        bitmap.setShared(bit);
    }
    EXPECT_EQ(bitmap.count(), expected.size());
    for (std::size_t word = 0; word < bitmap.wordCount(); ++word)
      bitmap.forEachInWord(word,
                           [&](std::size_t bit) { found.push_back(bit); });
    EXPECT_EQ(found, expected);
    for (std::size_t bit = 0; bit < bits; ++bit)
      EXPECT_EQ(bitmap.test(bit),
                std::binary_search(expected.begin(), expected.end(), bit));
  }
}

TEST(Frontier, KeepsItsVerticesWhenItChangesForm) {
  for (const int threads : ThreadCounts) {
    ThreadCount scope(threads);
    constexpr std::uint32_t Vertices = 20000;
    Frontier<> frontier(Vertices);
    EXPECT_TRUE(frontier.empty());
    std::vector<std::uint32_t> expected;
    for (std::uint32_t v = 0; v < Vertices; v += 1 + v % 3) {
      frontier.insert(Vertices - 1 - v);
      expected.push_back(Vertices - 1 - v);
    }
    std::reverse(expected.begin(), expected.end());
    EXPECT_FALSE(frontier.isDense());
    frontier.makeDense();
    EXPECT_TRUE(frontier.isDense());
    EXPECT_EQ(frontier.size(), expected.size());
    for (const std::uint32_t v : expected)
      EXPECT_TRUE(frontier.bitmap().test(v));
    frontier.makeDense();
    frontier.makeSparse();
    EXPECT_EQ(sorted(frontier), expected);
    frontier.makeSparse();
    EXPECT_EQ(frontier.size(), expected.size());
    frontier.clearDense();
    EXPECT_TRUE(frontier.isDense() && frontier.empty());
    frontier.insert(7);
    EXPECT_EQ(frontier.size(), 1u);
    frontier.clearSparse();
    EXPECT_TRUE(!frontier.isDense() && frontier.empty());
  }
}

TEST(Frontier, TakesWhatAllThreadsAppend) {
  for (const int threads : ThreadCounts) {
    ThreadCount scope(threads);
    constexpr std::uint64_t Vertices = 50000;
    Frontier<std::uint64_t> frontier(Vertices);
#pragma omp parallel
    {
      Frontier<std::uint64_t>::Appender found(frontier);
#pragma omp for nowait
      for (std::uint64_t v = 0; v < Vertices; ++v)
        found.append(v);
    }
    const auto all = sorted(frontier);
    ASSERT_EQ(all.size(), Vertices);
    for (std::uint64_t v = 0; v < Vertices; ++v)
      ASSERT_EQ(all[v], v);
  }
}

TEST(Frontier, AddsUpDegreesInBothForms) {
  const Csr<> graph = buildCsr(generateKronecker({.scale = 8}));
  Frontier<> frontier(graph.vertexCount());
  EXPECT_EQ(frontier.outDegreeSum(graph), 0u);
  std::uint64_t expected = 0;
  for (std::uint32_t v = 0; v < graph.vertexCount(); v += 3) {
    frontier.insert(v);
    expected += graph.outDegree(v);
  }
  EXPECT_EQ(frontier.outDegreeSum(graph), expected);
  frontier.makeDense();
  EXPECT_EQ(frontier.outDegreeSum(graph), expected);
}

} // namespace
