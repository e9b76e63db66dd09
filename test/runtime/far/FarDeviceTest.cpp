//===- FarDeviceTest.cpp - Devices behind their interface -----------------===//

#include "FarFile.h"
#include "FarPool.h"
#include "FarReads.h"

#include "far/devices/device.h"

#include <random>

using namespace heddle::test;

namespace {

constexpr uint64_t Pages = 3 * FarCachePages;

/// A region of the device that the tests have.
class Pooled : public FarValues {
  std::vector<uint64_t> Values;

public:
  explicit Pooled(uint64_t Count) : Values(Count) {
    for (uint64_t I = 0; I < Count; ++I)
      Values[I] = farValue(I);
    Start = openInPool(reinterpret_cast<char *>(Values.data()), 8 * Count);
    EXPECT_NE(Start, 0u);
  }
  ~Pooled() { EXPECT_EQ(close(), 0); }
  int close() {
    const int Result = Start ? heddle_far_close(FarFile::pointer(Start)) : 0;
    Start = 0;
    return Result;
  }
  uint64_t inPool(uint64_t Index) const { return Values[Index]; }
};

TEST(FarDevice, RequestsAreSentTogether) {
  Pooled Region(Pages * InPage);
  const PoolCounts Before = poolCounts();
  constexpr uint64_t Ids = 80;
  heddle_amu *Amu = heddle_amu_begin(nullptr, HEDDLE_AMU_IDS);
  for (uint64_t Id = 0; Id < Ids; ++Id) {
    heddle_amu_aload(Amu, Id, Region.address(2 * Id * InPage), 8);
    ASSERT_TRUE(heddle_amu_await(Amu, Id));
  }
  for (uint64_t I = 0; I < Ids; ++I) {
    const uint64_t At = 2 * heddle_amu_getfin(Amu) * InPage;
    ASSERT_EQ(Region.load(At), farValue(At));
  }
  heddle_amu_end(Amu);
  const PoolCounts After = poolCounts();
  EXPECT_EQ(After.requests - Before.requests, Ids);
  EXPECT_EQ(After.sendings - Before.sendings, 2u);
}

TEST(FarDevice, WhatIsNotSentIsWithdrawn) {
  Pooled Region(Pages * InPage);
  const PoolCounts Before = poolCounts();
  heddle_amu *Amu = heddle_amu_begin(nullptr, HEDDLE_AMU_IDS);
  for (uint64_t Id = 0; Id < 5; ++Id)
    heddle_amu_aload(Amu, Id, Region.address(2 * Id * InPage), 8);
  heddle_amu_end(Amu);
  const PoolCounts After = poolCounts();
  EXPECT_EQ(After.withdrawn - Before.withdrawn, 5u);
  EXPECT_EQ(After.requests, Before.requests);
}

/// The pool has room for 100 requests, and sends 40 together.
TEST(FarDevice, WithdrawalsNeedNoPlace) {
  Pooled Region(Pages * InPage);
  const PoolCounts Before = poolCounts();
  ASSERT_TRUE(cancelOneOfReads(Region.address(0), 100, 99));
  const PoolCounts After = poolCounts();
  EXPECT_EQ(After.withdrawn - Before.withdrawn, 1u);
  EXPECT_EQ(After.requests - Before.requests, 80u);
  for (uint64_t Page = 0; Page < 100; ++Page)
    ASSERT_EQ(Region.load(Page * InPage), farValue(Page * InPage));
}

TEST(FarDevice, CancellationsMakeRoom) {
  Pooled Region(Pages * InPage);
  const PoolCounts Before = poolCounts();
  ASSERT_TRUE(cancelOneOfReads(Region.address(0), 100, 0));
  const PoolCounts After = poolCounts();
  EXPECT_EQ(After.withdrawn, Before.withdrawn);
  EXPECT_EQ(After.requests - Before.requests, 100u);
  EXPECT_EQ(Region.load(0), farValue(0));
}

TEST(FarDevice, NobodyWaitsAfterAWithdrawal) {
  Pooled Region(Pages * InPage);
  ASSERT_TRUE(cancelOneOfReads(Region.address(0), 1, 0));
  EXPECT_TRUE(hasArrived());
}

/// A loop waits for the first device that answers.
TEST(FarDevice, LoopsMayUseSeveral) {
  FarFile File(Pages * InPage);
  Pooled Region(Pages * InPage + 9);
  std::mt19937_64 Random(5);
  heddle_amu *Amu = heddle_amu_begin(nullptr, HEDDLE_AMU_IDS);
  for (unsigned Round = 0; Round < 200; ++Round) {
    uint64_t At[40];
    for (uint64_t Id = 0; Id < 40; ++Id) {
      const FarValues &From = Id % 2 ? static_cast<FarValues &>(File) : Region;
      At[Id] = Random() % (Pages * InPage);
      heddle_amu_aload(Amu, Id, From.address(At[Id]), 8);
      deliver(Amu, Id);
    }
    for (unsigned I = 0; I < 40; ++I) {
      const uint64_t Id = heddle_amu_getfin(Amu);
      const FarValues &From = Id % 2 ? static_cast<FarValues &>(File) : Region;
      ASSERT_EQ(From.load(At[Id]), farValue(At[Id]));
    }
  }
  heddle_amu_end(Amu);
}

TEST(FarDevice, StoresReachIt) {
  Pooled Region(Pages * InPage + 9);
  for (uint64_t I = 0; I < Pages * InPage + 9; I += 100)
    Region.store(I, I);
  EXPECT_EQ(Region.close(), 0);
  for (uint64_t I = 0; I < Pages * InPage + 9; ++I)
    ASSERT_EQ(Region.inPool(I), I % 100 ? farValue(I) : I);
}

TEST(FarDevice, MemoryIsAccessedWhereItIs) {
  heddle_far_file *File = heddle_far_memory.open(nullptr, HEDDLE_FAR_CREATE, 9);
  ASSERT_NE(File, nullptr);
  EXPECT_EQ(File->size, 9u);
  ASSERT_NE(File->memory, nullptr);
  memset(File->memory, 1, 9);
  heddle_far_memory.close(File);
}

} // namespace
