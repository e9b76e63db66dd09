//===- RandomWeightsTest.cpp - Symmetry and spread of random weights ------===//

#include "heddle/graph/RandomWeights.h"
#include "heddle/graph/Generate.h"
#include "support/GraphFiles.h"
#include "support/Threads.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace {

using namespace heddle::graph;
using namespace heddle::test;

Csr<> someGraph(bool directed) {
  return buildCsr(generateUniform({.vertices = 5000, .edges = 50000}),
                  {.directed = directed});
}

TEST(RandomWeights, AreTheSameInBothDirections) {
  for (bool directed : {false, true}) {
    const FlatGraph graph(withRandomWeights(someGraph(directed), 7));
    FlatEdges reversed;
    for (auto [from, to, weight] : graph.in)
      reversed.emplace_back(to, from, weight);
    std::sort(reversed.begin(), reversed.end());
    EXPECT_TRUE(reversed == graph.out);
  }
}

TEST(RandomWeights, AreSpreadFrom1To255) {
  std::map<double, int> occurrences;
  const FlatGraph graph(withRandomWeights<float>(someGraph(true)));
  for (auto [from, to, weight] : graph.out)
    ++occurrences[weight];
  EXPECT_EQ(occurrences.begin()->first, 1);
  EXPECT_EQ(occurrences.rbegin()->first, 255);
  EXPECT_EQ(occurrences.size(), 255u);
  for (auto [weight, count] : occurrences)
    EXPECT_NEAR(count, 50000 / 255, 100) << weight;
}

TEST(RandomWeights, DependOnTheSeedAndNotOnThreads) {
  const auto weights = [](std::uint64_t seed) {
    return flatten(withRandomWeights(someGraph(false), seed));
  };
  const FlatEdges expected = weights(1);
  EXPECT_FALSE(weights(2) == expected);
  for (int threads : ThreadCounts) {
    ThreadCount scope(threads);
    EXPECT_TRUE(weights(1) == expected) << threads;
  }
}

TEST(RandomWeights, AnEmptyGraphStaysEmpty) {
  EXPECT_EQ(withRandomWeights(Csr<>()).vertexCount(), 0u);
  EXPECT_TRUE(withRandomWeights(Csr<>()).isDirected());
}

} // namespace
