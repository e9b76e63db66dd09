//===- CpmaGraphUpdateTest.cpp - CpmaGraphs that change -------------------===//

#include "../support/UpdatableGraphTests.h"
#include "CpmaGraphInstances.h"
#include "heddle/graph/Generate.h"

namespace heddle::test {

INSTANTIATE_TYPED_TEST_SUITE_P(CpmaGraph, UpdatableGraphs, CpmaGraphStores);

TEST(CpmaGraph, RowsBeginWhereTheirFirstEdgeIsAfterEachUpdate) {
  // Few vertices and the smallest leaves: rows begin and end at their bounds,
  // and lose the edge that they begin with.
  using Store = TinyCpmaGraph<float>;
  for (const bool directed : {true, false})
    for (const std::uint32_t vertices : {4u, 30u}) {
      std::mt19937 random(vertices);
      Store graph(vertices, directed);
      CBListModel<Store> model(vertices, directed);
      for (int i = 0; i < 1500; ++i) {
        std::vector<CBListModel<Store>::Update> updates(1 + random() % 3);
        for (auto &update : updates)
          update = model.randomUpdate(random, i / 250 % 2);
        if (i % 2 == 0)
          ASSERT_EQ(graph.updateEdges(updates), model.apply(updates)) << i;
        else
          for (const auto &update : updates)
            ASSERT_EQ(graph.updateEdge(update), model.apply(update)) << i;
        const Violation found = graph.check();
        ASSERT_FALSE(found) << i << ": " << *found;
      }
      expectEqual(graph, model);
    }
}

TEST(CpmaGraph, MemoryIsGivenBackAsEdgesGo) {
  CpmaGraph<> graph = buildCpmaGraph(generateKronecker({.scale = 10}));
  const std::size_t before = graph.outRows().leaves().bytes();
  std::vector<EdgeUpdate<std::uint32_t, Unweighted>> updates;
  graph.scanAllEdges([&](std::uint32_t from, std::uint32_t to, Unweighted) {
    if ((from + to) % 16 != 0)
      updates.push_back({{from, to, {}}, UpdateMode::Delete});
  });
  EXPECT_EQ(graph.updateEdges(updates), updates.size());
  EXPECT_FALSE(graph.check());
  EXPECT_LT(graph.outRows().leaves().bytes(), before / 4);
}

} // namespace heddle::test
