//===- GraphVerifyTests.cpp - The verifiers notice wrong results ----------===//

#include "driver/verify.h"

#include <cmath>
#include <gtest/gtest.h>

namespace {

/// 0 -> 1 -> 3, 0 -> 2 -> 3 with a detour's weight on 2, and 4 on its own.
Graph diamond() {
  const Edge edges[] = {{0, 1, 1}, {0, 2, 5}, {1, 3, 1}, {2, 3, 1}};
  return buildGraph("diamond", 5, edges, false);
}

class Verify : public testing::Test {
protected:
  Graph graph = diamond();
  Csr out = graph.out;
  std::vector<int32_t> depth = depths(out, 0);
};

TEST_F(Verify, DepthsAreThoseOfTheQueue) {
  EXPECT_EQ(depth, (std::vector<int32_t>{0, 1, 1, 2, -1}));
}

TEST_F(Verify, EitherParentIsRight) {
  const int32_t first[] = {0, 0, 0, 1, -1}, second[] = {0, 0, 0, 2, -1};
  EXPECT_FALSE(checkParents(out, 0, depth, first));
  EXPECT_FALSE(checkParents(out, 0, depth, second));
}

TEST_F(Verify, ParentsWithoutAnEdgeAreFound) {
  const int32_t parent[] = {0, 0, 1, 1, -1};
  Verdict verdict = checkParents(out, 0, depth, parent);
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->vertex, 2);
}

TEST_F(Verify, ParentsOnTheWrongLevelAreFound) {
  // An edge from 3 back to 1 exists, but is no way to reach 1 first.
  const Edge edges[] = {{0, 1, 1}, {1, 3, 1}, {3, 1, 1}};
  Graph cycle = buildGraph("cycle", 4, edges, false);
  const int32_t parent[] = {0, 3, -1, 1};
  Verdict verdict = checkParents(cycle.out, 0, depths(cycle.out, 0), parent);
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->vertex, 1);
}

TEST_F(Verify, MissingAndInventedVerticesAreFound) {
  const int32_t missing[] = {0, 0, 0, -1, -1}, invented[] = {0, 0, 0, 1, 3};
  const int32_t wild[] = {0, 0, 0, 77, -1}, source[] = {-1, 0, 0, 1, -1};
  EXPECT_EQ(checkParents(out, 0, depth, missing)->vertex, 3);
  EXPECT_EQ(checkParents(out, 0, depth, invented)->vertex, 4);
  EXPECT_EQ(checkParents(out, 0, depth, wild)->vertex, 3);
  EXPECT_EQ(checkParents(out, 0, depth, source)->vertex, 0);
}

TEST_F(Verify, WrongDistancesAreFound) {
  std::vector<int64_t> expected = dijkstra(out, 0);
  EXPECT_EQ(expected, (std::vector<int64_t>{0, 1, 5, 2, INT64_MAX}));
  EXPECT_FALSE(checkDistances(expected, expected.data()));
  std::vector<int64_t> distance = expected;
  distance[3] = 6;
  EXPECT_EQ(checkDistances(expected, distance.data())->vertex, 3);
}

TEST_F(Verify, WrongRanksAreFound) {
  const Edge edges[] = {{0, 1, 1}, {1, 0, 1}};
  Graph pair = buildGraph("pair", 2, edges, false);
  const double even[] = {0.5, 0.5}, uneven[] = {0.4, 0.6};
  const double tooMuch[] = {1, 1}, notANumber[] = {NAN, 0.5};
  EXPECT_FALSE(checkRanks(pair.out, even, 1e-9));
  EXPECT_TRUE(checkRanks(pair.out, uneven, 1e-9));
  EXPECT_TRUE(checkRanks(pair.out, tooMuch, 1e-9));
  EXPECT_TRUE(checkRanks(pair.out, notANumber, 1e-9));
}

TEST_F(Verify, WrongComponentsAreFound) {
  std::vector<int32_t> expected = lowestConnected(out);
  EXPECT_EQ(expected, (std::vector<int32_t>{0, 0, 0, 0, 4}));
  const int32_t split[] = {0, 0, 2, 0, 4}, merged[] = {0, 0, 0, 0, 0};
  EXPECT_EQ(checkLabels(expected, split)->vertex, 2);
  EXPECT_EQ(checkLabels(expected, merged)->vertex, 4);
}

TEST_F(Verify, WrongChainsAreFound) {
  ASSERT_EQ(longestChainLength(graph), 3);
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

TEST_F(Verify, ChainsCountCyclesOnce) {
  const Edge edges[] = {{0, 1, 1}, {1, 2, 1}, {2, 0, 1}, {2, 3, 1},
                        {3, 4, 1}, {4, 3, 1}, {5, 0, 1}};
  Graph cycles = buildGraph("cycles", 6, edges, false);
  EXPECT_EQ(longestChainLength(cycles), 3);
  AcyclicGraph acyclic = makeAcyclic(cycles);
  EXPECT_EQ(acyclic.out.vertices(), 3);
  EXPECT_EQ(Csr(acyclic.out).edges(), 2);
  EXPECT_EQ(acyclic.group[0], acyclic.group[2]);
  EXPECT_NE(acyclic.group[2], acyclic.group[3]);
}

} // namespace
