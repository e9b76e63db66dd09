//===- CBListAlgorithmsTest.cpp - All algorithms on CBLists ---------------===//

#include "../support/UpdatableAlgorithmsTests.h"
#include "CBListInstances.h"

namespace heddle::test {

using Stores = UsualOrSmallest<
    testing::Types<CBList<>, CBList<std::uint32_t, std::int32_t, ShapeBeside>>,
    testing::Types<TinyWeightedCBList>>;
INSTANTIATE_TYPED_TEST_SUITE_P(CBList, UpdatableAlgorithms, Stores);

} // namespace heddle::test
