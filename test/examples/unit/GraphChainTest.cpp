//===- GraphChainTest.cpp - Acyclic graphs, and chains that are wrong -----===//

#include "input/acyclic.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <initializer_list>

namespace {

Graph graphOf(uint32_t vertices, std::initializer_list<Edge> edges) {
  Array<Edge> list(edges.size());
  std::ranges::copy(edges, list.begin());
  return buildGraph("", {vertices, std::move(list)}, false);
}

TEST(Chain, WrongOnesAreFound) {
  // Two ways from 0 to 3, and 4 on its own.
  const Graph graph = graphOf(5, {{0, 1, 1}, {0, 2, 5}, {1, 3, 1}, {2, 3, 1}});
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

TEST(Chain, CountsCyclesOnce) {
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
  EXPECT_EQ(acyclic.out().vertices, 3);
  EXPECT_EQ(acyclic.out().edges(), 2);
  EXPECT_EQ(acyclic.group[0], acyclic.group[2]);
  EXPECT_NE(acyclic.group[2], acyclic.group[3]);
}

} // namespace
