//===- CpmaGraphAlgorithmsTest.cpp - All algorithms on CpmaGraphs ---------===//

#include "../support/UpdatableAlgorithmsTests.h"

#include "CpmaGraphInstances.h"

namespace heddle::test {

using Stores = UsualOrSmallest<testing::Types<CpmaGraph<>>,
                               testing::Types<TinyCpmaGraph<std::int32_t>>>;
INSTANTIATE_TYPED_TEST_SUITE_P(CpmaGraph, UpdatableAlgorithms, Stores);

} // namespace heddle::test
