//===- FarCancelTest.cpp - Requests that are cancelled --------------------===//

#include "FarFile.h"
#include "FarReads.h"

#include <atomic>
#include <random>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace heddle::test;

namespace {

constexpr uint64_t Pages = 3 * FarCachePages;

uint64_t misses() { return heddle_far_counts().misses; }

TEST(FarCancel, WhatSomebodyNeedsIsKept) {
  FarFile File(Pages * InPage);
  const auto Before = misses();
  EXPECT_FALSE(isKeptIfCancelled(File.address(0), false));
  EXPECT_TRUE(isKeptIfCancelled(File.address(0), true));
  EXPECT_EQ(misses(), Before + 2);
  EXPECT_EQ(File.load(5), farValue(5));
  EXPECT_EQ(misses(), Before + 2);
}

/// Whether there was time to cancel a request or not.
TEST(FarCancel, PagesAreWholeOrNotThere) {
  FarFile File(Pages * InPage);
  std::mt19937_64 Random(7);
  for (unsigned Round = 0; Round < 2000; ++Round) {
    const unsigned Count = 1 + Random() % 4;
    const uint64_t At = Random() % (Pages - Count) * InPage;
    cancelledRead(File.address(At), Count, Random() % 2);
    for (unsigned I = 0; I < Count; ++I)
      ASSERT_EQ(File.load(At + I * InPage), farValue(At + I * InPage));
  }
}

TEST(FarCancel, WhatIsNeededIsReadNevertheless) {
  FarFile File(Pages * InPage);
  for (uint64_t Page = 0; Page + 1 < FarCachePages / 4; Page += 2) {
    cancelledRead(File.address(Page * InPage), 2, true);
    const auto Before = misses();
    EXPECT_EQ(File.load((Page + 1) * InPage), farValue((Page + 1) * InPage));
    EXPECT_EQ(misses(), Before);
  }
}

/// Requests that the kernel has not received are not read at all.
TEST(FarCancel, RequestsThatAreNotSubmittedAreWithdrawn) {
  FarFile File(Pages * InPage);
  constexpr uint64_t Few = 5;
  for (uint64_t First = 0; First + 2 * Few < Pages; First += 2 * Few) {
    heddle_amu *Amu = heddle_amu_begin(nullptr, HEDDLE_AMU_IDS);
    for (uint64_t Id = 0; Id < Few; ++Id)
      heddle_amu_aload(Amu, Id, File.address((First + 2 * Id) * InPage), 8);
    heddle_amu_end(Amu);
    const auto Before = misses();
    for (uint64_t Id = 0; Id < Few; ++Id) {
      const uint64_t At = (First + 2 * Id) * InPage;
      ASSERT_EQ(File.load(At), farValue(At));
    }
    ASSERT_EQ(misses(), Before + Few);
  }
}

/// Objects in several pages, at the ends of blocks and of the region too.
TEST(FarCancel, ObjectsOfManyPagesMayBeForsaken) {
  constexpr uint64_t Count = Pages * InPage + 9, Most = 4 * InPage;
  FarFile File(Count);
  std::mt19937_64 Random(3);
  for (unsigned Round = 0; Round < 2000; ++Round) {
    heddle_amu *Amu = heddle_amu_begin(nullptr, HEDDLE_AMU_IDS);
    uint64_t At[4], Length[4];
    for (uint64_t Id = 0; Id < 4; ++Id) {
      Length[Id] = 1 + Random() % Most;
      At[Id] = Round % 5 ? Random() % (Count - Length[Id]) : Count - Length[Id];
      heddle_amu_aload(Amu, Id, File.address(At[Id]), Length[Id] * 8);
    }
    const unsigned Awaited = Random() % 5;
    for (uint64_t Id = 0; Id < Awaited; ++Id)
      deliver(Amu, Id);
    for (unsigned I = 0; I < Awaited; ++I) {
      const uint64_t Id = heddle_amu_getfin(Amu);
      ASSERT_EQ(File.load(At[Id]), farValue(At[Id]));
      const uint64_t Last = At[Id] + Length[Id] - 1;
      ASSERT_EQ(File.load(Last), farValue(Last));
    }
    heddle_amu_end(Amu);
  }
}

/// Loops end without awaiting pages that other loops are going to load.
TEST(FarCancel, OthersGetWhatALoopForsakes) {
  FarFile File(Pages * InPage);
  std::atomic<unsigned> Wrong = 0;
  inThreads(3, [&](unsigned Thread) {
    std::mt19937_64 Random(Thread);
    for (unsigned Round = 0; Round < 100; ++Round) {
      heddle_amu *Amu = heddle_amu_begin(nullptr, HEDDLE_AMU_IDS);
      const uint64_t First = Random() % (Pages - 40);
      for (uint64_t I = 0; I < 40; ++I)
        heddle_amu_aload(Amu, I, File.address((First + I) * InPage), 8);
      heddle_amu_end(Amu);
      for (unsigned I = 0; I < 4; ++I) {
        const uint64_t At = Random() % (Pages * InPage);
        Wrong += File.load(At) != farValue(At);
      }
    }
  });
  EXPECT_EQ(Wrong, 0u);
}

/// Requests in flight at a fork belong to the parent.
TEST(FarCancel, AChildGoesOnWithALoop) {
  FarFile File(Pages * InPage);
  heddle_amu *Amu = heddle_amu_begin(nullptr, HEDDLE_AMU_IDS);
  for (uint64_t Id = 0; Id < 10; ++Id)
    heddle_amu_aload(Amu, Id, File.address(Id * InPage), 8);
  const pid_t Child = fork();
  unsigned Wrong = 0;
  for (uint64_t Id = 0; Id < 5; ++Id)
    if (heddle_amu_await(Amu, Id))
      Wrong += heddle_amu_getfin(Amu) > 4;
  for (uint64_t Id = 0; Id < 10; ++Id)
    Wrong += File.load(Id * InPage) != farValue(Id * InPage);
  heddle_amu_end(Amu);
  if (Child == 0)
    _exit(Wrong != 0);
  EXPECT_EQ(Wrong, 0u);
  int Status;
  ASSERT_EQ(waitpid(Child, &Status, 0), Child);
  EXPECT_EQ(Status, 0);
}

/// A child finds all stores of its parent, and does not write them once more,
/// over later stores of the parent.
TEST(FarCancel, AChildLeavesItsParentsStores) {
  FarFile File(Pages * InPage, HEDDLE_FAR_UPDATE);
  for (uint64_t I = 0; I < 20; ++I)
    File.store(I * InPage, I);
  int Pipe[2];
  ASSERT_EQ(pipe(Pipe), 0);
  const pid_t Child = fork();
  if (Child == 0) {
    char Byte;
    unsigned Wrong = read(Pipe[0], &Byte, 1) != 1;
    for (uint64_t I = 0; I < Pages; ++I)
      Wrong += I >= 20 && File.load(I * InPage) != farValue(I * InPage);
    for (uint64_t I = 0; I < 20; ++I)
      Wrong += File.load(I * InPage) != (I < 10 ? I + 100 : I);
    Wrong += File.close() != 0;
    _exit(Wrong != 0);
  }
  for (uint64_t I = 0; I < 20; ++I)
    EXPECT_EQ(File.inFile(I * InPage), I);
  for (uint64_t I = 0; I < 10; ++I)
    File.store(I * InPage, I + 100);
  EXPECT_EQ(File.sync(), 0);
  EXPECT_EQ(write(Pipe[1], "", 1), 1);
  int Status;
  ASSERT_EQ(waitpid(Child, &Status, 0), Child);
  EXPECT_EQ(Status, 0);
  close(Pipe[0]);
  close(Pipe[1]);
  for (uint64_t I = 0; I < 20; ++I)
    EXPECT_EQ(File.inFile(I * InPage), I < 10 ? I + 100 : I);
}

/// While others have the cache in hand.
TEST(FarCancel, ProcessesMayForkWhileThreadsAccess) {
  FarFile File(Pages * InPage, HEDDLE_FAR_UPDATE);
  std::atomic<bool> IsOver = false;
  std::vector<std::thread> Threads;
  for (unsigned Thread = 0; Thread < 2; ++Thread)
    Threads.emplace_back([&, Thread] {
      std::mt19937_64 Random(Thread);
      while (!IsOver) {
        heddle_amu *Amu = heddle_amu_begin(nullptr, HEDDLE_AMU_IDS);
        for (uint64_t Id = 0; Id < 4; ++Id)
          heddle_amu_aload(Amu, Id, File.address(Random() % (Pages * InPage)),
                           8);
        heddle_amu_end(Amu);
        const uint64_t At = Random() % (Pages * InPage);
        File.store(At, farValue(At));
      }
    });
  for (unsigned Round = 0; Round < 20; ++Round) {
    const pid_t Child = fork();
    if (Child == 0) {
      unsigned Wrong = 0;
      for (uint64_t I = 0; I < Pages; ++I)
        Wrong += File.load(I * InPage) != farValue(I * InPage);
      _exit(Wrong != 0);
    }
    int Status = -1;
    EXPECT_EQ(waitpid(Child, &Status, 0), Child);
    EXPECT_EQ(Status, 0);
  }
  IsOver = true;
  for (std::thread &Thread : Threads)
    Thread.join();
}

/// If a region is closed during read-ahead, the next one at its address has a
/// file of its own.
TEST(FarCancel, ANewRegionHasItsOwnFile) {
  for (unsigned Round = 0; Round < 50; ++Round) {
    FarFile File(Pages * InPage + Round * InPage);
    for (uint64_t I = 0; I < 20 + Round; ++I)
      ASSERT_EQ(File.load(I * InPage), farValue(I * InPage));
  }
}

/// More regions than a ring names by number.
TEST(FarCancel, ManyFilesAtOnce) {
  std::vector<std::unique_ptr<FarFile>> Files;
  for (uint64_t I = 0; I < 150; ++I)
    Files.push_back(std::make_unique<FarFile>(4 * InPage + I));
  for (unsigned Round = 0; Round < 2; ++Round) {
    for (uint64_t I = 0; I < Files.size(); ++I)
      for (uint64_t At : {uint64_t(3), 2 * InPage, 4 * InPage + I - 1})
        ASSERT_EQ(Files[I]->load(At), farValue(At));
    // Their addresses are now used by other regions.
    for (uint64_t I = 0; I < Files.size(); I += 3)
      Files[I] = std::make_unique<FarFile>(4 * InPage + I);
  }
}

} // namespace
