//===- PmaTest.cpp - Sets against their model -----------------------------===//

#include "../support/Threads.h"
#include "PmaInstances.h"

namespace {

using namespace heddle::graph;
using namespace heddle::test;

template <typename Set> class PmaTest : public ::testing::Test {
protected:
  using Key = typename Set::Key;
  static constexpr Key Highest = std::numeric_limits<Key>::max();
};
TYPED_TEST_SUITE(PmaTest, AllSets);

TYPED_TEST(PmaTest, NothingIsInAnEmptySet) {
  TypeParam set;
  EXPECT_TRUE(set.empty());
  EXPECT_FALSE(set.contains(0));
  EXPECT_FALSE(set.contains(this->Highest));
  EXPECT_FALSE(set.erase(0));
  EXPECT_EQ(set.erase(std::vector<typename TypeParam::Key>{0, 1}), 0u);
  EXPECT_EQ(set.insert(std::vector<typename TypeParam::Key>{}), 0u);
  EXPECT_TRUE(set.begin() == set.end());
  EXPECT_TRUE(set.lowerBound(0) == set.end());
  set.map([](auto) { FAIL(); });
  set.rangeMap(0, [](auto) { FAIL(); });
  EXPECT_EQ(set.check(), "");
}

TYPED_TEST(PmaTest, EveryNumberMayBeAKey) {
  using Key = typename TypeParam::Key;
  std::vector<Key> keys = {0, 1, this->Highest, Key(this->Highest - 1)};
  for (int bit = 1; bit < std::numeric_limits<Key>::digits; ++bit)
    for (const int around : {-1, 0, 1})
      keys.push_back((Key(1) << bit) + static_cast<Key>(around));
  Modelled<TypeParam> points, batch;
  for (const Key key : keys)
    points.insert(key);
  points.compare();
  batch.insertAll(keys);
  batch.compare();
  for (const Key key : keys) {
    points.compareAt(key);
    batch.compareAt(key);
  }
  EXPECT_TRUE(points.set == batch.set);
  for (const Key key : keys)
    points.erase(key);
  points.compare();
  batch.eraseAll(keys);
  batch.compare();
}

TYPED_TEST(PmaTest, PointUpdatesFollowTheModel) {
  using Key = typename TypeParam::Key;
  for (const int bits : {6, 12, KeySource<Key>::Bits}) {
    KeySource<Key> source(bits);
    Modelled<TypeParam> both;
    for (int step = 0; step < 6000; ++step) {
      // Grows at first, and shrinks in the end.
      const bool inserts = source.below(6000) >= std::size_t(step);
      const Key key = bits == KeySource<Key>::Bits ? source.anyLength()
                                                   : source.uniform(bits);
      const auto existing = both.model.lower_bound(key);
      if (inserts)
        both.insert(key);
      else
        both.erase(existing == both.model.end() ? key : *existing);
      if (step % 100 == 0)
        ASSERT_NO_FATAL_FAILURE(both.compare());
      if (step % 10 == 0)
        ASSERT_NO_FATAL_FAILURE(both.compareAt(key));
    }
    both.compare();
  }
}

/// Batches of keys drawn by `draw`, half of them inserted and half erased.
template <typename Set, typename Draw>
void batchesFollowTheModel(KeySource<typename Set::Key> &source, Draw draw) {
  using Key = typename Set::Key;
  Modelled<Set> both;
  for (int step = 0; step < 120; ++step) {
    const std::size_t most = std::size_t(1) << source.below(12);
    std::vector<Key> batch = source.many(source.below(most + 1), draw);
    if (step % 3 < 2)
      both.insertAll(batch);
    else {
      // Half of the erased keys exist.
      for (std::size_t i = 0; i < batch.size(); i += 2) {
        const auto existing = both.model.lower_bound(batch[i]);
        if (existing != both.model.end())
          batch[i] = *existing;
      }
      both.eraseAll(batch);
    }
    ASSERT_NO_FATAL_FAILURE(both.compare());
  }
}

TYPED_TEST(PmaTest, UniformBatchesFollowTheModel) {
  KeySource<typename TypeParam::Key> source(1);
  batchesFollowTheModel<TypeParam>(source, [&] { return source.uniform(); });
}

TYPED_TEST(PmaTest, DuplicateHeavyBatchesFollowTheModel) {
  KeySource<typename TypeParam::Key> source(2);
  batchesFollowTheModel<TypeParam>(source, [&] { return source.uniform(9); });
}

TYPED_TEST(PmaTest, ZipfianBatchesFollowTheModel) {
  KeySource<typename TypeParam::Key> source(3);
  batchesFollowTheModel<TypeParam>(source, [&] { return source.zipfian(); });
}

TYPED_TEST(PmaTest, BatchesOfAllCodeLengthsFollowTheModel) {
  KeySource<typename TypeParam::Key> source(4);
  batchesFollowTheModel<TypeParam>(source, [&] { return source.anyLength(); });
}

TYPED_TEST(PmaTest, AscendingAndDescendingKeysFollowTheModel) {
  using Key = typename TypeParam::Key;
  for (const bool ascending : {true, false}) {
    const auto key = [&](Key i) {
      return ascending ? Key(i * 7) : Key(this->Highest - i * 7);
    };
    Modelled<TypeParam> both;
    for (Key i = 0; i < 3000; ++i)
      both.insert(key(i));
    ASSERT_NO_FATAL_FAILURE(both.compare());
    for (Key begin = 3000; begin < 9000; begin += 200) {
      std::vector<Key> batch;
      for (Key i = begin; i < begin + 200; ++i)
        batch.push_back(key(i));
      both.insertAll(batch);
      ASSERT_NO_FATAL_FAILURE(both.compare());
    }
    for (Key i = 0; i < 4000; ++i)
      both.erase(key(i));
    ASSERT_NO_FATAL_FAILURE(both.compare());
    for (Key begin = 4000; begin < 9000; begin += 200) {
      std::vector<Key> batch;
      for (Key i = begin; i < begin + 200; ++i)
        batch.push_back(key(i));
      both.eraseAll(batch);
      ASSERT_NO_FATAL_FAILURE(both.compare());
    }
    EXPECT_TRUE(both.set.empty());
  }
}

TYPED_TEST(PmaTest, HammeringOneLeafFollowsTheModel) {
  using Key = typename TypeParam::Key;
  KeySource<Key> source(5);
  Modelled<TypeParam> both;
  // Keys are far from each other, and all changes are at one position.
  both.insertAll(source.many(4000, [&] { return source.uniform(); }));
  const Key middle = Key(1) << (KeySource<Key>::Bits - 1);
  for (int round = 0; round < 20; ++round) {
    both.insertAll(
        source.many(300, [&] { return Key(middle + source.uniform(16)); }));
    ASSERT_NO_FATAL_FAILURE(both.compare());
    for (Key i = 0; i < 200; ++i)
      both.insert(Key(middle - 1000 * round - i));
    ASSERT_NO_FATAL_FAILURE(both.compare());
  }
  for (int round = 0; round < 20; ++round) {
    std::vector<Key> batch;
    for (auto at = both.model.lower_bound(middle);
         at != both.model.end() && batch.size() < 250; ++at)
      batch.push_back(*at);
    both.eraseAll(batch);
    ASSERT_NO_FATAL_FAILURE(both.compare());
  }
}

TYPED_TEST(PmaTest, UpdatesAtADensityBoundDoNotThrash) {
  using Key = typename TypeParam::Key;
  Modelled<TypeParam> both;
  std::size_t bytes = both.set.bytes(), changes = 0;
  // Grows until it has changed its size a few times, then shrinks and grows
  // across that size.
  Key next = 0;
  const auto noteSize = [&] {
    changes += both.set.bytes() != bytes;
    bytes = both.set.bytes();
  };
  while (changes < 12) {
    both.insert(next++);
    noteSize();
  }
  changes = 0;
  for (int round = 0; round < 50; ++round) {
    for (Key i = 1; i <= 20; ++i)
      both.erase(next - i), noteSize();
    for (Key i = 1; i <= 20; ++i)
      both.insert(next - i), noteSize();
  }
  EXPECT_LE(changes, 1u);
  both.compare();
}

TYPED_TEST(PmaTest, ASetMayBeErasedAndUsedAgain) {
  using Key = typename TypeParam::Key;
  KeySource<Key> source(6);
  Modelled<TypeParam> both;
  for (int round = 0; round < 3; ++round) {
    const auto keys = source.many(2000, [&] { return source.uniform(); });
    both.insertAll(keys);
    ASSERT_NO_FATAL_FAILURE(both.compare());
    if (round == 0)
      both.eraseAll(keys);
    else if (round == 1)
      for (const Key key : keys)
        both.erase(key);
    else
      both.set.clear(), both.model.clear();
    ASSERT_NO_FATAL_FAILURE(both.compare());
    EXPECT_EQ(both.set.bytes(), sizeof(TypeParam));
  }
}

TYPED_TEST(PmaTest, BatchesOfEverySizeFollowTheModel) {
  using Key = typename TypeParam::Key;
  KeySource<Key> source(7);
  const auto draw = [&] { return source.uniform(20); };
  Modelled<TypeParam> both;
  both.insertAll({7});
  ASSERT_NO_FATAL_FAILURE(both.compare());
  // Far more than there are.
  both.insertAll(source.many(20000, draw));
  ASSERT_NO_FATAL_FAILURE(both.compare());
  for (const std::size_t size : {0, 1, 2, 3, 7, 15, 16, 17, 33, 511, 513}) {
    both.insertAll(source.many(size, draw));
    ASSERT_NO_FATAL_FAILURE(both.compare());
    both.eraseAll(source.many(size, draw));
    ASSERT_NO_FATAL_FAILURE(both.compare());
  }
}

TYPED_TEST(PmaTest, ThreadsDoWhatOneDoes) {
  using Key = typename TypeParam::Key;
  for (const int threads : ThreadCounts) {
    ThreadCount scope(threads);
    KeySource<Key> source(8);
    Modelled<TypeParam> both;
    both.insertAll(source.many(60000, [&] { return source.uniform(24); }));
    ASSERT_NO_FATAL_FAILURE(both.compare());
    for (int round = 0; round < 3; ++round) {
      both.insertAll(source.many(5000, [&] { return source.uniform(24); }));
      ASSERT_NO_FATAL_FAILURE(both.compare());
      both.insertAll(source.many(5000, [&] { return source.uniform(16); }));
      ASSERT_NO_FATAL_FAILURE(both.compare());
      both.eraseAll(source.many(30000, [&] { return source.uniform(20); }));
      ASSERT_NO_FATAL_FAILURE(both.compare());
    }
    std::vector<Key> all(both.model.begin(), both.model.end());
    both.eraseAll(std::vector<Key>(all.begin() + 10, all.end()));
    ASSERT_NO_FATAL_FAILURE(both.compare());
  }
}

} // namespace
