//===- CBListUpdateTest.cpp - CBLists that change, against a model --------===//

#include "../support/UpdatableGraphTests.h"
#include "CBListInstances.h"

namespace {

using namespace heddle::graph;
using namespace heddle::test;

TEST(CBList, WithoutItsEdgesARowHasNoPieces) {
  TinyCBList graph(300);
  for (const UpdateMode mode : {Add, Delete})
    for (std::uint32_t target = 0; target < 300; ++target)
      ASSERT_TRUE(graph.updateEdge({{7, target, {}}, mode}));
  EXPECT_EQ(graph.outRows().record(7).level(), 0u);
}

} // namespace

namespace heddle::test {
INSTANTIATE_TYPED_TEST_SUITE_P(CBList, UpdatableGraphs, CBListStores);
}
