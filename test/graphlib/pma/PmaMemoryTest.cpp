//===- PmaMemoryTest.cpp - Memory of sets, and running out of it ----------===//
//
// The linker redirects all calls of heddle_remote_alloc and heddle_remote_free
// to this file.
//
//===----------------------------------------------------------------------===//

#include "PmaInstances.h"

#include <map>
#include <new>

namespace {

/// The allocated blocks, and the allocation that shall fail.
struct Memory {
  std::map<void *, std::size_t> blocks;
  std::size_t live = 0, peak = 0;
  std::size_t callsLeft = std::numeric_limits<std::size_t>::max();
} memory;

} // namespace

extern "C" {
void *__real_heddle_remote_alloc(std::size_t size);
void __real_heddle_remote_free(void *block);

void *__wrap_heddle_remote_alloc(std::size_t size) {
  if (memory.callsLeft-- == 0)
    return nullptr;
  void *block = __real_heddle_remote_alloc(size);
  memory.blocks[block] = size;
  memory.live += size;
  memory.peak = std::max(memory.peak, memory.live);
  return block;
}

void __wrap_heddle_remote_free(void *block) {
  const auto found = memory.blocks.find(block);
  if (found != memory.blocks.end()) {
    memory.live -= found->second;
    memory.blocks.erase(found);
  }
  __real_heddle_remote_free(block);
}
}

namespace {

using namespace heddle::graph;
using namespace heddle::test;

/// Changes a set or map again and again, with the first allocation failing,
/// then the second and so on until none does. It must not change until then;
/// `compare` checks more. Returns the number of failures.
template <typename Set, typename Update, typename Compare>
std::size_t failAllocationsOf(Set &set, Update update, Compare compare) {
  const Set before = set;
  for (std::size_t failing = 0;; ++failing) {
    memory.callsLeft = failing;
    try {
      update(set);
      memory.callsLeft = std::numeric_limits<std::size_t>::max();
      return failing;
    } catch (const std::bad_alloc &) {
      memory.callsLeft = std::numeric_limits<std::size_t>::max();
    }
    compare();
    EXPECT_TRUE(set == before);
    EXPECT_EQ(set.check(), "");
    if (::testing::Test::HasFailure())
      return failing;
  }
}

template <typename Set> class PmaMemoryTest : public ::testing::Test {
protected:
  using Key = typename Set::Key;

  /// Does the same for a set with a model.
  template <typename Update>
  std::size_t failEachAllocation(Modelled<Set> &both, Update update) {
    return failAllocationsOf(both.set, update, [&] { both.compare(); });
  }
};
using FewSets = UsualOrSmallest<
    ::testing::Types<Cpma<std::uint32_t>>,
    ::testing::Types<Cpma<std::uint64_t, void, 64>, Pma<std::uint64_t, 64>>>;
TYPED_TEST_SUITE(PmaMemoryTest, FewSets);

TYPED_TEST(PmaMemoryTest, FailedPointUpdatesChangeNothing) {
  using Key = typename TypeParam::Key;
  KeySource<Key> source(1);
  Modelled<TypeParam> both;
  std::size_t failures = 0;
  for (int step = 0; step < 1500; ++step) {
    const Key key = source.uniform();
    failures += this->failEachAllocation(
        both, [&](TypeParam &set) { EXPECT_TRUE(set.insert(key)); });
    both.model.insert(key);
    ASSERT_FALSE(this->HasFailure());
  }
  EXPECT_GT(failures, 20u);
  failures = 0;
  while (!both.model.empty()) {
    const auto at = both.model.lower_bound(source.uniform());
    const Key key = at == both.model.end() ? *both.model.begin() : *at;
    failures += this->failEachAllocation(
        both, [&](TypeParam &set) { EXPECT_TRUE(set.erase(key)); });
    both.model.erase(key);
    ASSERT_FALSE(this->HasFailure());
  }
  EXPECT_GT(failures, 20u);
}

TYPED_TEST(PmaMemoryTest, FailedAssignmentsChangeNothing) {
  using Key = typename TypeParam::Key;
  KeySource<Key> source(3);
  const auto filled = [&](std::size_t size) {
    return source.many(size, [&] { return source.uniform(); });
  };
  Modelled<TypeParam> both;
  const std::vector<Key> few = filled(300), many = filled(3000);
  both.set.insert(few);
  both.model.insert(few.begin(), few.end());
  TypeParam other(PmaOptions{.growingFactor = 2});
  other.insert(many);
  // How a set grows is part of it.
  const auto bytesWhenGrown = [&](TypeParam set) {
    for (const Key key : many)
      set.insert(key);
    return set.bytes();
  };
  const std::size_t grown = bytesWhenGrown(both.set);
  EXPECT_GT(failAllocationsOf(
                both.set, [&](TypeParam &set) { set = other; },
                [&] {
                  both.compare();
                  EXPECT_EQ(bytesWhenGrown(both.set), grown);
                }),
            0u);
  EXPECT_TRUE(both.set == other);
  const TypeParam &self = other;
  memory.callsLeft = 0;
  other = self;
  memory.callsLeft = std::numeric_limits<std::size_t>::max();
  EXPECT_TRUE(both.set == other);
}

TYPED_TEST(PmaMemoryTest, FailedBatchesChangeNothing) {
  using Key = typename TypeParam::Key;
  KeySource<Key> source(2);
  Modelled<TypeParam> both;
  std::size_t failures = 0;
  for (int step = 0; step < 200; ++step) {
    const std::size_t most = step % 20 == 0 ? 1000 : 200;
    const bool narrow = step % 3 == 0, inserts = step % 5 < 3;
    std::vector<Key> batch = source.many(source.below(most), [&] {
      return narrow ? source.uniform(12) : source.uniform();
    });
    if (!inserts)
      for (const Key key : both.model)
        if (source.below(8) == 0)
          batch.push_back(key);
    std::size_t expected = 0;
    for (const Key key : std::set<Key>(batch.begin(), batch.end()))
      expected += both.model.contains(key) != inserts;
    failures += this->failEachAllocation(both, [&](TypeParam &set) {
      EXPECT_EQ(inserts ? set.insert(batch) : set.erase(batch), expected);
    });
    for (const Key key : batch)
      if (inserts)
        both.model.insert(key);
      else
        both.model.erase(key);
    ASSERT_FALSE(this->HasFailure());
    ASSERT_NO_FATAL_FAILURE(both.compare());
  }
  EXPECT_GT(failures, 500u);
}

TYPED_TEST(PmaMemoryTest, FailedConstructionsAndCopiesLeakNothing) {
  using Key = typename TypeParam::Key;
  KeySource<Key> source(3);
  const auto keys = source.many(2000, [&] { return source.uniform(); });
  const std::size_t live = memory.live;
  {
    const TypeParam set{std::span<const Key>(keys)};
    Modelled<TypeParam> both;
    this->failEachAllocation(both, [&](TypeParam &other) {
      other = TypeParam{std::span<const Key>(keys)};
      other.clear();
    });
    this->failEachAllocation(both, [&](TypeParam &other) {
      other = set;
      other.clear();
    });
  }
  EXPECT_EQ(memory.live, live);
}

TYPED_TEST(PmaMemoryTest, BytesAreWhatIsAllocated) {
  using Key = typename TypeParam::Key;
  KeySource<Key> source(4);
  const std::size_t live = memory.live;
  TypeParam set;
  for (int step = 0; step < 30; ++step) {
    set.insert(source.many(200, [&] { return source.uniform(); }));
    EXPECT_EQ(set.bytes() - sizeof(set), memory.live - live);
  }
  set.clear();
  EXPECT_EQ(memory.live, live);
}

TEST(PmaMemoryTest, FailedUpdatesOfMapsChangeNothing) {
  using Map = Cpma<std::uint64_t, float, 128>;
  KeySource<std::uint64_t> source(8);
  Map map;
  std::map<std::uint64_t, float> model;
  std::size_t failures = 0;
  float next = 0;
  for (int step = 0; step < 150; ++step) {
    const int bits = step % 3 ? 40 : 10;
    std::vector<Map::Entry> entries(source.below(step % 10 ? 300 : 2));
    std::vector<std::uint64_t> keys;
    for (Map::Entry &entry : entries) {
      entry = {source.uniform(bits), next++};
      keys.push_back(entry.key);
    }
    for (const auto &[key, value] : model)
      if (step % 5 == 4 && source.below(3) > 0)
        keys.push_back(key);
    failures += failAllocationsOf(
        map,
        [&](Map &map) {
          if (step % 5 == 4)
            map.erase(keys);
          else if (step % 2 == 0)
            map.insert(entries);
          else
            map.insertOrAssign(entries);
        },
        [] {});
    if (step % 5 == 4)
      for (const std::uint64_t key : keys)
        model.erase(key);
    else
      for (const auto &[key, value] : entries)
        if (step % 2 == 0)
          model.emplace(key, value);
        else
          model.insert_or_assign(key, value);
    ASSERT_FALSE(HasFailure());
    ASSERT_EQ(map.size(), model.size());
    for (auto expected = model.begin(); const Map::Entry entry : map) {
      ASSERT_EQ(entry.key, expected->first);
      ASSERT_EQ(entry.value, expected++->second);
    }
  }
  EXPECT_GT(failures, 300u);
}

TEST(PmaMemoryTest, ASetGrowsInTheMemoryOfTheOldAndTheNewArray) {
  KeySource<std::uint64_t> source(5);
  const std::size_t live = memory.live;
  Cpma<std::uint64_t> set;
  std::size_t growths = 0;
  while (set.size() < 100000) {
    const std::size_t before = set.bytes();
    memory.peak = memory.live;
    set.insert(source.uniform(40));
    if (set.bytes() > before && before > 10000) {
      ++growths;
      EXPECT_LE(memory.peak - live, 1.04 * double(before + set.bytes()));
      EXPECT_LE(set.bytes(), 1.25 * double(before));
    }
  }
  EXPECT_GT(growths, 10u);
}

TEST(PmaMemoryTest, CompressedSetsTakeNoMoreThanPublished) {
  // Table 6 of the paper: 4.77 bytes a key for a million keys of 40 bits.
  KeySource<std::uint64_t> source(6);
  const auto keys = source.many(1000000, [&] { return source.uniform(40); });
  const Cpma<std::uint64_t> built{std::span<const std::uint64_t>(keys)};
  EXPECT_LT(double(built.bytes()) / double(built.size()), 4.4);

  Cpma<std::uint64_t> grown;
  std::size_t bytes = 0, elements = 0;
  for (std::size_t i = 0; i < keys.size(); i += 10000) {
    grown.insert(std::span<const std::uint64_t>(keys).subspan(i, 10000));
    if (i >= keys.size() / 2) {
      bytes += grown.bytes();
      elements += grown.size();
    }
  }
  EXPECT_LT(double(bytes) / double(elements), 4.77);
}

TEST(PmaMemoryTest, MemoryComesBackWhenKeysGo) {
  KeySource<std::uint64_t> source(7);
  auto keys = source.many(100000, [&] { return source.uniform(40); });
  Cpma<std::uint64_t> set{std::span<const std::uint64_t>(keys)};
  const std::size_t full = set.bytes();
  set.erase(std::span(keys).subspan(0, 90000));
  EXPECT_LT(set.bytes(), full / 3);
  EXPECT_EQ(set.check(), "");
}

} // namespace
