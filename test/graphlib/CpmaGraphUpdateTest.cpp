//===- CpmaGraphUpdateTest.cpp - CpmaGraphs that change -------------------===//

#include "CpmaGraphStores.h"
#include "UpdatableGraphTests.h"

namespace heddle::test {

INSTANTIATE_TYPED_TEST_SUITE_P(CpmaGraph, UpdatableGraphs, CpmaGraphStores);

} // namespace heddle::test
