//===- PmaFaultsTest.cpp - Where other sets of this kind fail -------------===//
//
// Faults of published packed memory arrays, each with the smallest input that
// shows it.
//
//===----------------------------------------------------------------------===//

#include "PmaInstances.h"

namespace {

using namespace heddle::graph;
using namespace heddle::test;

template <typename Set> class PmaFaultsTest : public ::testing::Test {};
using WideSets =
    UsualOrSmallest<::testing::Types<Cpma<std::uint64_t>, Pma<std::uint64_t>>,
                    ::testing::Types<Cpma<std::uint64_t, void, 64>>>;
TYPED_TEST_SUITE(PmaFaultsTest, WideSets);

constexpr std::uint64_t Highest = std::numeric_limits<std::uint64_t>::max();

TYPED_TEST(PmaFaultsTest, KeyZeroIsCountedOnce) {
  TypeParam set;
  EXPECT_TRUE(set.insert(0));
  EXPECT_EQ(set.size(), 1u);
  EXPECT_TRUE(set.insert(5));
  EXPECT_EQ(set.size(), 2u);
  EXPECT_EQ(set.insert(std::vector<std::uint64_t>{0, 0, 5}), 0u);
  EXPECT_EQ(set.size(), 2u);
  EXPECT_TRUE(set.erase(0));
  EXPECT_EQ(set.size(), 1u);
}

TYPED_TEST(PmaFaultsTest, KeyZeroIsVisitedByRanges) {
  Modelled<TypeParam> both;
  both.insertAll({0, 1, 2, 3, std::uint64_t(1) << 32});
  std::vector<std::uint64_t> found;
  both.set.rangeMap(0, std::uint64_t(1) << 32,
                    [&](std::uint64_t key) { found.push_back(key); });
  EXPECT_EQ(found, (std::vector<std::uint64_t>{0, 1, 2, 3}));
}

TYPED_TEST(PmaFaultsTest, TheHighestKeyArrivesInABatch) {
  KeySource<std::uint64_t> source(1);
  for (const std::size_t others : {0, 5, 500, 50000}) {
    Modelled<TypeParam> both;
    both.insertAll(source.many(others, [&] { return source.uniform(); }));
    both.insertAll({Highest, 3, Highest});
    EXPECT_TRUE(both.set.contains(Highest));
    ASSERT_NO_FATAL_FAILURE(both.compare());
    both.eraseAll({Highest, Highest - 1});
    EXPECT_FALSE(both.set.contains(Highest));
    ASSERT_NO_FATAL_FAILURE(both.compare());
  }
}

TYPED_TEST(PmaFaultsTest, KeysThatAreThereAlreadyChangeNothing) {
  // Wide gaps have codes of nine and ten bytes; sets of all sizes have leaves
  // of all fills.
  for (std::size_t size = 1; size < 600; size += 7) {
    KeySource<std::uint64_t> source(size);
    Modelled<TypeParam> both;
    for (std::size_t i = 0; i < size; ++i)
      both.insert(source.uniform());
    const std::vector<std::uint64_t> all(both.model.begin(), both.model.end());
    const TypeParam before = both.set;
    both.insertAll(all);
    EXPECT_TRUE(both.set == before);
    for (std::size_t i = 0; i + 2 < size; i += 2)
      both.insertAll({all[i], all[i + 1]});
    ASSERT_NO_FATAL_FAILURE(both.compare());
  }
}

TYPED_TEST(PmaFaultsTest, ABatchWithFewNewKeysAmongOldOnesLosesNone) {
  KeySource<std::uint64_t> source(2);
  Modelled<TypeParam> both;
  both.insertAll(source.many(5000, [&] { return source.uniform(); }));
  for (int round = 0; round < 40; ++round) {
    std::vector<std::uint64_t> batch;
    for (const std::uint64_t key : both.model)
      if (source.below(16) == 0)
        batch.push_back(key);
    batch.push_back(source.uniform());
    std::shuffle(batch.begin(), batch.end(), std::mt19937_64(1));
    both.insertAll(batch);
    ASSERT_NO_FATAL_FAILURE(both.compare());
  }
}

TYPED_TEST(PmaFaultsTest, ABatchMayBeConstantAndIsNotSorted) {
  static constexpr std::uint64_t batch[] = {9, 2, Highest, 0, 9, 4};
  TypeParam set;
  EXPECT_EQ(set.insert(batch), 5u);
  EXPECT_EQ(set.insert(batch), 0u);
  EXPECT_EQ(set.erase(batch), 5u);
}

TYPED_TEST(PmaFaultsTest, DenseRunsBesideWideGapsStayApart) {
  Modelled<TypeParam> both;
  for (int run = 0; run < 10; ++run) {
    std::vector<std::uint64_t> batch;
    for (std::uint64_t i = 0; i < 300; ++i)
      batch.push_back((std::uint64_t(run) << 60) + i * i);
    both.insertAll(batch);
    ASSERT_NO_FATAL_FAILURE(both.compare());
  }
  for (int run = 0; run < 10; ++run) {
    std::vector<std::uint64_t> batch;
    for (std::uint64_t i = 1; i < 299; ++i)
      batch.push_back((std::uint64_t(run) << 60) + i * i);
    both.eraseAll(batch);
    ASSERT_NO_FATAL_FAILURE(both.compare());
  }
}

TYPED_TEST(PmaFaultsTest, SmallBatchesAreNeitherDroppedNorTreatedApart) {
  Modelled<TypeParam> points, batches;
  KeySource<std::uint64_t> source(3);
  for (int step = 0; step < 600; ++step) {
    const auto batch =
        source.many(step % 7, [&] { return source.uniform(12); });
    for (const std::uint64_t key : batch)
      points.insert(key);
    batches.insertAll(batch);
  }
  points.compare();
  batches.compare();
  EXPECT_TRUE(points.set == batches.set);
}

} // namespace
