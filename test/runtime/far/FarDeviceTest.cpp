//===- FarDeviceTest.cpp - Devices behind their interface -----------------===//

#include "FarFile.h"
#include "FarPool.h"
#include "FarReads.h"

#include "far/devices/device.h"

#include <random>

using namespace heddle::test;

namespace {

constexpr uint64_t InPage = FarPage / sizeof(uint64_t);
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

/// The pool has 100 places, and sends 40 requests together.
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

/// A loop waits for whichever answers.
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

/// A queue of io_uring, without cache and tasks.
class Uring : public testing::Test {
protected:
  static constexpr const heddle_far_device &Device = heddle_far_uring;
  static constexpr unsigned Count = 40;
  alignas(4096) char Memory[Count][FarPage];
  iovec Pieces[Count];
  TemporaryDirectory Directory;
  heddle_far_file *File = nullptr;
  heddle_far_queue *Queue = nullptr;

  void SetUp() override {
    const std::string Path = Directory.file("file");
    File = Device.open(Path.c_str(), HEDDLE_FAR_CREATE, Count * FarPage);
    ASSERT_NE(File, nullptr);
    EXPECT_EQ(File->size, Count * FarPage);
    EXPECT_EQ(File->memory, nullptr);
    File->number = 1;
    for (unsigned I = 0; I < Count; ++I) {
      memset(Memory[I], 'a' + I, FarPage);
      ASSERT_EQ(Device.move(File, I * FarPage, Memory[I], FarPage, true),
                ssize_t(FarPage));
    }
    memset(Memory, 0, sizeof Memory);
    Queue = Device.make_queue(Memory[0], sizeof Memory);
    if (!Queue)
      GTEST_SKIP() << "no io_uring";
    // Queues are never freed: a thread leaves its own to the next one.
    static auto *const Kept = new std::vector<heddle_far_queue *>;
    Kept->push_back(Queue);
  }
  void TearDown() override {
    if (Queue)
      Device.forget(Queue, File);
    if (File)
      Device.close(File);
  }
  void start(unsigned I) {
    Pieces[I] = {Memory[I], FarPage};
    const heddle_far_request Request = {Memory[I], File, I * FarPage,
                                        false,     1,    &Pieces[I]};
    Device.start(Queue, &Request);
  }
};

TEST_F(Uring, CompletionsNameTheirRequests) {
  for (unsigned I = 0; I < Count; ++I)
    start(I);
  EXPECT_EQ(Queue->gathered, Count);
  EXPECT_EQ(Queue->under_way, Count);
  for (unsigned Done = 0; Done < Count;) {
    ASSERT_TRUE(Device.submit(Queue, true));
    heddle_far_completion Completions[7];
    const unsigned Taken = Device.poll(Queue, Completions, 7);
    for (unsigned I = 0; I < Taken; ++I) {
      EXPECT_EQ(Completions[I].result, int(FarPage));
      const auto *Page = static_cast<const char *>(Completions[I].cookie);
      EXPECT_EQ(Page[0], char('a' + (Page - Memory[0]) / ptrdiff_t(FarPage)));
    }
    Done += Taken;
  }
  EXPECT_EQ(Queue->gathered, 0u);
  EXPECT_EQ(Queue->under_way, 0u);
}

TEST_F(Uring, WhatIsNotSubmittedIsWithdrawn) {
  start(0);
  start(1);
  EXPECT_TRUE(Device.withdraw(Queue, Memory[0]));
  EXPECT_FALSE(Device.withdraw(Queue, Memory[0]));
  unsigned Reports = 0;
  while (Queue->under_way > 0) {
    ASSERT_TRUE(Device.submit(Queue, true));
    heddle_far_completion Completion;
    while (Device.poll(Queue, &Completion, 1) > 0) {
      Reports += !Completion.cookie;
      if (Completion.cookie)
        EXPECT_EQ(Completion.cookie, Memory[1]);
    }
  }
  EXPECT_EQ(Reports, 1u);
  EXPECT_EQ(Memory[0][0], 0);
  EXPECT_EQ(Memory[1][0], 'b');
}

TEST_F(Uring, WhatIsSubmittedCompletesInAnyCase) {
  start(0);
  ASSERT_TRUE(Device.submit(Queue, false));
  EXPECT_FALSE(Device.withdraw(Queue, Memory[0]));
  Device.cancel(Queue, Memory[0]);
  EXPECT_EQ(Queue->under_way, 2u);
  unsigned Reports = 0, Completed = 0;
  while (Queue->under_way > 0) {
    ASSERT_TRUE(Device.submit(Queue, true));
    heddle_far_completion Completions[2];
    const unsigned Taken = Device.poll(Queue, Completions, 2);
    for (unsigned I = 0; I < Taken; ++I)
      ++(Completions[I].cookie ? Completed : Reports);
  }
  EXPECT_EQ(Reports, 1u);
  EXPECT_EQ(Completed, 1u);
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
