//===- FarOwnersTest.cpp - Ids that wait for each other -------------------===//

#include "FarFile.h"

#include <algorithm>
#include <deque>
#include <map>
#include <random>
#include <thread>

using namespace heddle::test;

namespace {

constexpr uint64_t Line = 64;

/// Any address is possible: an owned line need not be in memory.
constexpr uint64_t Somewhere = uint64_t(1) << 48;

TEST(FarOwners, AnIdAwaitsSignals) {
  heddle_amu *Amu = heddle_amu_begin(nullptr, HEDDLE_AMU_IDS);
  heddle_amu_aset(Amu, 4, 2);
  heddle_amu_asignal(Amu, 4);
  EXPECT_TRUE(heddle_amu_await(Amu, 4));
  deliver(Amu, 9);
  EXPECT_EQ(heddle_amu_getfin(Amu), 9u);
  heddle_amu_asignal(Amu, 4);
  EXPECT_EQ(heddle_amu_getfin(Amu), 4u);
  heddle_amu_end(Amu);
}

TEST(FarOwners, SignalsBeforeTheAwaitCount) {
  heddle_amu *Amu = heddle_amu_begin(nullptr, HEDDLE_AMU_IDS);
  heddle_amu_aset(Amu, 0, 3);
  for (unsigned I = 0; I < 3; ++I)
    heddle_amu_asignal(Amu, 0);
  EXPECT_FALSE(heddle_amu_await(Amu, 0));
  heddle_amu_end(Amu);
}

TEST(FarOwners, AnyThreadMaySignal) {
  heddle_amu *Amu = heddle_amu_begin(nullptr, HEDDLE_AMU_IDS);
  for (uint64_t Id = 0; Id < HEDDLE_AMU_IDS; ++Id) {
    heddle_amu_aset(Amu, Id, 2);
    EXPECT_TRUE(heddle_amu_await(Amu, Id));
  }
  std::vector<std::thread> Others;
  for (unsigned I = 0; I < 2; ++I)
    Others.emplace_back([Amu] {
      for (uint64_t Id = 0; Id < HEDDLE_AMU_IDS; ++Id)
        heddle_amu_asignal(Amu, Id);
    });
  std::vector<bool> Seen(HEDDLE_AMU_IDS);
  for (unsigned I = 0; I < HEDDLE_AMU_IDS; ++I)
    Seen[heddle_amu_getfin(Amu)] = true;
  EXPECT_EQ(std::ranges::count(Seen, true), HEDDLE_AMU_IDS);
  for (std::thread &Other : Others)
    Other.join();
  heddle_amu_end(Amu);
}

TEST(FarOwners, OthersWaitInOrder) {
  heddle_amu *Amu = heddle_amu_begin(nullptr, HEDDLE_AMU_IDS);
  heddle_amu_acquire(Amu, 7, Somewhere);
  EXPECT_FALSE(heddle_amu_await(Amu, 7));
  for (uint64_t Id : {3, 200, 1}) {
    heddle_amu_acquire(Amu, Id, Somewhere + Line - 1);
    EXPECT_TRUE(heddle_amu_await(Amu, Id));
  }
  heddle_amu_acquire(Amu, 8, Somewhere + Line);
  EXPECT_FALSE(heddle_amu_await(Amu, 8));
  uint64_t Owner = 7;
  for (uint64_t Next : {3, 200, 1}) {
    heddle_amu_release(Amu, Owner);
    Owner = heddle_amu_getfin(Amu);
    EXPECT_EQ(Owner, Next);
  }
  heddle_amu_release(Amu, 1);
  heddle_amu_release(Amu, 1);
  heddle_amu_acquire(Amu, 2, Somewhere);
  EXPECT_FALSE(heddle_amu_await(Amu, 2));
  heddle_amu_end(Amu);
}

/// An id that waits for a line and for a page gets both.
TEST(FarOwners, RequestsAndLinesAreOneGroup) {
  FarFile File(100 * InPage);
  heddle_amu *Amu = heddle_amu_begin(nullptr, HEDDLE_AMU_IDS);
  heddle_amu_acquire(Amu, 0, Somewhere);
  heddle_amu_acquire(Amu, 1, Somewhere);
  heddle_amu_aload(Amu, 1, File.address(50 * InPage), 8);
  EXPECT_TRUE(heddle_amu_await(Amu, 1));
  File.load(50 * InPage);
  deliver(Amu, 0);
  EXPECT_EQ(heddle_amu_getfin(Amu), 0u);
  heddle_amu_release(Amu, 0);
  EXPECT_EQ(heddle_amu_getfin(Amu), 1u);
  heddle_amu_end(Amu);
}

/// An id that acquires another line gives up the one it has, so that two ids
/// which want each other's lines get them.
TEST(FarOwners, NobodyWaitsForEver) {
  heddle_amu *Amu = heddle_amu_begin(nullptr, HEDDLE_AMU_IDS);
  for (uint64_t Id : {0, 1}) {
    heddle_amu_acquire(Amu, Id, Somewhere + Id * Line);
    EXPECT_FALSE(heddle_amu_await(Amu, Id));
  }
  heddle_amu_acquire(Amu, 0, Somewhere + Line);
  EXPECT_TRUE(heddle_amu_await(Amu, 0));
  heddle_amu_acquire(Amu, 1, Somewhere);
  EXPECT_FALSE(heddle_amu_await(Amu, 1));
  EXPECT_EQ(heddle_amu_getfin(Amu), 0u);
  heddle_amu_end(Amu);
}

/// Compares with a table that has a queue for each line.
TEST(FarOwners, AgreesWithQueues) {
  for (unsigned Lines : {1u, 3u, 40u, 5000u}) {
    std::mt19937_64 Random(Lines);
    heddle_amu *Amu = heddle_amu_begin(nullptr, HEDDLE_AMU_IDS);
    std::map<uint64_t, std::deque<uint64_t>> Queues;
    std::vector<uint64_t> Wanted(HEDDLE_AMU_IDS, ~uint64_t(0));
    auto leave = [&](uint64_t Id) {
      if (Wanted[Id] == ~uint64_t(0))
        return;
      ASSERT_EQ(Queues[Wanted[Id]].front(), Id);
      Queues[Wanted[Id]].pop_front();
      Wanted[Id] = ~uint64_t(0);
    };
    auto isFirst = [&](uint64_t Id) {
      return Wanted[Id] == ~uint64_t(0) || Queues[Wanted[Id]].front() == Id;
    };
    for (unsigned Step = 0; Step < 20000; ++Step) {
      const uint64_t Id = Random() % HEDDLE_AMU_IDS;
      if (!isFirst(Id))
        continue;
      uint64_t Next = ~uint64_t(0);
      if (Wanted[Id] != ~uint64_t(0) && Queues[Wanted[Id]].size() > 1)
        Next = Queues[Wanted[Id]][1];
      leave(Id);
      if (Random() % 4 == 0) {
        heddle_amu_release(Amu, Id);
      } else {
        Wanted[Id] = Random() % Lines;
        Queues[Wanted[Id]].push_back(Id);
        heddle_amu_acquire(Amu, Id, Somewhere + Wanted[Id] * Line);
        ASSERT_EQ(heddle_amu_await(Amu, Id), !isFirst(Id));
      }
      if (Next != ~uint64_t(0)) {
        ASSERT_EQ(heddle_amu_getfin(Amu), Next);
      }
    }
    heddle_amu_end(Amu);
  }
}

} // namespace
