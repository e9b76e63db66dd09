//===- UpdatesVerifierTest.cpp - Wrong updates are found ------------------===//

#include "heddle/graph/verify/Updates.h"

#include "heddle/graph/detail/Build.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

using namespace heddle::graph;

namespace {

using WeightedEdge = Edge<std::uint32_t, std::int32_t>;
using WeightedUpdate = EdgeUpdate<std::uint32_t, std::int32_t>;
using Weighted = Csr<std::uint32_t, std::int32_t>;

Weighted graphOf(const std::vector<WeightedEdge> &edges, bool directed = true) {
  EdgeList<std::uint32_t, std::int32_t> list;
  list.vertexCount = 5;
  list.edges = Array<WeightedEdge>(edges.size());
  std::ranges::copy(edges, list.edges.begin());
  return buildCsr(list, {.directed = directed});
}

/// Adds one edge, deletes one, changes the weight of one; and three updates
/// without effect.
const std::vector<WeightedUpdate> Updates = {
    {{0, 2, 7}, UpdateMode::Add},    {{0, 1, 0}, UpdateMode::Delete},
    {{3, 4, 9}, UpdateMode::Modify}, {{0, 2, 8}, UpdateMode::Add},
    {{1, 1, 0}, UpdateMode::Delete}, {{2, 3, 9}, UpdateMode::Modify}};
const std::vector<WeightedEdge> Before = {{0, 1, 5}, {3, 4, 6}};

Violation verdict(const std::vector<WeightedEdge> &after,
                  std::size_t changed = 3) {
  return verifyUpdates(graphOf(Before), Updates, changed, graphOf(after));
}

TEST(UpdatesVerifierTest, AcceptsWhatIsRight) {
  EXPECT_EQ(verdict({{0, 2, 7}, {3, 4, 9}}), std::nullopt);
  EXPECT_EQ(verifyUpdates(graphOf(Before, false), Updates, 3,
                          graphOf({{0, 2, 7}, {3, 4, 9}}, false)),
            std::nullopt);
}

TEST(UpdatesVerifierTest, FindsAWrongCount) {
  EXPECT_EQ(verdict({{0, 2, 7}, {3, 4, 9}}, 4),
            "expected 3 updates to do something, found 4");
  EXPECT_EQ(verdict({{3, 4, 9}}), "expected 2 edges, found a count of 1");
}

TEST(UpdatesVerifierTest, FindsWrongEdges) {
  EXPECT_EQ(verdict({{0, 1, 5}, {3, 4, 9}}),
            "edge 0 to 1 among the out-edges: expected none, found one");
  EXPECT_EQ(verdict({{0, 2, 7}, {4, 4, 9}}),
            "edge 3 to 4 among the out-edges: expected one, found none");
  EXPECT_EQ(verdict({{0, 2, 8}, {3, 4, 9}}),
            "edge 0 to 2 among the out-edges: expected weight 7, found 8");
}

TEST(UpdatesVerifierTest, FindsInEdgesThatDiffer) {
  Weighted right = graphOf({{0, 2, 7}, {3, 4, 9}}),
           other = graphOf({{0, 3, 7}, {3, 4, 9}});
  auto [out, in] = std::move(right).takeRows();
  auto [otherOut, otherIn] = std::move(other).takeRows();
  const Weighted mixed(std::move(out), std::move(otherIn));
  EXPECT_EQ(verifyUpdates(graphOf(Before), Updates, 3, mixed),
            "edge 0 to 2 among the in-edges: expected one, found none");
}

} // namespace
