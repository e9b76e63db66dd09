//===- GraphVerifyTest.cpp - The verifiers notice wrong results -----------===//

#include "driver/verify.h"

#include <gtest/gtest.h>
#include <initializer_list>

namespace {

Graph graphOf(int32_t vertices, std::initializer_list<Edge> edges) {
  Array<Edge> list(edges.size());
  std::copy(edges.begin(), edges.end(), list.begin());
  return buildGraph("", vertices, std::move(list), false);
}

/// 0 -> 1 -> 3, 0 -> 2 -> 3 with a detour's weight on 2, and 4 on its own.
Graph diamond() {
  return graphOf(5, {{0, 1, 1}, {0, 2, 5}, {1, 3, 1}, {2, 3, 1}});
}

template <typename T> Array<T> arrayOf(std::initializer_list<T> values) {
  Array<T> array(values.size());
  std::copy(values.begin(), values.end(), array.begin());
  return array;
}

TEST(Verify, ParentsAndLabelsMayBeNegativeOrWild) {
  const Graph graph = diamond();
  EXPECT_FALSE(checkParents(graph, 0, arrayOf({0, 0, 0, 1, -1})));
  EXPECT_FALSE(checkParents(graph, 0, arrayOf({0, 0, 0, 2, -1})));
  EXPECT_TRUE(checkParents(graph, 0, arrayOf({0, 0, 0, -1, -1})));
  EXPECT_TRUE(checkParents(graph, 0, arrayOf({0, 0, 0, 77, -1})));
  EXPECT_TRUE(checkParents(graph, 0, arrayOf({0, 0, 0, 1, 3})));
  EXPECT_FALSE(checkLabels(graph, arrayOf({0, 0, 0, 0, 4})));
  EXPECT_TRUE(checkLabels(graph, arrayOf({0, 0, 2, 0, 4})));
}

TEST(Verify, WrongRanksAreFound) {
  const Graph pair = graphOf(2, {{0, 1, 1}, {1, 0, 1}});
  EXPECT_FALSE(checkRanks(pair, arrayOf({0.5, 0.5}), 1e-9));
  EXPECT_TRUE(checkRanks(pair, arrayOf({0.4, 0.6}), 1e-9));
}

TEST(Verify, WrongChainsAreFound) {
  const Graph graph = diamond();
  const Csr out = graph.out();
  ASSERT_EQ(longestChainLength(out), 3);
  const int32_t right[] = {-1, 0, 0, 1, -1};
  EXPECT_FALSE(checkChain(out, 3, 3, 3, right));
  // Too short, a link that is no edge, a beginning cut off, a circle.
  const int32_t jump[] = {-1, 0, 1, 2, -1}, cut[] = {-1, -1, 0, 1, -1};
  const int32_t circle[] = {3, 0, 0, 1, -1};
  EXPECT_TRUE(checkChain(out, 3, 2, 1, right));
  EXPECT_TRUE(checkChain(out, 3, 3, 3, jump));
  EXPECT_TRUE(checkChain(out, 3, 3, 3, cut));
  EXPECT_TRUE(checkChain(out, 3, 3, 3, circle));
}

TEST(Verify, ChainsCountCyclesOnce) {
  const Graph cycles = graphOf(6, {{0, 1, 1},
                                   {1, 2, 1},
                                   {2, 0, 1},
                                   {2, 3, 1},
                                   {3, 4, 1},
                                   {4, 3, 1},
                                   {5, 0, 1}});
  AcyclicGraph acyclic = makeAcyclic(cycles);
  EXPECT_EQ(longestChainLength(acyclic.out()), 3);
  for (uint32_t v = 0; v < 3; ++v)
    for (auto [target, weight] : acyclic.rows.outEdges(v))
      EXPECT_LT(v, target);
  EXPECT_EQ(acyclic.vertices(), 3);
  EXPECT_EQ(acyclic.out().edges(), 2);
  EXPECT_EQ(acyclic.group[0], acyclic.group[2]);
  EXPECT_NE(acyclic.group[2], acyclic.group[3]);
}

} // namespace
