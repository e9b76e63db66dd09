//===- CBListMemoryTest.cpp - CBLists where memory runs out ---------------===//

#include "../support/UpdatableMemoryTests.h"
#include "CBListInstances.h"

namespace heddle::test {

using Stores = testing::Types<TinyCBList, TinyBesideCBList>;
INSTANTIATE_TYPED_TEST_SUITE_P(CBList, UpdatableMemory, Stores);

TEST(CBListMemory, ABatchNeedsNoneToBringTheChainInOrder) {
  using Store = TinyBesideCBList;
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
