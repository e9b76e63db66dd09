//===- CpmaGraphMemoryTest.cpp - CpmaGraphs where memory runs out ---------===//

#include "../support/UpdatableMemoryTests.h"

#include "CpmaGraphInstances.h"

namespace heddle::test {

using Stores = testing::Types<TinyCpmaGraph<Unweighted>, TinyCpmaGraph<float>>;
INSTANTIATE_TYPED_TEST_SUITE_P(CpmaGraph, UpdatableMemory, Stores);

} // namespace heddle::test
