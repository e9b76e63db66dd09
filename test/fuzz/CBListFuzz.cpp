//===- CBListFuzz.cpp - Bytes as operations on rows of chunks -------------===//
//
// Chunks and nodes are as small as they may be, so that a few edges make trees.
//
//===----------------------------------------------------------------------===//

#include "../graphlib/cblist/CBListInstances.h"
#include "Fuzz.h"
#include "GraphFuzz.h"

void heddle::test::fuzzCBList(std::span<const std::uint8_t> bytes) {
  FuzzInput input(bytes);
  if (input.below(2) == 0)
    return FuzzedGraph<CBList<std::uint32_t, Unweighted, TinyShape>>(input)
        .run();
  return FuzzedGraph<CBList<std::uint64_t, float, TinyShapeBeside>>(input)
      .run();
}
