//===- MemoryTest.cpp - Arrays of an arena --------------------------------===//

#include "bench/measure/Memory.h"
#include "command/Error.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace heddle::bench {
namespace {

constexpr size_t Megabyte = 1 << 20;

TEST(Arena, ArraysAreZeroAlignedAndApart) {
  Arena arena(Megabyte, Pages::Small);
  char *first = arena.allocate<char>(1000);
  char *second = arena.allocate<char>(1000);
  EXPECT_EQ(std::count(first, first + 1000, 0), 1000);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(first) % 128, 0u);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(second) % 128, 0u);
  EXPECT_GE(second, first + 1000);
}

TEST(Arena, SmallPagesAreSmall) {
  Arena arena(16 * Megabyte, Pages::Small);
  char *array = arena.allocate<char>(8 * Megabyte);
  std::fill(array, array + 8 * Megabyte, 1);
  EXPECT_EQ(arena.hugeShare(), 0);
}

TEST(Arena, RefusesMoreThanWasReserved) {
  Arena arena(2 * Megabyte, Pages::Small);
  arena.allocate<char>(Megabyte);
  EXPECT_THROW(arena.allocate<char>(Megabyte), Error);
}

} // namespace
} // namespace heddle::bench
