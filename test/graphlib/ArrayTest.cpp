//===- ArrayTest.cpp - Ownership and limits of arrays ---------------------===//

#include "heddle/graph/detail/Array.h"

#include <gtest/gtest.h>

#include <memory>
#include <new>
#include <type_traits>

namespace {

using heddle::graph::Array;

static_assert(!std::is_copy_constructible_v<Array<int>>);
static_assert(std::is_nothrow_move_constructible_v<Array<int>>);

TEST(Array, EverySizeIsWritable) {
  for (std::size_t size : {0, 1, 100, 1 << 17, 1 << 20}) {
    Array<std::uint64_t> array(size);
    EXPECT_EQ(array.size(), size);
    EXPECT_EQ(array.empty(), size == 0);
    for (std::size_t i = 0; i < size; ++i)
      array[i] = i;
    std::uint64_t sum = 0;
    for (std::uint64_t value : array)
      sum += value;
    EXPECT_EQ(sum, size == 0 ? 0 : size * (size - 1) / 2);
  }
}

TEST(Array, LargeOnesStartAtAHugePage) {
  Array<char> array(3 << 20);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(array.data()) % (2 << 20), 0u);
}

TEST(Array, MovingLeavesNothingBehind) {
  Array<int> first(3);
  first[2] = 7;
  Array<int> second(std::move(first));
  EXPECT_TRUE(first.empty());
  EXPECT_EQ(first.data(), nullptr);
  EXPECT_EQ(second[2], 7);
  Array<int> third(5);
  third = std::move(second);
  EXPECT_TRUE(second.empty());
  ASSERT_EQ(third.size(), 3u);
  EXPECT_EQ(third[2], 7);
}

TEST(Array, ShrinkingKeepsTheFirstElements) {
  Array<int> array(5);
  array[1] = 7;
  array.shrink(9);
  EXPECT_EQ(array.size(), 5u);
  array.shrink(2);
  EXPECT_EQ(array.size(), 2u);
  EXPECT_EQ(array[1], 7);
}

TEST(Array, AnOwnerStaysAsLongAsTheArray) {
  auto owner = std::make_shared<int>(42);
  {
    Array<int> array(owner.get(), 1, owner);
    Array<int> moved = std::move(array);
    EXPECT_EQ(owner.use_count(), 2);
    EXPECT_EQ(moved[0], 42);
    moved = Array<int>(3);
    EXPECT_EQ(owner.use_count(), 1);
  }
  Array<int> last(owner.get(), 1, owner);
  EXPECT_EQ(owner.use_count(), 2);
  last = Array<int>();
  EXPECT_EQ(owner.use_count(), 1);
}

TEST(Array, TooLargeASizeIsLackOfMemory) {
  EXPECT_THROW(Array<std::uint64_t>(SIZE_MAX / 8 + 1), std::bad_alloc);
  EXPECT_THROW(Array<std::uint64_t>(SIZE_MAX), std::bad_alloc);
  EXPECT_THROW(Array<char>(SIZE_MAX), std::bad_alloc);
}

} // namespace
