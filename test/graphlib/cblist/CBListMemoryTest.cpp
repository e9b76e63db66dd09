//===- CBListMemoryTest.cpp - CBLists where memory runs out ---------------===//

#include "../support/UpdatableMemoryTests.h"
#include "heddle/graph/ToCBList.h"

namespace heddle::test {

template <typename Store, typename Source> Store storeOf(const Source &graph) {
  return toCBList<Store>(graph);
}

using Stores = testing::Types<CBList<std::uint32_t, Unweighted, TinyShape>,
                              CBList<std::uint32_t, float, TinyShapeBeside>>;
INSTANTIATE_TYPED_TEST_SUITE_P(CBList, UpdatableMemory, Stores);

TEST(CBListMemory, ABatchNeedsNoneToBringTheChainInOrder) {
  using Store = CBList<std::uint32_t, float, TinyShapeBeside>;
  int leftAsItWas = 0;
  bool isInOrder = false;
  for (int index = 0; !isInOrder; ++index) {
    std::mt19937 random(5);
    Store graph(100);
    CBListModel<Store> model(100, true);
    for (int i = 0; !graph.outRows().isScattered(); ++i) {
      const auto update = model.randomUpdate(random, i % 2000 >= 1000);
      ASSERT_EQ(graph.updateEdge(update), model.apply(update));
    }
    const auto update = model.randomUpdate(random, false);
    if (!failsAt(index, [&] { graph.updateEdges({&update, 1}); }))
      model.apply(update);
    expectEqual(graph, model);
    isInOrder = !graph.outRows().isScattered();
    leftAsItWas += !isInOrder;
  }
  EXPECT_GT(leftAsItWas, 2);
}

} // namespace heddle::test
