//===- FarMemoryTest.cpp - Loads and stores that wait ---------------------===//

#include "FarFile.h"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <latch>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <set>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

using namespace heddle::test;

namespace {

/// Before the first test makes the cache.
const int HasSmallCache = setenv("HEDDLE_FAR_CACHE", "1M", 1);

constexpr uint64_t Many = 3 * FarCachePages * InPage;

TEST(FarMemory, TheCacheHasTheStatedSize) {
  FarFile File(10);
  ASSERT_EQ(HasSmallCache, 0);
  EXPECT_EQ(heddle_far_counts().cache_bytes, FarCachePages * FarPage);
}

TEST(FarMemory, RandomLoadsSeeTheFile) {
  FarFile File(Many + 5);
  std::mt19937_64 Random(1);
  for (unsigned I = 0; I < 5000; ++I) {
    const uint64_t Index = Random() % (Many + 5);
    ASSERT_EQ(File.load(Index), farValue(Index)) << Index;
  }
  EXPECT_EQ(File.load(Many + 4), farValue(Many + 4)) << "in a part of a page";
}

TEST(FarMemory, PagesStayWhileTheyAreUsed) {
  FarFile File(Many);
  uint64_t Misses = 0;
  for (unsigned Round = 0; Round < 3; ++Round) {
    for (uint64_t I = 0; I < 20 * InPage; ++I)
      ASSERT_EQ(File.load(I), farValue(I));
    const uint64_t Now = heddle_far_counts().misses;
    EXPECT_TRUE(Round == 0 || Now == Misses);
    Misses = Now;
  }
}

TEST(FarMemory, PagesInOrderAreReadAhead) {
  FarFile File(Many + 100);
  for (uint64_t I = 0; I < Many + 100; ++I)
    ASSERT_EQ(File.load(I), farValue(I));
}

/// No page is read twice, although many are requested before they are needed.
TEST(FarMemory, WhatIsReadAheadIsOfUse) {
  for (uint64_t Pages : {1, 2, 3, 50, 700}) {
    FarFile File(Pages * InPage - 3);
    const uint64_t Before = heddle_far_counts().misses;
    for (uint64_t I = 0; I < Pages * InPage - 3; I += 64)
      ASSERT_EQ(File.load(I), farValue(I));
    EXPECT_EQ(heddle_far_counts().misses - Before, Pages);
  }
}

TEST(FarMemory, ScansMayMeetPagesThatAreThere) {
  FarFile File(Many, HEDDLE_FAR_UPDATE);
  for (uint64_t Page = 0; Page < 100; Page += 7)
    File.store(Page * InPage + 5, Page);
  for (uint64_t I = 0; I < 200 * InPage; ++I) {
    const bool IsStored =
        I % InPage == 5 && I / InPage % 7 == 0 && I < 100 * InPage;
    ASSERT_EQ(File.load(I), IsStored ? I / InPage : farValue(I)) << I;
  }
}

/// Side by side, and more of them than a thread keeps in sight.
TEST(FarMemory, ScansOfSeveralRegions) {
  std::vector<std::unique_ptr<FarFile>> Files;
  for (unsigned I = 0; I < HEDDLE_FAR_NEAR + 3; ++I)
    Files.push_back(std::make_unique<FarFile>(60 * InPage, HEDDLE_FAR_UPDATE));
  for (uint64_t I = 0; I < 60 * InPage; I += 5)
    for (uint64_t K = 0; K < Files.size(); ++K) {
      ASSERT_EQ(Files[K]->load(I), farValue(I));
      Files[K]->store(I, I * K);
    }
  for (uint64_t K = 0; K < Files.size(); ++K) {
    ASSERT_EQ(Files[K]->sync(), 0);
    for (uint64_t I = 0; I < 60 * InPage; I += 997)
      ASSERT_EQ(Files[K]->inFile(I), I % 5 ? farValue(I) : I * K);
  }
}

/// Accesses pages like compiled loops.
TEST(FarMemory, ThreadsHaveTheirLatestPagesInSight) {
  FarFile File(2 * InPage + 10, HEDDLE_FAR_UPDATE);
  auto near = [&] {
    return heddle_far_near[(File.address(0) >> 48) % HEDDLE_FAR_NEAR];
  };
  EXPECT_EQ(File.load(InPage + 3), farValue(InPage + 3));
  EXPECT_EQ(near()->address, File.address(InPage));
  EXPECT_EQ(near()->readable, FarPage);
  EXPECT_EQ(near()->writable, FarPage);
  EXPECT_FALSE(near()->is_dirty);
  const uint64_t Value = 42;
  memcpy(near()->bytes + 8, &Value, sizeof Value);
  __atomic_store_n(&near()->is_dirty, true, __ATOMIC_RELEASE);
  EXPECT_EQ(File.load(InPage + 1), 42u);
  File.load(2 * InPage);
  EXPECT_EQ(near()->address, File.address(2 * InPage));
  EXPECT_EQ(near()->readable, 64u) << "of the 80 bytes that there are";
  std::thread Other([&] { EXPECT_EQ(near()->readable, 0u); });
  Other.join();
  ASSERT_EQ(File.sync(), 0);
  EXPECT_EQ(File.inFile(InPage + 1), 42u);
  ASSERT_EQ(File.close(), 0);
  File.open(HEDDLE_FAR_READ);
  EXPECT_EQ(near()->readable, 0u) << "of the region that was closed";
  EXPECT_EQ(File.load(1), farValue(1));
  EXPECT_EQ(near()->readable, FarPage);
  EXPECT_EQ(near()->writable, 0u);
}

TEST(FarMemory, ObjectsMayLieInSeveralPages) {
  FarFile File(Many);
  std::vector<uint64_t> Values(3 * InPage);
  const void *Joined =
      heddle_far_load(File.address(InPage - 7), Values.size() * 8);
  memcpy(Values.data(), Joined, Values.size() * 8);
  for (uint64_t I = 0; I < Values.size(); ++I)
    ASSERT_EQ(Values[I], farValue(InPage - 7 + I));
}

TEST(FarMemory, StoresReachTheFileAtLast) {
  FarFile File(Many + 3, HEDDLE_FAR_UPDATE);
  for (uint64_t I = 0; I < Many + 3; I += 100)
    File.store(I, I);
  File.store(Many + 2, 77);
  for (uint64_t I = 0; I < Many; ++I)
    ASSERT_EQ(File.load(I), I % 100 ? farValue(I) : I);
  ASSERT_EQ(File.sync(), 0);
  EXPECT_EQ(File.inFile(100), 100u);
  EXPECT_EQ(File.inFile(Many + 2), 77u);
  File.store(101, 5);
  ASSERT_EQ(File.close(), 0);
  EXPECT_EQ(File.inFile(101), 5u);
  EXPECT_EQ(readText(File.path()).size(), (Many + 3) * 8) << "not longer";
  File.open(HEDDLE_FAR_READ);
  EXPECT_EQ(File.load(101), 5u);
}

TEST(FarMemory, NewFilesAreZeros) {
  TemporaryDirectory Directory;
  const std::string Path = Directory.file("new");
  writeText(Path, "something that was there before");
  auto *Start = heddle_far_open(Path.c_str(), HEDDLE_FAR_CREATE, 10000);
  const auto Address = reinterpret_cast<uint64_t>(Start);
  ASSERT_NE(Address, 0u);
  EXPECT_EQ(heddle_far_size(Start), 10000u);
  heddle_far_fill(Address + 4000, 9, 5000);
  uint8_t Bytes[10000];
  heddle_far_read(Bytes, Address, sizeof Bytes);
  for (unsigned I = 0; I < 10000; ++I)
    ASSERT_EQ(Bytes[I], I >= 4000 && I < 9000 ? 9 : 0) << I;
  EXPECT_EQ(heddle_far_close(Start), 0);
  EXPECT_EQ(readText(Path).size(), 10000u);
  EXPECT_EQ(readText(Path)[8999], 9);
}

/// The old contents of the file do not matter, and this file has none.
TEST(FarMemory, PagesThatAreOverwrittenAreNotRead) {
  FarFile File(Many, HEDDLE_FAR_UPDATE);
  ASSERT_EQ(truncate(File.path().c_str(), 10 * FarPage), 0);
  heddle_far_fill(File.address(20 * InPage), 7, 30 * FarPage);
  const std::vector<uint64_t> Values(5 * InPage, 8);
  heddle_far_store(File.address(60 * InPage), Values.data(), 5 * FarPage);
  ASSERT_EQ(File.close(), 0);
  const std::string Text = readText(File.path());
  ASSERT_EQ(Text.size(), 65 * FarPage);
  for (uint64_t I = 0; I < Text.size(); ++I) {
    const uint64_t Page = I / FarPage;
    if (Page >= 20 && Page < 50)
      ASSERT_EQ(Text[I], 7);
    else if (Page >= 60)
      ASSERT_EQ(Text[I], I % 8 ? 0 : 8);
    else if (Page >= 10)
      ASSERT_EQ(Text[I], 0);
  }
}

TEST(FarMemory, MovesWithinIt) {
  for (int64_t Distance : {-3000, -1, 1, 700, 6000}) {
    FarFile File(2000, HEDDLE_FAR_UPDATE);
    std::vector<uint8_t> Expected(16000);
    heddle_far_read(Expected.data(), File.address(0), Expected.size());
    memmove(Expected.data() + 4000 + Distance, Expected.data() + 4000, 5000);
    const uint64_t From = File.address(0) + 4000;
    heddle_far_move(From + static_cast<uint64_t>(Distance), From, 5000);
    std::vector<uint8_t> Found(Expected.size());
    heddle_far_read(Found.data(), File.address(0), Found.size());
    EXPECT_EQ(Found, Expected) << Distance;
  }
}

TEST(FarMemory, NumbersOfRegionsServeAgain) {
  for (uint64_t I = 0; I < 20; ++I) {
    FarFile File(I + 1, HEDDLE_FAR_UPDATE);
    ASSERT_EQ(File.load(I), farValue(I));
    File.store(I, 42);
    ASSERT_EQ(File.load(I), 42u);
  }
}

TEST(FarMemory, WhatCannotBeOpenedIsAnError) {
  TemporaryDirectory Directory;
  auto failsWith = [&](const std::string &Path, heddle_far_mode Mode,
                       size_t Bytes) {
    errno = 0;
    const bool Opened = reinterpret_cast<uint64_t>(
                            heddle_far_open(Path.c_str(), Mode, Bytes)) != 0;
    EXPECT_FALSE(Opened);
    return errno;
  };
  const std::string Missing = Directory.file("missing");
  EXPECT_EQ(failsWith(Missing, HEDDLE_FAR_READ, 0), ENOENT);
  EXPECT_EQ(failsWith(Missing, HEDDLE_FAR_READ, 10), EINVAL);
  EXPECT_EQ(failsWith(Missing, HEDDLE_FAR_CREATE, size_t(1) << 50), EINVAL);
  EXPECT_EQ(failsWith(Directory.file(""), HEDDLE_FAR_READ, 0), EINVAL);
  EXPECT_EQ(failsWith("/dev/null", HEDDLE_FAR_READ, 0), EINVAL);
  EXPECT_EQ(Directory.entries(), 0u);
  EXPECT_EQ(heddle_far_close(FarFile::pointer(uint64_t(4000) << 48)), -1);
  EXPECT_EQ(errno, EINVAL);
}

/// The arguments and the results of a check.
struct Checked {
  static bool check(void *Self, uint64_t Offset, const void *Page, int Error) {
    Checked &To = *static_cast<Checked *>(Self);
    const std::lock_guard Lock(To.InUse);
    EXPECT_TRUE(To.Errors.emplace(Offset / FarPage, Error).second) << "twice";
    EXPECT_EQ(Offset % FarPage, 0u);
    if (Error)
      return false;
    const auto *Values = static_cast<const uint64_t *>(Page);
    for (uint64_t I = 0, Index = Offset / 8; I < InPage; ++I, ++Index)
      EXPECT_EQ(Values[I], Index < To.Count ? farValue(Index) : 0);
    return !To.Refused.contains(Offset / FarPage);
  }

  uint64_t Count;
  std::set<uint64_t> Refused;
  std::map<uint64_t, int> Errors = {}; ///< by page
  std::mutex InUse = {};
};

/// The last page is not whole.
TEST(FarMemory, PagesAreCheckedWhenTheyHaveBeenRead) {
  constexpr uint64_t Count = 100 * InPage + 7;
  FarFile File(Count);
  Checked Check = {Count, {3, 50, 100}};
  File.openChecked(Checked::check, &Check);
  inThreads(3, [&](unsigned Thread) {
    for (uint64_t I = Thread; I < Count; I += 5)
      ASSERT_EQ(File.load(I),
                Check.Refused.contains(I / InPage) ? 0 : farValue(I));
  });
  EXPECT_EQ(Check.Errors.size(), 101u);
  ASSERT_EQ(File.close(), 0);
}

TEST(FarMemory, ChecksAreToldWhatCouldNotBeRead) {
  constexpr uint64_t Count = 40 * InPage;
  FarFile File(Count);
  Checked Check = {Count, {}};
  File.openChecked(Checked::check, &Check);
  ASSERT_EQ(truncate(File.path().c_str(), 9 * FarPage + 100), 0);
  EXPECT_EQ(File.load(20 * InPage), 0u);
  EXPECT_EQ(File.load(8 * InPage), farValue(8 * InPage));
  EXPECT_EQ(File.load(9 * InPage), 0u);
  EXPECT_EQ(Check.Errors.at(20), ENODATA);
  EXPECT_EQ(Check.Errors.at(9), ENODATA);
  EXPECT_EQ(Check.Errors.at(8), 0);
  ASSERT_EQ(File.close(), 0);
}

using FarMemoryDeathTest = testing::Test;

/// Each case runs in a process without a cache.
TEST(FarMemoryDeathTest, TheCacheIsAsSmallAsAnybodyAsked) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  auto bytesOf = [](std::initializer_list<size_t> Limits) {
    setenv("HEDDLE_FAR_CACHE", "8M", 1);
    size_t Bytes = 0;
    for (size_t Limit : Limits)
      Bytes = heddle_far_limit_cache(Limit);
    {
      FarFile File(10);
      const bool IsAsSaid = heddle_far_counts().cache_bytes == Bytes &&
                            heddle_far_limit_cache(0) == Bytes;
      fprintf(stderr, "%zu KiB, %d", Bytes >> 10, IsAsSaid);
    }
    _exit(0);
  };
  EXPECT_EXIT(bytesOf({SIZE_MAX}), testing::ExitedWithCode(0), "8192 KiB, 1");
  EXPECT_EXIT(bytesOf({size_t(3) << 20, size_t(5) << 20}),
              testing::ExitedWithCode(0), "3072 KiB, 1");
  EXPECT_EXIT(bytesOf({size_t(5) << 20, (size_t(3) << 20) + 99}),
              testing::ExitedWithCode(0), "3072 KiB, 1");
  EXPECT_EXIT(bytesOf({0}), testing::ExitedWithCode(0), "1024 KiB, 1");
}

TEST(FarMemoryDeathTest, AccessesOutsideAreNamed) {
  FarFile File(1000);
  EXPECT_EXIT(File.load(1000), testing::ExitedWithCode(1),
              "error: reading .*far at byte 8000 of 8000: Bad address");
  EXPECT_EXIT(heddle_far_load(File.address(999), 16),
              testing::ExitedWithCode(1), "at byte 7992 of 8000");
  EXPECT_EXIT(File.store(1, 1), testing::ExitedWithCode(1),
              "error: writing .*far at byte 8 of 8000: Read-only file system");
  EXPECT_EXIT(heddle_far_change(File.address(1), 8), testing::ExitedWithCode(1),
              "error: writing .*far at byte 8 of 8000: Read-only file system");
  EXPECT_EXIT(heddle_far_load(12345, 8), testing::ExitedWithCode(1),
              "error: reading far memory at 0x3039: no such region");
}

TEST(FarMemoryDeathTest, WhatIsChangedLiesInOnePage) {
  FarFile File(1000, HEDDLE_FAR_UPDATE);
  const uint64_t Address = File.address(InPage);
  EXPECT_EQ(heddle_far_change(Address - 8, 8)->address, Address - FarPage);
  EXPECT_EXIT(heddle_far_change(Address - 4, 8), testing::ExitedWithCode(1),
              "error: changing .*far at byte 4092 of 8000: Invalid argument");
}

TEST(FarMemoryDeathTest, AFileThatHasBecomeShorterIsNamed) {
  FarFile File(Many);
  ASSERT_EQ(truncate(File.path().c_str(), 10 * FarPage + 5), 0);
  EXPECT_EQ(File.load(9 * InPage), farValue(9 * InPage));
  EXPECT_EXIT(File.load(10 * InPage), testing::ExitedWithCode(1),
              "error: reading .*far at byte 40960 of [0-9]+: the file has "
              "become shorter");
  EXPECT_EXIT(File.load(500 * InPage), testing::ExitedWithCode(1),
              "the file has become shorter");
}

/// A part of the pages that are read ahead exists.
TEST(FarMemoryDeathTest, AFileMayBecomeShorterBeforeAScan) {
  FarFile File(Many);
  ASSERT_EQ(truncate(File.path().c_str(), 101 * FarPage), 0);
  for (uint64_t I = 0; I < 101 * InPage; ++I)
    ASSERT_EQ(File.load(I), farValue(I));
  EXPECT_EXIT(File.load(101 * InPage), testing::ExitedWithCode(1),
              "reading .*far at byte 413696 of .*become shorter");
}

/// While pages are on their way, and one is in sight.
TEST(FarMemoryDeathTest, ProcessesMayForkInAScan) {
  FarFile File(Many, HEDDLE_FAR_UPDATE);
  auto scan = [&](uint64_t Begin) {
    for (uint64_t I = Begin; I < Many; ++I)
      if (File.load(I) != farValue(I))
        return false;
    return true;
  };
  for (uint64_t I = 0; I < 20 * InPage; ++I)
    ASSERT_EQ(File.load(I), farValue(I));
  EXPECT_EXIT(_exit(scan(20 * InPage) && scan(0) ? 0 : 1),
              testing::ExitedWithCode(0), "");
  EXPECT_TRUE(scan(20 * InPage));
}

/// The disk may be full for a while.
TEST(FarMemory, WhatCouldNotBeWrittenIsWrittenLater) {
  FarFile File(100 * InPage, HEDDLE_FAR_UPDATE);
  File.store(80 * InPage, 1);
  File.store(20 * InPage, 2);
  rlimit Usual;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &Usual), 0);
  const auto Handler = signal(SIGXFSZ, SIG_IGN);
  const rlimit Small = {50 * FarPage, Usual.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &Small), 0);
  for (unsigned Try = 0; Try < 2; ++Try) {
    EXPECT_EQ(File.sync(), -1);
    EXPECT_EQ(errno, EFBIG);
  }
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &Usual), 0);
  signal(SIGXFSZ, Handler);
  EXPECT_EQ(File.inFile(80 * InPage), farValue(80 * InPage));
  EXPECT_EQ(File.load(80 * InPage), 1u);
  EXPECT_EQ(File.sync(), 0);
  EXPECT_EQ(File.inFile(80 * InPage), 1u);
  EXPECT_EQ(File.inFile(20 * InPage), 2u);
}

/// Simulates containers that forbid io_uring.
TEST(FarMemoryDeathTest, ItWorksWithoutAUring) {
  FarFile File(Many, HEDDLE_FAR_UPDATE);
  auto work = [&] {
    const rlimit None = {3, 3};
    if (setrlimit(RLIMIT_NOFILE, &None) != 0)
      return false;
    for (uint64_t I = 0; I < Many; I += InPage / 2)
      File.store(I, I);
    heddle_amu *Amu = heddle_amu_begin(nullptr, HEDDLE_AMU_IDS);
    heddle_amu_aload(Amu, 0, File.address(InPage - 1), 16);
    const bool Waits = heddle_amu_await(Amu, 0);
    heddle_amu_end(Amu);
    bool IsSame = !Waits;
    for (uint64_t I = 0; I < Many; ++I)
      IsSame &= File.load(I) == (I % (InPage / 2) ? farValue(I) : I);
    return IsSame && File.sync() == 0;
  };
  EXPECT_EXIT(_exit(work() ? 0 : 1), testing::ExitedWithCode(0),
              "warning: no io_uring .*: far memory is read one page");
}

/// Each thread has its own values among those of the others, in the same pages.
TEST(FarMemory, ThreadsShareIt) {
  constexpr unsigned Threads = 4;
  FarFile File(Many, HEDDLE_FAR_UPDATE);
  std::atomic<unsigned> Wrong = 0;
  inThreads(Threads, [&](uint64_t Own) {
    std::mt19937_64 Random(Own);
    std::vector<uint64_t> Mine(Many / Threads);
    for (uint64_t I = 0; I < Mine.size(); ++I)
      Mine[I] = farValue(I * Threads + Own);
    for (unsigned I = 0; I < 4000; ++I) {
      const uint64_t At = Random() % Mine.size();
      Wrong += File.load(At * Threads + Own) != Mine[At];
      if (I % 3 == 0)
        File.store(At * Threads + Own, Mine[At] = Random());
    }
    for (uint64_t I = 0; I < Mine.size(); I += 7)
      Wrong += File.load(I * Threads + Own) != Mine[I];
  });
  EXPECT_EQ(Wrong, 0u);
}

/// Pages are changed where they are, and are written and read meanwhile.
TEST(FarMemory, ThreadsUpdateTheSameValues) {
  constexpr unsigned Threads = 4, Updates = 20000, Pages = Many / InPage;
  FarFile File(Many, HEDDLE_FAR_UPDATE);
  inThreads(Threads, [&](unsigned Own) {
    std::mt19937_64 Random(Own);
    for (unsigned I = 0; I < Updates; ++I) {
      const uint64_t Address = File.address(Random() % Pages * InPage);
      heddle_far_page *Page = heddle_far_change(Address, sizeof(uint64_t));
      auto *At =
          reinterpret_cast<uint64_t *>(Page->bytes + Address - Page->address);
      __atomic_fetch_add(At, 1, __ATOMIC_RELAXED);
      __atomic_store_n(&Page->is_dirty, true, __ATOMIC_RELEASE);
    }
  });
  uint64_t Sum = 0;
  for (uint64_t I = 0; I < Pages; ++I)
    Sum += File.load(I * InPage) - farValue(I * InPage);
  EXPECT_EQ(Sum, Threads * Updates);
}

/// If the cache is small, they keep fewer pages in sight than otherwise.
TEST(FarMemory, ThreadsThatWaitLeaveRoomForOthers) {
  constexpr unsigned Threads = 40;
  static_assert(Threads * HEDDLE_FAR_NEAR > FarCachePages);
  std::vector<std::unique_ptr<FarFile>> Files;
  for (unsigned I = 0; I < HEDDLE_FAR_NEAR; ++I)
    Files.push_back(std::make_unique<FarFile>(Threads * InPage));
  std::latch AllHaveAccessed(Threads);
  inThreads(Threads, [&](unsigned Own) {
    for (const auto &File : Files)
      EXPECT_EQ(File->load(Own * InPage), farValue(Own * InPage));
    AllHaveAccessed.arrive_and_wait();
  });
}

} // namespace
