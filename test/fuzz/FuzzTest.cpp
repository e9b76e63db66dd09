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

/// Changes a few bytes of each seed at random.
void repeat(const FuzzSeeds &seeds, std::size_t rounds,
            void (*fuzz)(std::span<const std::uint8_t>)) {
  std::mt19937 random(1);
  for (const std::string &seed : seeds)
    for (std::size_t round = 0; round < rounds; ++round) {
      std::vector<std::uint8_t> input(seed.begin(), seed.end());
      for (std::size_t i = 0; i < round % 4 && !input.empty(); ++i)
        input[random() % input.size()] = static_cast<std::uint8_t>(random());
      fuzz(input);
      ASSERT_FALSE(::testing::Test::HasFailure()) << "round " << round;
    }
}

TEST(FuzzTest, PackedMemoryArrays) { repeat(150, 2000, fuzzPma); }
TEST(FuzzTest, Codecs) { repeat(1000, 500, fuzzCodec); }
TEST(FuzzTest, CBLists) { repeat(150, 2000, fuzzCBList); }
TEST(FuzzTest, CpmaGraphs) { repeat(150, 2000, fuzzCpmaGraph); }
TEST(FuzzTest, Formats) { repeat(seedsOfFormat(), 12, fuzzFormat); }
TEST(FuzzTest, Layouts) { repeat(seedsOfLayout(), 12, fuzzLayout); }
TEST(FuzzTest, Checkpoints) { repeat(seedsOfCheckpoint(), 12, fuzzCheckpoint); }
TEST(FuzzTest, Journals) { repeat(seedsOfJournal(), 50, fuzzJournal); }
TEST(FuzzTest, TuneFiles) { repeat(seedsOfTune(), 50, fuzzTune); }

} // namespace
