//===- FuzzTest.cpp - The fuzzers' operations, a few times ----------------===//
//
// Random bytes of a fixed seed: enough to see that the fuzz targets still work,
// and to find simple faults.
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace {

using namespace heddle::test;

void repeat(std::size_t inputs, std::size_t bytes,
            void (*fuzz)(std::span<const std::uint8_t>)) {
  std::mt19937 random(1);
  std::vector<std::uint8_t> input;
  for (std::size_t i = 0; i < inputs; ++i) {
    input.resize(random() % bytes);
    for (std::uint8_t &byte : input)
      byte = static_cast<std::uint8_t>(random());
    fuzz(input);
    ASSERT_FALSE(::testing::Test::HasFailure()) << "input " << i;
  }
}

TEST(FuzzTest, PackedMemoryArrays) { repeat(150, 2000, fuzzPma); }
TEST(FuzzTest, Codecs) { repeat(1000, 500, fuzzCodec); }
TEST(FuzzTest, CBLists) { repeat(150, 2000, fuzzCBList); }
TEST(FuzzTest, CpmaGraphs) { repeat(150, 2000, fuzzCpmaGraph); }

} // namespace
