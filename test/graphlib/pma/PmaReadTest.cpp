//===- PmaReadTest.cpp - Searches and scans of sets -----------------------===//

#include "../support/Threads.h"
#include "PmaInstances.h"

#include <atomic>
#include <memory>
#include <type_traits>

namespace {

using namespace heddle::graph;
using namespace heddle::test;

static_assert(std::forward_iterator<Cpma<std::uint64_t>::Iterator>);
static_assert(std::is_nothrow_move_constructible_v<Cpma<std::uint32_t>>);
static_assert(std::is_nothrow_move_assignable_v<Pma<std::uint64_t>>);

template <typename Set> class PmaReadTest : public ::testing::Test {
protected:
  using Key = typename Set::Key;
  static constexpr Key Highest = std::numeric_limits<Key>::max();

  Modelled<Set> filled(std::size_t count, int bits) {
    Modelled<Set> both;
    KeySource<Key> source(count);
    both.insertAll(source.many(count, [&] { return source.uniform(bits); }));
    return both;
  }
};
TYPED_TEST_SUITE(PmaReadTest, AllSets);

TYPED_TEST(PmaReadTest, SearchesForManyKeysFindWhatIsThere) {
  using Key = typename TypeParam::Key;
  for (const int threads : ThreadCounts) {
    ThreadCount scope(threads);
    for (const int bits : {14, KeySource<Key>::Bits}) {
      const auto both = this->filled(9000, bits);
      KeySource<Key> source(1);
      std::vector<Key> keys =
          source.many(5000, [&] { return source.uniform(bits); });
      keys.insert(keys.end(), both.model.begin(), both.model.end());
      keys.insert(keys.end(), {0, this->Highest});
      std::shuffle(keys.begin(), keys.end(), std::mt19937_64(1));
      const auto found = std::make_unique<bool[]>(keys.size());
      std::size_t expected = 0;
      for (const Key key : keys)
        expected += both.model.contains(key);
      EXPECT_EQ(both.set.contains(keys, std::span(found.get(), keys.size())),
                expected);
      for (std::size_t i = 0; i < keys.size(); ++i)
        ASSERT_EQ(found[i], both.model.contains(keys[i])) << keys[i];
    }
  }
}

TYPED_TEST(PmaReadTest, SearchesForManyKeysInAnEmptySetFindNone) {
  const TypeParam set;
  const std::vector<typename TypeParam::Key> keys = {0, 5};
  bool found[] = {true, true};
  EXPECT_EQ(set.contains(keys, found), 0u);
  EXPECT_FALSE(found[0] || found[1]);
}

TYPED_TEST(PmaReadTest, BoundsAreThoseOfTheModel) {
  using Key = typename TypeParam::Key;
  for (const int bits : {10, 14, KeySource<Key>::Bits}) {
    const auto both = this->filled(2000, bits);
    KeySource<Key> source(2);
    for (int i = 0; i < 300; ++i)
      ASSERT_NO_FATAL_FAILURE(both.compareAt(source.uniform(bits)));
    for (const Key key : {Key(0), Key(1), this->Highest})
      ASSERT_NO_FATAL_FAILURE(both.compareAt(key));
    for (const Key key : both.model)
      ASSERT_NO_FATAL_FAILURE(both.compareAt(key));
  }
}

TYPED_TEST(PmaReadTest, RangesEndBeforeTheirLastKey) {
  using Key = typename TypeParam::Key;
  auto both = this->filled(3000, KeySource<Key>::Bits);
  both.insertAll({0, this->Highest});
  KeySource<Key> source(3);
  for (int i = 0; i < 200; ++i) {
    Key first = source.anyLength(), last = source.uniform();
    if (i == 0)
      first = 0, last = this->Highest;
    if (i == 1)
      first = last = this->Highest;
    std::vector<Key> found, expected;
    both.set.rangeMap(first, last, [&](Key key) { found.push_back(key); });
    for (const Key key : both.model)
      if (key >= first && key < last)
        expected.push_back(key);
    ASSERT_EQ(found, expected);
  }
}

TYPED_TEST(PmaReadTest, RangesWithoutALastKeyEndWithTheHighest) {
  using Key = typename TypeParam::Key;
  auto both = this->filled(500, KeySource<Key>::Bits);
  both.insertAll({0, this->Highest});
  for (const Key first : {Key(0), Key(1), Key(this->Highest / 3),
                          Key(this->Highest - 1), this->Highest}) {
    std::vector<Key> found;
    both.set.rangeMap(first, [&](Key key) { found.push_back(key); });
    EXPECT_EQ(found, std::vector<Key>(both.model.lower_bound(first),
                                      both.model.end()));
  }
}

TYPED_TEST(PmaReadTest, MapsVisitEachKeyOnce) {
  using Key = typename TypeParam::Key;
  const auto both = this->filled(20000, KeySource<Key>::Bits);
  std::vector<Key> found;
  both.set.map([&](Key key) { found.push_back(key); });
  EXPECT_TRUE(std::equal(found.begin(), found.end(), both.model.begin(),
                         both.model.end()));
  std::uint64_t expected = 0;
  for (const Key key : both.model)
    expected += key;
  for (const int threads : ThreadCounts) {
    ThreadCount scope(threads);
    std::atomic<std::uint64_t> sum = 0, count = 0;
    both.set.parallelMap([&](Key key) { sum += key, ++count; });
    EXPECT_EQ(sum, expected);
    EXPECT_EQ(count, both.model.size());
  }
}

TYPED_TEST(PmaReadTest, CopiesAndMovesAreIndependent) {
  using Key = typename TypeParam::Key;
  auto both = this->filled(3000, 20);
  TypeParam copy = both.set;
  EXPECT_TRUE(copy == both.set);
  copy.insert(Key(1) << 21);
  EXPECT_FALSE(copy == both.set);
  copy = both.set;
  EXPECT_TRUE(copy == both.set);
  TypeParam &itself = copy;
  copy = itself;
  EXPECT_TRUE(copy == both.set);
  both.compare();

  TypeParam moved = std::move(copy);
  EXPECT_TRUE(copy.empty());
  EXPECT_EQ(copy.check(), "");
  EXPECT_TRUE(copy.insert(5));
  EXPECT_TRUE(moved == both.set);
  using std::swap;
  swap(copy, moved);
  EXPECT_EQ(moved.size(), 1u);
  EXPECT_TRUE(copy == both.set);
  EXPECT_EQ(copy.check(), "");
}

TYPED_TEST(PmaReadTest, SetsAreEqualThatHaveTheSameKeys) {
  using Key = typename TypeParam::Key;
  const auto both = this->filled(2000, KeySource<Key>::Bits);
  TypeParam other(PmaOptions{.growingFactor = 2});
  for (const Key key : both.model)
    other.insert(key);
  EXPECT_TRUE(other == both.set);
  other.erase(*both.model.begin());
  EXPECT_FALSE(other == both.set);
  EXPECT_TRUE(TypeParam() == TypeParam());
}

TYPED_TEST(PmaReadTest, SetsAreBuiltFromKeysInAnyOrder) {
  using Key = typename TypeParam::Key;
  KeySource<Key> source(4);
  for (const std::size_t size : {0, 1, 2, 100, 30000}) {
    std::vector<Key> keys = source.many(size, [&] { return source.uniform(); });
    const std::set<Key> model(keys.begin(), keys.end());
    const TypeParam unsorted{std::span<const Key>(keys)};
    std::sort(keys.begin(), keys.end());
    const TypeParam sorted{std::span<const Key>(keys)};
    keys.insert(keys.end(), keys.begin(), keys.end());
    const TypeParam repeated{std::span<const Key>(keys)};
    for (const TypeParam *set : {&unsorted, &sorted, &repeated}) {
      EXPECT_EQ(set->check(), "");
      EXPECT_TRUE(
          std::equal(set->begin(), set->end(), model.begin(), model.end()));
    }
  }
}

TYPED_TEST(PmaReadTest, GrowingFactorsOutOfRangeAreRefused) {
  for (const double factor :
       {0.0, 1.0, 1.04, 4.1, -2.0, std::numeric_limits<double>::quiet_NaN(),
        std::numeric_limits<double>::infinity()})
    EXPECT_THROW(TypeParam(PmaOptions{.growingFactor = factor}), Error);
  try {
    TypeParam set(PmaOptions{.growingFactor = 1});
    FAIL();
  } catch (const Error &error) {
    EXPECT_STREQ(error.what(), "growing factor 1.000000: expected 1.05 to 4");
  }
}

TYPED_TEST(PmaReadTest, GrowingFactorsOfAllSizesWork) {
  using Key = typename TypeParam::Key;
  for (const double factor : {1.05, 1.5, 2.0, 4.0}) {
    KeySource<Key> source(5);
    Modelled<TypeParam> both(PmaOptions{.growingFactor = factor});
    for (int step = 0; step < 3000; ++step)
      both.insert(source.anyLength());
    ASSERT_NO_FATAL_FAILURE(both.compare());
    for (int round = 0; round < 20; ++round) {
      both.insertAll(source.many(200, [&] { return source.uniform(); }));
      ASSERT_NO_FATAL_FAILURE(both.compare());
    }
    while (!both.model.empty()) {
      std::vector<Key> batch;
      for (const Key key : both.model)
        if (source.below(3) == 0)
          batch.push_back(key);
      both.eraseAll(batch);
      ASSERT_NO_FATAL_FAILURE(both.compare());
    }
  }
}

} // namespace
