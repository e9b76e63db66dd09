//===- FarWholeTest.cpp - Far memory that is memory -----------------------===//

#include "FarFile.h"
#include "heddle/heddle.h"

#include <random>
#include <thread>

using namespace heddle::test;

namespace {

/// A region of memory with `Count` values.
class Whole : public FarValues {
public:
  explicit Whole(uint64_t Count) {
    Start = reinterpret_cast<uint64_t>(
        heddle_far_allocate(Count * sizeof(uint64_t)));
    EXPECT_NE(Start, 0u);
    for (uint64_t I = 0; I < Count; ++I)
      store(I, farValue(I));
  }
  ~Whole() { EXPECT_EQ(heddle_far_close(FarFile::pointer(Start)), 0); }
};

TEST(FarWhole, IsMemory) {
  for (uint64_t Count : {uint64_t(3), InPage, 1000 * InPage + 5}) {
    Whole Region(Count);
    EXPECT_EQ(heddle_far_size(FarFile::pointer(Region.address(0))), 8 * Count);
    EXPECT_EQ(heddle_far_sync(FarFile::pointer(Region.address(0))), 0);
    for (uint64_t I = 0; I < Count; ++I)
      ASSERT_EQ(Region.load(I), farValue(I));
  }
}

/// The region takes no frame of the cache, and is in sight as a whole except
/// for bytes that do not fill a line.
TEST(FarWhole, IsInSight) {
  const auto Before = heddle_far_counts();
  Whole Region(100 * InPage + 9);
  Region.load(77);
  const heddle_far_page *Near =
      heddle_far_near[Region.address(0) >> 48 & (HEDDLE_FAR_NEAR - 1)];
  EXPECT_EQ(Near->address, Region.address(0));
  EXPECT_EQ(Near->readable, 100 * FarPage + 64);
  EXPECT_EQ(Near->writable, Near->readable);
  const auto After = heddle_far_counts();
  EXPECT_EQ(After.hits + After.misses, Before.hits + Before.misses);
}

TEST(FarWhole, IsOutOfSightWhenItIsClosed) {
  const heddle_far_page *Near;
  {
    Whole Region(InPage);
    Near = heddle_far_near[Region.address(0) >> 48 & (HEDDLE_FAR_NEAR - 1)];
    EXPECT_EQ(Near->readable, FarPage);
  }
  EXPECT_EQ(Near->readable, 0u);
  EXPECT_EQ(Near->writable, 0u);
  for (unsigned Round = 0; Round < 20; ++Round) {
    Whole Region(InPage + Round);
    EXPECT_EQ(Region.load(InPage - 1), farValue(InPage - 1));
  }
}

TEST(FarWhole, RequestsAreThereAfterATurn) {
  Whole Region(10 * InPage);
  heddle_amu *Amu = heddle_amu_begin(nullptr, HEDDLE_AMU_IDS);
  for (uint64_t Id : {5, 3, 9}) {
    (Id == 3 ? heddle_amu_astore
             : heddle_amu_aload)(Amu, Id, Region.address(Id * InPage), 8);
    EXPECT_TRUE(heddle_amu_await(Amu, Id));
  }
  for (uint64_t Id : {5, 3, 9}) {
    EXPECT_EQ(heddle_amu_getfin(Amu), Id);
    EXPECT_FALSE(heddle_amu_await(Amu, Id));
  }
  heddle_amu_end(Amu);
}

TEST(FarWhole, RequestsOutsideAreIgnored) {
  Whole Region(100);
  heddle_amu *Amu = heddle_amu_begin(nullptr, HEDDLE_AMU_IDS);
  heddle_amu_aload(Amu, 0, Region.address(100), 8);
  heddle_amu_aload(Amu, 0, Region.address(99), 16);
  EXPECT_FALSE(heddle_amu_await(Amu, 0));
  heddle_amu_end(Amu);
}

/// Ids that take turns do not keep one waiting that has its page.
TEST(FarWhole, OthersGetTheirTurn) {
  FarFile File(1000 * InPage);
  Whole Region(10 * InPage);
  heddle_amu *Amu = heddle_amu_begin(nullptr, HEDDLE_AMU_IDS);
  heddle_amu_aload(Amu, 0, File.address(900 * InPage), 8);
  ASSERT_TRUE(heddle_amu_await(Amu, 0));
  for (uint64_t Id : {1, 2}) {
    heddle_amu_aload(Amu, Id, Region.address(Id), 8);
    ASSERT_TRUE(heddle_amu_await(Amu, Id));
  }
  uint64_t Id;
  while ((Id = heddle_amu_getfin(Amu)) != 0) {
    heddle_amu_aload(Amu, Id, Region.address(Id), 8);
    ASSERT_TRUE(heddle_amu_await(Amu, Id));
  }
  EXPECT_EQ(File.load(900 * InPage), farValue(900 * InPage));
  for (unsigned I = 0; I < 2; ++I)
    heddle_amu_getfin(Amu);
  heddle_amu_end(Amu);
}

/// Requests for memory never wait, so there are as many tasks as the host can
/// use, whatever their number before.
TEST(FarWhole, LoopsHaveAsManyTasksAsTheHostCanUse) {
  Whole Region(100 * InPage);
  const unsigned Right = heddle_default_tasks(HEDDLE_SCHEDULE_FIFO);
  for (uint32_t Kept : {256u, 60u}) {
    heddle_amu *Amu = heddle_amu_begin(&Kept, HEDDLE_AMU_IDS);
    EXPECT_LE(Amu->tasks, Kept);
    uint64_t Live = 0;
    for (uint64_t I = 0; I < 20000; ++I) {
      const uint64_t Id = Live < Amu->tasks ? Live++ : heddle_amu_getfin(Amu);
      heddle_amu_aload(Amu, Id, Region.address(I), 8);
      ASSERT_TRUE(heddle_amu_await(Amu, Id));
    }
    EXPECT_EQ(Amu->tasks, Right);
    for (; Live > 0; --Live)
      heddle_amu_getfin(Amu);
    heddle_amu_end(Amu);
    EXPECT_EQ(Kept, Right);
  }
}

TEST(FarWhole, ThreadsHaveFramesOfTheirOwn) {
  std::vector<std::unique_ptr<Whole>> Regions;
  for (unsigned I = 0; I < HEDDLE_FAR_NEAR + 3; ++I)
    Regions.push_back(std::make_unique<Whole>(InPage));
  for (unsigned Round = 0; Round < 3; ++Round)
    inThreads(4, [&](unsigned Own) {
      std::mt19937_64 Random(Own);
      for (unsigned I = 0; I < 20000; ++I) {
        const Whole &Region = *Regions[Random() % Regions.size()];
        const uint64_t Address = Region.address(Random() % InPage);
        heddle_far_page *Page = heddle_far_change(Address, 8);
        __atomic_fetch_add(
            reinterpret_cast<uint64_t *>(Page->bytes + Address - Page->address),
            1, __ATOMIC_RELAXED);
        __atomic_store_n(&Page->is_dirty, true, __ATOMIC_RELEASE);
      }
    });
  uint64_t Sum = 0;
  for (const auto &Region : Regions)
    for (uint64_t I = 0; I < InPage; ++I)
      Sum += Region->load(I) - farValue(I);
  EXPECT_EQ(Sum, 3u * 4 * 20000);
}

TEST(FarWholeDeathTest, AccessesOutsideAreNamed) {
  Whole Region(1000);
  EXPECT_EXIT(Region.load(1000), testing::ExitedWithCode(1),
              "error: reading memory at byte 8000 of 8000: Bad address");
}

TEST(FarWhole, WhatCannotBeAllocatedIsAnError) {
  for (size_t Bytes : {size_t(0), size_t(1) << 50}) {
    errno = 0;
    EXPECT_EQ(reinterpret_cast<uint64_t>(heddle_far_allocate(Bytes)), 0u);
    EXPECT_EQ(errno, EINVAL);
  }
  errno = 0;
  EXPECT_EQ(
      reinterpret_cast<uint64_t>(heddle_far_allocate((size_t(1) << 48) - 1)),
      0u);
  EXPECT_EQ(errno, ENOMEM);
}

} // namespace
