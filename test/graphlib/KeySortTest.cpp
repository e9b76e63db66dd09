//===- KeySortTest.cpp - Sorting by numbers -------------------------------===//

#include "heddle/graph/detail/sort/KeySort.h"
#include "../support/FewOrAll.h"
#include "heddle/graph/Cpma.h"

#include "support/Threads.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <vector>

namespace {

using namespace heddle::graph;
using namespace heddle::graph::detail;
using namespace heddle::test;

constexpr std::size_t Sizes[] = {0,     1,     2,     7,      8,     9,
                                 255,   256,   257,   511,    2047,  2049,
                                 16383, 16385, 70000, 131073, 300000};

/// The shape of keys, as a function of a random number and a position.
struct Shape {
  const char *name;
  std::function<std::uint64_t(std::uint64_t random, std::size_t i)> key;
};

const Shape Shapes[] = {
    {"uniform", [](auto random, auto) { return random; }},
    {"40 bits", [](auto random, auto) { return random >> 24; }},
    {"8 bits", [](auto random, auto) { return random >> 56; }},
    {"low ones", [](auto random, auto) { return random >> random % 64; }},
    {"high ones", [](auto random, auto) { return ~(random >> random % 64); }},
    {"far clusters",
     [](auto random, auto) { return (random % 3 << 62) + (random >> 54); }},
    {"one far away",
     [](auto random, auto i) { return i == 77 ? ~0ull : random >> 50; }},
    {"same high bits",
     [](auto random, auto) { return (random % 7 << 40) + (random >> 60); }},
    {"all the same", [](auto, auto) { return 5ull; }},
    {"ascending", [](auto, auto i) { return i / 3; }},
    {"descending", [](auto, auto i) { return ~std::uint64_t(i / 3); }},
    {"both ends", [](auto random, auto) { return random & 1 ? ~0ull : 0ull; }},
};

/// A key and where its element was.
template <typename Key> struct Element {
  Key key;
  std::size_t index;
};

template <typename Key> class KeySortTest : public ::testing::Test {
protected:
  static Key widen(std::uint64_t key) {
    if constexpr (sizeof(Key) > sizeof(key))
      return static_cast<Key>(key) << 64 | key * 3;
    else
      return static_cast<Key>(key);
  }

  static void check(const Shape &shape, std::size_t size) {
    std::mt19937_64 random(size);
    std::vector<Element<Key>> elements(size), sorted(size);
    for (std::size_t i = 0; i < size; ++i)
      elements[i] = {widen(shape.key(random(), i)), i};
    std::vector<Element<Key>> expected = elements;
    std::ranges::sort(expected, [](const auto &a, const auto &b) {
      return a.key != b.key ? a.key < b.key : a.index < b.index;
    });
    for (const int threads : {1, 3}) {
      const ThreadCount count(threads);
      std::ranges::fill(sorted, Element<Key>());
      sortByKey([&](std::size_t i) { return elements[i]; }, std::span(sorted),
                [](const Element<Key> &element) { return element.key; });
      for (std::size_t i = 0; i < size; ++i)
        if (sorted[i].key != expected[i].key ||
            sorted[i].index != expected[i].index)
          FAIL() << shape.name << ", " << size << " elements, " << threads
                 << " threads, at " << i;
    }
  }
};
__extension__ using Wide = unsigned __int128;
using Keys = ::testing::Types<std::uint32_t, std::uint64_t, Wide>;
TYPED_TEST_SUITE(KeySortTest, Keys);

TYPED_TEST(KeySortTest, KeepsTheOrderOfTheSame) {
  for (const Shape &shape : Shapes)
    for (const std::size_t size : Sizes)
      if (isLongRun() || size < 100000 || &shape == Shapes)
        this->check(shape, size);
}

TEST(DropRepeatedTest, KeepsTheFirst) {
  const auto same = [](const auto &a, const auto &b) { return a.key == b.key; };
  for (const int threads : {1, 3}) {
    const ThreadCount count(threads);
    for (const std::size_t size : Sizes)
      for (const std::size_t run : {1ul, 2ul, 3ul, 1000ul, 1000000ul}) {
        std::vector<Element<std::uint64_t>> elements(size);
        for (std::size_t i = 0; i < size; ++i)
          elements[i] = {i / run, i};
        const std::size_t kept = dropRepeated(std::span(elements), same);
        ASSERT_EQ(kept, (size + run - 1) / run);
        for (std::size_t i = 0; i < kept; ++i)
          if (elements[i].key != i || elements[i].index != i * run)
            FAIL() << size << " elements, runs of " << run << ", at " << i;
      }
  }
}

} // namespace
