//===- CpmaGraphFuzz.cpp - Bytes as operations on a graph in one set ------===//
//
// Leaves have the least possible size, so that rows continue from one to the
// next.
//
//===----------------------------------------------------------------------===//

#include "../graphlib/cpmagraph/CpmaGraphInstances.h"
#include "Fuzz.h"
#include "GraphFuzz.h"

void heddle::test::fuzzCpmaGraph(std::span<const std::uint8_t> bytes) {
  FuzzInput input(bytes);
  if (input.below(2) == 0)
    return FuzzedGraph<TinyCpmaGraph<Unweighted>>(input).run();
  return FuzzedGraph<TinyCpmaGraph<float>>(input).run();
}
