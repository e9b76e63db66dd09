//===- RandomTest.cpp - Reproducible random data --------------------------===//

#include "bench/Random.h"

#include <gtest/gtest.h>
#include <set>

namespace heddle::bench {
namespace {

TEST(Permutation, TakesEveryPlaceOnce) {
  for (uint64_t size : {1, 2, 3, 7, 8, 100, 1000, 4096, 5000}) {
    const Permutation place(size);
    std::set<uint64_t> places;
    for (uint64_t i = 0; i < size; ++i)
      places.insert(place(i));
    EXPECT_EQ(places.size(), size);
    EXPECT_LT(*places.rbegin(), size);
  }
}

TEST(Permutation, IsInvertible) {
  for (uint64_t size : {1, 2, 3, 7, 8, 100, 1000, 4096, 5000, 1 << 20}) {
    const Permutation place(size);
    for (uint64_t i = 0; i < size; i += 1 + size / 1000)
      ASSERT_EQ(place.inverse(place(i)), i) << "of " << size;
  }
}

TEST(Permutation, ScattersNeighbours) {
  constexpr uint64_t size = 100000;
  const Permutation place(size);
  int near = 0;
  for (uint64_t i = 0; i + 1 < size; ++i) {
    const int64_t distance = int64_t(place(i + 1)) - int64_t(place(i));
    near += distance >= -8 && distance <= 8;
  }
  // A random permutation has 16 near neighbours on average.
  EXPECT_LT(near, 100);
}

TEST(RandomBelow, CoversItsRangeEvenly) {
  int counts[10] = {};
  for (uint64_t i = 0; i < 10000; ++i)
    ++counts[randomBelow(7, i, 10)];
  for (int count : counts) {
    EXPECT_GT(count, 850);
    EXPECT_LT(count, 1150);
  }
}

} // namespace
} // namespace heddle::bench
