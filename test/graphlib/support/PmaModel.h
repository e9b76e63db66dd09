//===- PmaModel.h - Packed memory arrays and std::set -----------*- C++ -*-===//
//
// Every operation is applied to a set and to its model; the results are
// compared, then all keys, and check() is called.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TEST_GRAPHLIB_SUPPORT_PMAMODEL_H
#define HEDDLE_TEST_GRAPHLIB_SUPPORT_PMAMODEL_H

#include "Kinds.h"
#include "heddle/graph/Cpma.h"
#include "heddle/graph/Pma.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <set>
#include <span>
#include <vector>

namespace heddle::test {

/// A set, and its expected contents.
template <typename Set> class Modelled {
public:
  using Key = typename Set::Key;

  Modelled() = default;
  explicit Modelled(const graph::PmaOptions &options) : set(options) {}

  void insert(Key key) { EXPECT_EQ(set.insert(key), model.insert(key).second); }
  void erase(Key key) { EXPECT_EQ(set.erase(key), model.erase(key) > 0); }

  /// Insert and erase batches, which must stay as they are.
  void insertAll(const std::vector<Key> &batch) {
    const std::vector<Key> before = batch;
    std::size_t expected = 0;
    for (const Key key : batch)
      expected += model.insert(key).second;
    EXPECT_EQ(set.insert(std::span<const Key>(batch)), expected);
    EXPECT_EQ(batch, before);
  }
  void eraseAll(const std::vector<Key> &batch) {
    const std::vector<Key> before = batch;
    std::size_t expected = 0;
    for (const Key key : batch)
      expected += model.erase(key);
    EXPECT_EQ(set.erase(std::span<const Key>(batch)), expected);
    EXPECT_EQ(batch, before);
  }

  /// Compares everything.
  void compare() const {
    ASSERT_EQ(set.check(), "");
    ASSERT_EQ(set.size(), model.size());
    ASSERT_EQ(set.empty(), model.empty());
    ASSERT_TRUE(std::equal(set.begin(), set.end(), model.begin(), model.end()));
    if (!model.empty()) {
      ASSERT_EQ(set.min(), *model.begin());
      ASSERT_EQ(set.max(), *model.rbegin());
    }
  }

  /// Compares searches for a key and its neighbours.
  void compareAt(Key key) const {
    for (const Key near : {Key(key - 1), key, Key(key + 1)}) {
      ASSERT_EQ(set.contains(near), model.contains(near)) << near;
      compareFrom(set.lowerBound(near), model.lower_bound(near));
      compareFrom(set.upperBound(near), model.upper_bound(near));
    }
  }

  Set set;
  std::set<Key> model;

private:
  void compareFrom(typename Set::Iterator found,
                   typename std::set<Key>::const_iterator expected) const {
    ASSERT_EQ(found == set.end(), expected == model.end());
    if (expected != model.end())
      ASSERT_EQ(*found, *expected);
  }
};

/// Random keys of some distributions.
template <typename Key> class KeySource {
public:
  static constexpr int Bits = std::numeric_limits<Key>::digits;

  explicit KeySource(std::uint64_t seed) : random(seed) {}

  std::size_t below(std::size_t bound) { return random() % bound; }

  /// Returns a uniformly distributed key of `bits` bits.
  Key uniform(int bits = Bits) {
    return static_cast<Key>(static_cast<Key>(random()) >> (Bits - bits));
  }

  /// Half of all below 2, a quarter of all below 4 and so on, and each length
  /// of code alike.
  Key anyLength() { return uniform(1 + static_cast<int>(below(Bits))); }

  /// Returns one of 2^20 keys that are scattered over all; few of them are
  /// frequent.
  Key zipfian() {
    const double draw = std::uniform_real_distribution<double>(0, 20)(random);
    return static_cast<Key>(static_cast<std::uint64_t>(std::exp2(draw)) *
                            0x9e3779b97f4a7c15u);
  }

  template <typename Draw> std::vector<Key> many(std::size_t count, Draw draw) {
    std::vector<Key> keys(count);
    for (Key &key : keys)
      key = draw();
    return keys;
  }

private:
  std::mt19937_64 random;
};

/// Sets of both kinds and widths, in leaves of usual size and in the smallest.
using AllSets = UsualOrSmallest<
    ::testing::Types<graph::Cpma<std::uint64_t>, graph::Pma<std::uint32_t>>,
    ::testing::Types<graph::Cpma<std::uint32_t, void, 32>,
                     graph::Pma<std::uint64_t, 64>>>;

} // namespace heddle::test

#endif
