//===- CBListMemoryTest.cpp - CBLists where memory runs out ---------------===//

#include "UpdatableMemoryTests.h"
#include "heddle/graph/ToCBList.h"

namespace heddle::test {

template <typename Store, typename Source> Store storeOf(const Source &graph) {
  return toCBList<Store>(graph);
}

using Stores = testing::Types<CBList<std::uint32_t, Unweighted, TinyShape>,
                              CBList<std::uint32_t, float, TinyShapeBeside>>;
INSTANTIATE_TYPED_TEST_SUITE_P(CBList, UpdatableMemory, Stores);

} // namespace heddle::test
