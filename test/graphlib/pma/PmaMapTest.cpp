//===- PmaMapTest.cpp - Maps against their model --------------------------===//

#include "../support/PmaModel.h"
#include "../support/Threads.h"

#include <map>
#include <memory>
#include <mutex>
#include <optional>

namespace {

using namespace heddle::graph;
using namespace heddle::test;

/// A value that is neither a number nor of a round size.
struct Odd {
  std::uint8_t bytes[3];

  explicit operator std::uint32_t() const {
    return bytes[0] | bytes[1] << 8 | bytes[2] << 16;
  }
  bool operator==(const Odd &) const = default;
};

template <typename Value> Value valueOf(std::uint64_t number) {
  if constexpr (std::is_same_v<Value, Odd>)
    return {{std::uint8_t(number), std::uint8_t(number >> 8),
             std::uint8_t(number >> 16)}};
  else
    return static_cast<Value>(number % 100000);
}

template <typename Map> class PmaMapTest : public ::testing::Test {
protected:
  using Key = typename Map::Key;
  using Value = typename Map::Value;
  using Entry = typename Map::Entry;

  void compare() {
    ASSERT_EQ(map.check(), "");
    ASSERT_EQ(map.size(), model.size());
    auto expected = model.begin();
    for (const Entry entry : map) {
      ASSERT_EQ(entry.key, expected->first);
      ASSERT_TRUE(entry.value == expected->second) << entry.key;
      ++expected;
    }
  }

  void insertAll(std::size_t count, int bits) {
    std::vector<Entry> batch(count);
    std::size_t expected = 0;
    for (Entry &entry : batch) {
      entry = {source.uniform(bits), valueOf<Value>(next++)};
      expected += model.emplace(entry.key, entry.value).second;
    }
    EXPECT_EQ(map.insert(batch), expected);
  }

  void assignAll(std::size_t count, int bits) {
    std::vector<Entry> batch(count);
    std::size_t expected = 0;
    for (Entry &entry : batch) {
      entry = {source.uniform(bits), valueOf<Value>(next++)};
      expected += model.insert_or_assign(entry.key, entry.value).second;
    }
    const std::vector<Entry> before = batch;
    EXPECT_EQ(map.insertOrAssign(batch), expected);
    EXPECT_TRUE(batch == before);
  }

  void eraseAll(std::size_t count, int bits) {
    const std::vector<Key> batch =
        source.many(count, [&] { return source.uniform(bits); });
    std::size_t expected = 0;
    for (const Key key : batch)
      expected += model.erase(key);
    EXPECT_EQ(map.erase(batch), expected);
  }

  Map map;
  std::map<Key, Value> model;
  KeySource<Key> source{1};
  std::uint64_t next = 0;
};
using AllMaps =
    UsualOrSmallest<::testing::Types<Cpma<std::uint64_t, float>>,
                    ::testing::Types<Cpma<std::uint32_t, std::uint64_t, 128>,
                                     Cpma<std::uint64_t, Odd, 128>>>;
TYPED_TEST_SUITE(PmaMapTest, AllMaps);

TYPED_TEST(PmaMapTest, PointUpdatesFollowTheModel) {
  using Value = typename TestFixture::Value;
  for (int step = 0; step < 8000; ++step) {
    const auto key = this->source.uniform(11);
    const auto value = valueOf<Value>(step);
    switch (this->source.below(4)) {
    case 0:
      EXPECT_EQ(this->map.erase(key), this->model.erase(key) > 0);
      break;
    case 1:
      EXPECT_EQ(this->map.insertOrAssign(key, value),
                this->model.insert_or_assign(key, value).second);
      break;
    default:
      EXPECT_EQ(this->map.insert(key, value),
                this->model.emplace(key, value).second);
    }
    const auto found = this->map.find(key);
    const auto expected = this->model.find(key);
    ASSERT_EQ(found.has_value(), expected != this->model.end());
    if (found)
      ASSERT_TRUE(*found == expected->second);
    if (step % 100 == 0)
      ASSERT_NO_FATAL_FAILURE(this->compare());
  }
}

TYPED_TEST(PmaMapTest, BatchesFollowTheModel) {
  for (const int threads : {1, 3}) {
    ThreadCount scope(threads);
    this->insertAll(20000, 24);
    ASSERT_NO_FATAL_FAILURE(this->compare());
    for (int round = 0; round < 15; ++round) {
      this->insertAll(this->source.below(3000), round % 2 ? 24 : 14);
      ASSERT_NO_FATAL_FAILURE(this->compare());
      this->assignAll(this->source.below(3000), round % 3 ? 24 : 12);
      ASSERT_NO_FATAL_FAILURE(this->compare());
      this->eraseAll(this->source.below(6000), round % 3 ? 24 : 13);
      ASSERT_NO_FATAL_FAILURE(this->compare());
    }
    this->map.clear();
    this->model.clear();
  }
}

TYPED_TEST(PmaMapTest, TheFirstOfEqualKeysInABatchCounts) {
  using Value = typename TestFixture::Value;
  const typename TestFixture::Entry batch[] = {
      {7, valueOf<Value>(1)}, {3, valueOf<Value>(2)}, {7, valueOf<Value>(3)}};
  EXPECT_EQ(this->map.insert(batch), 2u);
  EXPECT_TRUE(*this->map.find(7) == valueOf<Value>(1));
  EXPECT_EQ(this->map.insert(batch), 0u);
  EXPECT_FALSE(this->map.find(4).has_value());
}

TYPED_TEST(PmaMapTest, TheLastOfEqualKeysThatAreAssignedCounts) {
  using Value = typename TestFixture::Value;
  const typename TestFixture::Entry batch[] = {
      {7, valueOf<Value>(1)}, {3, valueOf<Value>(2)}, {7, valueOf<Value>(3)}};
  EXPECT_EQ(this->map.insertOrAssign(batch), 2u);
  EXPECT_TRUE(*this->map.find(7) == valueOf<Value>(3));
  EXPECT_TRUE(*this->map.find(3) == valueOf<Value>(2));
  const typename TestFixture::Entry ascending[] = {{3, valueOf<Value>(4)},
                                                   {5, valueOf<Value>(5)}};
  EXPECT_EQ(this->map.insertOrAssign(ascending), 1u);
  EXPECT_TRUE(*this->map.find(3) == valueOf<Value>(4));
  EXPECT_EQ(this->map.insertOrAssign({}), 0u);
  EXPECT_EQ(this->map.size(), 3u);
}

TYPED_TEST(PmaMapTest, SearchesForManyKeysFindTheirValues) {
  using Key = typename TestFixture::Key;
  using Value = typename TestFixture::Value;
  std::vector<Key> keys = {0, 1, std::numeric_limits<Key>::max()};
  std::vector<std::optional<Value>> values(keys.size(), Value{});
  EXPECT_EQ(this->map.find(keys, values), 0u);
  EXPECT_FALSE(values[1].has_value());

  this->insertAll(9000, 14);
  for (const int threads : ThreadCounts) {
    ThreadCount scope(threads);
    for (const std::size_t count : {10, 5000}) {
      keys = this->source.many(count, [&] { return this->source.uniform(14); });
      values.resize(count);
      std::size_t expected = 0;
      for (const Key key : keys)
        expected += this->model.contains(key);
      EXPECT_EQ(this->map.find(keys, values), expected);
      const auto found = std::make_unique<bool[]>(count);
      EXPECT_EQ(this->map.contains(keys, {found.get(), count}), expected);
      for (std::size_t i = 0; i < count; ++i) {
        const auto at = this->model.find(keys[i]);
        ASSERT_EQ(found[i], at != this->model.end());
        ASSERT_EQ(values[i].has_value(), at != this->model.end());
        if (values[i])
          ASSERT_TRUE(*values[i] == at->second);
      }
    }
  }
}

TYPED_TEST(PmaMapTest, AllEntriesAreVisitedOnce) {
  using Key = typename TestFixture::Key;
  using Value = typename TestFixture::Value;
  for (const std::size_t count : {0, 10, 20000})
    for (const int threads : ThreadCounts) {
      ThreadCount scope(threads);
      this->insertAll(count, 24);
      std::mutex mutex;
      std::map<Key, Value> visited;
      this->map.parallelMap([&](Key key, Value value) {
        std::lock_guard lock(mutex);
        EXPECT_TRUE(visited.emplace(key, value).second);
      });
      EXPECT_TRUE(visited == this->model);
      visited.clear();
      this->map.map([&](Key key, Value value) { visited.emplace(key, value); });
      EXPECT_TRUE(visited == this->model);
    }
}

TYPED_TEST(PmaMapTest, RangesHaveTheValuesOfTheirKeys) {
  this->insertAll(5000, 16);
  std::size_t visited = 0;
  auto expected = this->model.lower_bound(1000);
  this->map.rangeMap(1000, 30000, [&](auto key, auto value) {
    EXPECT_EQ(key, expected->first);
    EXPECT_TRUE(value == expected->second);
    ++expected, ++visited;
  });
  EXPECT_TRUE(expected == this->model.lower_bound(30000));
  EXPECT_GT(visited, 0u);
  auto copy = this->map;
  EXPECT_TRUE(copy == this->map);
}

} // namespace
