//===- PmaFuzz.cpp - Bytes as operations on sets and maps -----------------===//
//
// Leaves are as small as they may be, so that a few keys fill many of them.
//
//===----------------------------------------------------------------------===//

#include "../graphlib/pma/PmaInstances.h"
#include "Fuzz.h"
#include "FuzzInput.h"

#include <map>
#include <memory>
#include <optional>

namespace {

using namespace heddle::graph;
using namespace heddle::test;

/// Calls `operation(0)` to `operation(operations - 1)` as the bytes say, and
/// `compare` once in a while.
template <typename Operation, typename Compare>
void run(FuzzInput &input, std::size_t operations, Operation operation,
         Compare compare) {
  for (std::size_t step = 1; !input.empty(); ++step) {
    operation(input.below(operations));
    if (step % 16 == 0)
      compare();
    if (::testing::Test::HasFailure())
      return;
  }
  compare();
}

template <typename Set> void fuzzSet(FuzzInput &input) {
  using Key = typename Set::Key;
  FuzzKeys<Key> keys(input);
  Modelled<Set> both(
      PmaOptions{.growingFactor = 1.05 + double(input.byte()) / 128});
  const auto searchAll = [&] {
    const std::vector<Key> batch = keys.batch();
    const auto found = std::make_unique<bool[]>(batch.size());
    std::size_t expected = 0;
    for (const Key key : batch)
      expected += both.model.contains(key);
    EXPECT_EQ(both.set.contains(batch, {found.get(), batch.size()}), expected);
    for (std::size_t i = 0; i < batch.size(); ++i)
      EXPECT_EQ(found[i], both.model.contains(batch[i]));
  };
  const auto visitRange = [&] {
    const Key first = keys.next(), last = keys.next();
    auto expected = both.model.lower_bound(first);
    both.set.rangeMap(first, last, [&](Key key) {
      ASSERT_NE(expected, both.model.end());
      EXPECT_EQ(key, *expected++);
    });
    if (first < last)
      EXPECT_EQ(expected, both.model.lower_bound(last));
  };
  const auto operation = [&](std::size_t which) {
    switch (which) {
    case 0:
      return both.insert(keys.next());
    case 1:
      return both.erase(keys.next());
    case 2:
    case 3:
      return both.insertAll(keys.batch());
    case 4:
      return both.eraseAll(keys.batch());
    case 5: { // what is there, but for each n-th
      const std::size_t n = input.below(6);
      std::vector<Key> batch;
      for (const Key key : both.model)
        if (n == 0 || (batch.size() + key) % (n + 1) > 0)
          batch.push_back(key);
      return input.below(2) ? both.insertAll(batch) : both.eraseAll(batch);
    }
    case 6:
      return both.compareAt(keys.next());
    case 7:
      return searchAll();
    case 8:
      return visitRange();
    case 9: {
      const Set copy = both.set;
      EXPECT_TRUE(copy == both.set);
      both.set = copy;
      return;
    }
    case 10:
      if (input.below(8) == 0) {
        both.set.clear();
        both.model.clear();
      }
    }
  };
  run(input, 11, operation, [&] { both.compare(); });
}

template <typename Map> void fuzzMap(FuzzInput &input) {
  using Key = typename Map::Key;
  using Value = typename Map::Value;
  using Entry = typename Map::Entry;
  FuzzKeys<Key> keys(input);
  Map map(PmaOptions{.growingFactor = 1.05 + double(input.byte()) / 128});
  std::map<Key, Value> model;
  Value fresh = 0;
  const auto entries = [&] {
    std::vector<Entry> batch;
    for (const Key key : keys.batch())
      batch.push_back({key, fresh++});
    return batch;
  };
  const auto findAll = [&] {
    const std::vector<Key> batch = keys.batch();
    std::vector<std::optional<Value>> values(batch.size());
    std::size_t expected = 0;
    for (const Key key : batch)
      expected += model.contains(key);
    EXPECT_EQ(map.find(batch, values), expected);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      EXPECT_EQ(values[i].has_value(), model.contains(batch[i]));
      EXPECT_EQ(values[i], map.find(batch[i]));
      if (values[i])
        EXPECT_EQ(*values[i], model[batch[i]]);
    }
  };
  const auto operation = [&](std::size_t which) {
    std::size_t expected = 0;
    switch (which) {
    case 0: {
      const Key key = keys.next();
      EXPECT_EQ(map.insert(key, ++fresh), model.emplace(key, fresh).second);
      return;
    }
    case 1: {
      const Key key = keys.next();
      EXPECT_EQ(map.insertOrAssign(key, ++fresh),
                model.insert_or_assign(key, fresh).second);
      return;
    }
    case 2: {
      const Key key = keys.next();
      EXPECT_EQ(map.erase(key), model.erase(key) > 0);
      return;
    }
    case 3: {
      const std::vector<Entry> batch = entries();
      for (const auto &[key, value] : batch)
        expected += model.emplace(key, value).second;
      EXPECT_EQ(map.insert(batch), expected);
      return;
    }
    case 4: {
      const std::vector<Entry> batch = entries();
      for (const auto &[key, value] : batch)
        expected += model.insert_or_assign(key, value).second;
      EXPECT_EQ(map.insertOrAssign(batch), expected);
      return;
    }
    case 5: {
      std::vector<Key> batch = keys.batch();
      if (input.below(4) == 0)
        for (const auto &[key, value] : model)
          if (value % 3 > 0)
            batch.push_back(key);
      for (const Key key : batch)
        expected += model.erase(key);
      EXPECT_EQ(map.erase(batch), expected);
      return;
    }
    case 6:
      findAll();
    }
  };
  run(input, 7, operation, [&] {
    ASSERT_EQ(map.check(), "");
    ASSERT_EQ(map.size(), model.size());
    for (auto expected = model.begin(); const Entry entry : map) {
      ASSERT_EQ(entry.key, expected->first);
      ASSERT_EQ(entry.value, expected++->second);
    }
  });
}

} // namespace

void heddle::test::fuzzPma(std::span<const std::uint8_t> bytes) {
  FuzzInput input(bytes);
  switch (input.below(6)) {
  case 0:
    return fuzzSet<Cpma<std::uint64_t, void, 64>>(input);
  case 1:
    return fuzzSet<Cpma<std::uint32_t, void, 32>>(input);
  case 2:
    return fuzzSet<Pma<std::uint64_t, 64>>(input);
  case 3:
    return fuzzSet<Cpma<std::uint64_t>>(input);
  case 4:
    return fuzzMap<Cpma<std::uint64_t, std::uint32_t, 96>>(input);
  case 5:
    return fuzzMap<Cpma<std::uint32_t, std::uint16_t, 64>>(input);
  }
}
