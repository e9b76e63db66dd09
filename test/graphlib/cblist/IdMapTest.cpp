//===- IdMapTest.cpp - External and logical ids ---------------------------===//

#include "heddle/graph/IdMap.h"
#include "../support/Threads.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <map>
#include <random>
#include <vector>

namespace {

using namespace heddle::graph;
using namespace heddle::test;

template <typename Map> class IdMapTyped : public testing::Test {};
using Maps = testing::Types<IdMap<>, IdMap<std::uint64_t, std::uint64_t>,
                            IdMap<std::uint32_t>, IdMap<std::uint8_t>>;
TYPED_TEST_SUITE(IdMapTyped, Maps);

TYPED_TEST(IdMapTyped, IdsAreNumberedInTheOrderInWhichTheyCome) {
  using External = typename TypeParam::External;
  using VertexId = typename TypeParam::VertexId;
  for (const unsigned bits : {3u, 8u, 14u, 64u}) {
    std::mt19937_64 random(bits);
    TypeParam ids;
    std::map<External, VertexId> model;
    for (int i = 0; i < 5000; ++i) {
      const auto id = static_cast<External>(random() >> (64 - bits));
      ASSERT_EQ(ids.find(id),
                model.contains(id) ? model[id] : NoVertex<VertexId>);
      const auto [expected, isNew] =
          model.emplace(id, static_cast<VertexId>(model.size()));
      ASSERT_EQ(ids.insert(id), std::pair(expected->second, isNew));
      ASSERT_EQ(ids.size(), model.size());
    }
    std::vector<External> all;
    for (const auto &[id, vertex] : model) {
      EXPECT_EQ(ids.external(vertex), id);
      EXPECT_EQ(ids.find(id), vertex);
      all.push_back(id);
      all.push_back(static_cast<External>(id + 1));
    }
    for (const int threads : {1, 3}) {
      ThreadCount scope(threads);
      std::vector<VertexId> found(all.size());
      ids.find(all, found);
      for (std::size_t i = 0; i < all.size(); ++i)
        ASSERT_EQ(found[i], ids.find(all[i]));
    }
  }
}

TYPED_TEST(IdMapTyped, AllValuesMayBeIds) {
  using External = typename TypeParam::External;
  using VertexId = typename TypeParam::VertexId;
  constexpr External Highest = std::numeric_limits<External>::max();
  TypeParam ids;
  EXPECT_EQ(ids.find(0), NoVertex<VertexId>);
  EXPECT_EQ(ids.insert(Highest).first, 0u);
  EXPECT_EQ(ids.find(0), NoVertex<VertexId>);
  EXPECT_EQ(ids.insert(0).first, 1u);
  EXPECT_EQ(ids.find(Highest), 0u);
  EXPECT_EQ(ids.find(0), 1u);
}

TEST(IdMap, AnEmptyMapFindsNothing) {
  const IdMap<> ids;
  const std::uint64_t some[] = {0, 1, 2};
  std::uint32_t found[3];
  ids.find(some, found);
  for (const std::uint32_t vertex : found)
    EXPECT_EQ(vertex, NoVertex<std::uint32_t>);
  EXPECT_THROW(ids.find(some, std::span(found, 2)), Error);
}

TEST(IdMap, AMovedMapIsTheSameAndLeavesNone) {
  IdMap<> ids;
  ids.insert(7);
  const IdMap<> moved = std::move(ids);
  EXPECT_EQ(moved.find(7), 0u);
  EXPECT_EQ(ids.size(), 0u);
  EXPECT_EQ(ids.find(7), NoVertex<std::uint32_t>);
  EXPECT_TRUE(ids.insert(9).second);
}

} // namespace
