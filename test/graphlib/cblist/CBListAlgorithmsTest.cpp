//===- CBListAlgorithmsTest.cpp - All algorithms on CBLists ---------------===//

#include "../support/UpdatableAlgorithmsTests.h"
#include "heddle/graph/ToCBList.h"

namespace heddle::test {

template <typename Store, typename Source> Store storeOf(const Source &graph) {
  return toCBList<Store>(graph);
}

using Stores = UsualOrSmallest<
    testing::Types<CBList<>, CBList<std::uint32_t, std::int32_t, ShapeBeside>>,
    testing::Types<CBList<std::uint32_t, std::int32_t, TinyShape>>>;
INSTANTIATE_TYPED_TEST_SUITE_P(CBList, UpdatableAlgorithms, Stores);

} // namespace heddle::test
