//===- FarRequestsTest.cpp - Requests that are issued and polled ----------===//

#include "FarFile.h"

#include <atomic>
#include <random>
#include <set>
#include <thread>

using namespace heddle::test;

namespace {

constexpr uint64_t Many = 3 * FarCachePages * InPage;

/// Runs tasks like a compiled loop: they follow chains of values, each of which
/// is the index of the next, and their number is the one that the loop asks
/// for.
uint64_t followChains(const FarFile &File, uint64_t Seed, unsigned Most,
                      unsigned Chains, unsigned Length,
                      uint32_t *Kept = nullptr) {
  std::mt19937_64 Random(Seed);
  struct Task {
    uint64_t At;
    unsigned Left;
  };
  std::vector<Task> All(Most);
  std::vector<uint64_t> Free;
  for (uint64_t Id = 0; Id < Most; ++Id)
    Free.push_back(Id);
  heddle_amu *Amu = heddle_amu_begin(Kept, Most);
  uint64_t Sum = 0;
  unsigned Launched = 0;
  while (true) {
    uint64_t Id;
    EXPECT_GE(Amu->tasks, 1u);
    EXPECT_LE(Amu->tasks, Most);
    if (Most - Free.size() < Amu->tasks && Launched < Chains) {
      Id = Free.back();
      Free.pop_back();
      ++Launched;
      All[Id] = {Random() % Many, Length};
      heddle_amu_aload(Amu, Id, File.address(All[Id].At), 8);
      if (heddle_amu_await(Amu, Id))
        continue;
    } else if (Free.size() < Most) {
      Id = heddle_amu_getfin(Amu);
    } else {
      break;
    }
    Task &Now = All[Id];
    do {
      const uint64_t Value = File.load(Now.At);
      Sum += Value;
      Now.At = Value % Many;
      if (--Now.Left == 0)
        break;
      heddle_amu_aload(Amu, Id, File.address(Now.At), 8);
    } while (!heddle_amu_await(Amu, Id));
    if (Now.Left == 0)
      Free.push_back(Id);
  }
  heddle_amu_end(Amu);
  return Sum;
}

uint64_t expected(uint64_t Seed, unsigned Chains, unsigned Length) {
  std::mt19937_64 Random(Seed);
  uint64_t Sum = 0;
  for (unsigned I = 0; I < Chains; ++I) {
    uint64_t At = Random() % Many;
    for (unsigned K = 0; K < Length; ++K) {
      Sum += farValue(At);
      At = farValue(At) % Many;
    }
  }
  return Sum;
}

TEST(FarRequests, ChainsSideBySide) {
  FarFile File(Many);
  for (unsigned Tasks : {1u, 2u, 64u, unsigned(HEDDLE_AMU_IDS)})
    EXPECT_EQ(followChains(File, Tasks, Tasks, 600, 5), expected(Tasks, 600, 5))
        << Tasks;
}

TEST(FarRequests, AsManyTasksAsThereShouldBe) {
  FarFile File(Many);
  for (uint32_t First : {1u, 64u, 256u}) {
    uint32_t Kept = First;
    EXPECT_EQ(followChains(File, First, HEDDLE_AMU_IDS, 3000, 5, &Kept),
              expected(First, 3000, 5));
    EXPECT_GE(Kept, 1u);
    EXPECT_LE(Kept, unsigned(HEDDLE_AMU_IDS));
  }
}

TEST(FarRequests, AFixedNumberOfTasksStays) {
  FarFile File(Many);
  uint32_t Fixed = 0;
  for (uint32_t *Kept : {&Fixed, static_cast<uint32_t *>(nullptr)}) {
    heddle_amu *Amu = heddle_amu_begin(Kept, 100);
    for (uint64_t I = 0; I < 1000; ++I) {
      heddle_amu_aload(Amu, 3, File.address(I % 700 * InPage), 8);
      deliver(Amu, 3);
      EXPECT_EQ(heddle_amu_getfin(Amu), 3u);
      EXPECT_EQ(Amu->tasks, 100u);
    }
    heddle_amu_end(Amu);
  }
  EXPECT_EQ(Fixed, 0u);
}

TEST(FarRequests, IdsComeWhenAllThatTheyAwaitIsThere) {
  FarFile File(Many);
  heddle_amu *Amu = heddle_amu_begin(nullptr, HEDDLE_AMU_IDS);
  std::set<uint64_t> Awaited;
  for (uint64_t Id = 0; Id < 10; ++Id) {
    for (uint64_t I = 0; I < 6; ++I)
      heddle_amu_aload(Amu, Id, File.address((Id * 6 + I) * InPage), 8);
    if (heddle_amu_await(Amu, Id))
      Awaited.insert(Id);
  }
  const auto Before = heddle_far_counts();
  while (!Awaited.empty()) {
    const uint64_t Id = heddle_amu_getfin(Amu);
    ASSERT_EQ(Awaited.erase(Id), 1u);
    for (uint64_t I = 0; I < 6; ++I)
      EXPECT_EQ(File.load((Id * 6 + I) * InPage),
                farValue((Id * 6 + I) * InPage));
  }
  EXPECT_EQ(heddle_far_counts().misses, Before.misses);
  heddle_amu_end(Amu);
}

TEST(FarRequests, WhatIsThereIsNotAwaited) {
  FarFile File(Many);
  File.load(5);
  heddle_amu *Amu = heddle_amu_begin(nullptr, HEDDLE_AMU_IDS);
  heddle_amu_aload(Amu, 3, File.address(6), 8);
  EXPECT_FALSE(heddle_amu_await(Amu, 3));
  deliver(Amu, 3);
  EXPECT_EQ(heddle_amu_getfin(Amu), 3u);
  heddle_amu_end(Amu);
}

TEST(FarRequests, RequestsOutsideAreIgnored) {
  FarFile File(1000);
  heddle_amu *Amu = heddle_amu_begin(nullptr, HEDDLE_AMU_IDS);
  for (uint64_t Address : {uint64_t(0), uint64_t(1) << 47, ~uint64_t(0),
                           File.address(1000), File.address(999) + 1})
    heddle_amu_aload(Amu, 0, Address, 8);
  EXPECT_FALSE(heddle_amu_await(Amu, 0));
  heddle_amu_end(Amu);
}

TEST(FarRequests, StoresAreAwaitedLikeLoads) {
  FarFile File(Many, HEDDLE_FAR_UPDATE);
  heddle_amu *Amu = heddle_amu_begin(nullptr, HEDDLE_AMU_IDS);
  heddle_amu_astore(Amu, 6, File.address(300 * InPage + 7), 8);
  deliver(Amu, 6);
  EXPECT_EQ(heddle_amu_getfin(Amu), 6u);
  const auto Before = heddle_far_counts();
  File.store(300 * InPage + 7, 42);
  EXPECT_EQ(heddle_far_counts().misses, Before.misses);
  heddle_amu_end(Amu);
  EXPECT_EQ(File.load(300 * InPage + 6), farValue(300 * InPage + 6));
  ASSERT_EQ(File.sync(), 0);
  EXPECT_EQ(File.inFile(300 * InPage + 7), 42u);
}

TEST(FarRequests, StoresThatAreNotPossibleAreIgnored) {
  FarFile File(Many);
  heddle_amu *Amu = heddle_amu_begin(nullptr, HEDDLE_AMU_IDS);
  heddle_amu_astore(Amu, 0, File.address(200 * InPage), 8);
  heddle_amu_astore(Amu, 0, File.address(Many), 8);
  EXPECT_FALSE(heddle_amu_await(Amu, 0));
  heddle_amu_end(Amu);
}

TEST(FarRequests, LoopsMayBeNested) {
  FarFile File(Many);
  heddle_amu *Amu = heddle_amu_begin(nullptr, HEDDLE_AMU_IDS);
  for (uint64_t Id = 0; Id < 8; ++Id) {
    heddle_amu_aload(Amu, Id, File.address(Id * 10 * InPage), 8);
    deliver(Amu, Id);
  }
  std::set<uint64_t> Seen;
  for (unsigned I = 0; I < 8; ++I) {
    EXPECT_EQ(followChains(File, I, 8, 20, 3), expected(I, 20, 3));
    Seen.insert(heddle_amu_getfin(Amu));
  }
  EXPECT_EQ(Seen.size(), 8u);
  heddle_amu_end(Amu);
}

/// Requests that are not awaited are still in flight when the loop ends and the
/// region is closed.
TEST(FarRequests, LoopsMayEndWithoutAwaiting) {
  for (unsigned Round = 0; Round < 20; ++Round) {
    FarFile File(Many);
    heddle_amu *Amu = heddle_amu_begin(nullptr, HEDDLE_AMU_IDS);
    for (uint64_t I = 0; I < 40; ++I)
      heddle_amu_aload(Amu, I, File.address(I * InPage), 8);
    heddle_amu_end(Amu);
  }
}

/// The thread that has requested a page does not process it any further, and
/// another thread needs it.
TEST(FarRequests, RequestsAreForAllThreads) {
  FarFile File(Many);
  heddle_amu *Amu = heddle_amu_begin(nullptr, HEDDLE_AMU_IDS);
  heddle_amu_aload(Amu, 0, File.address(7 * InPage), 8);
  std::thread Other(
      [&] { EXPECT_EQ(File.load(7 * InPage), farValue(7 * InPage)); });
  Other.join();
  heddle_amu_end(Amu);
}

TEST(FarRequests, ThreadsShareTheCache) {
  FarFile File(Many);
  std::atomic<unsigned> Wrong = 0;
  inThreads(4, [&](unsigned Own) {
    uint32_t Kept = 40;
    for (unsigned Round = 0; Round < 3; ++Round)
      Wrong += followChains(File, Own, HEDDLE_AMU_IDS, 300, 4,
                            Round ? &Kept : nullptr) != expected(Own, 300, 4);
  });
  EXPECT_EQ(Wrong, 0u);
}

} // namespace
