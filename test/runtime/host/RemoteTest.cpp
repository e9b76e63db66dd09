//===- RemoteTest.cpp - Allocation of every size --------------------------===//

#include "heddle/heddle.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sys/mman.h>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

constexpr size_t MiB = 1 << 20;

TEST(Remote, EverySizeIsWritableAndAligned) {
  for (size_t Size :
       {size_t(1), size_t(63), size_t(64), size_t(65), size_t(100000), MiB - 1,
        MiB, MiB + 1, 2 * MiB, 2 * MiB + 1, 7 * MiB + 3}) {
    void *Block = heddle_remote_alloc(Size);
    ASSERT_NE(Block, nullptr) << Size;
    std::memset(Block, 0xa5, Size);
    size_t Alignment = Size < MiB ? 64 : 2 * MiB;
    EXPECT_EQ(reinterpret_cast<uintptr_t>(Block) % Alignment, 0u) << Size;
    heddle_remote_free(Block);
  }
}

TEST(Remote, NothingIsABlockToo) {
  void *One = heddle_remote_alloc(0), *Other = heddle_remote_alloc(0);
  EXPECT_NE(One, nullptr);
  EXPECT_NE(One, Other);
  heddle_remote_free(One);
  heddle_remote_free(Other);
  heddle_remote_free(nullptr);
}

TEST(Remote, ImpossibleSizesFailCleanly) {
  for (size_t Size : {SIZE_MAX, SIZE_MAX - 64, SIZE_MAX / 2, size_t(1) << 62,
                      size_t(1) << 52}) {
    errno = 0;
    EXPECT_EQ(heddle_remote_alloc(Size), nullptr) << Size;
    EXPECT_EQ(errno, ENOMEM);
  }
}

TEST(Remote, BlocksDoNotOverlap) {
  std::vector<unsigned char *> Blocks;
  for (unsigned I = 0; I < 3000; ++I) {
    size_t Size = I % 100 ? 1 + I % 500 : MiB;
    Blocks.push_back(static_cast<unsigned char *>(heddle_remote_alloc(Size)));
    ASSERT_NE(Blocks.back(), nullptr);
    std::memset(Blocks.back(), static_cast<int>(I % 251), Size);
  }
  for (unsigned I = 0; I < Blocks.size(); ++I) {
    size_t Size = I % 100 ? 1 + I % 500 : MiB;
    EXPECT_EQ(Blocks[I][0], I % 251);
    EXPECT_EQ(Blocks[I][Size - 1], I % 251);
    heddle_remote_free(Blocks[I]);
  }
}

TEST(Remote, ThreadsMayFreeEachOthersBlocks) {
  std::vector<void *> Blocks(400);
  auto allocate = [&](size_t From, size_t To) {
    for (size_t I = From; I < To; ++I) {
      Blocks[I] = heddle_remote_alloc(I % 20 ? 100 * I : MiB);
      std::memset(Blocks[I], 1, 64);
    }
  };
  auto release = [&](size_t From, size_t To) {
    for (size_t I = From; I < To; ++I)
      heddle_remote_free(Blocks[I]);
  };
  std::thread A(allocate, 0, 200), B(allocate, 200, 400);
  A.join();
  B.join();
  std::thread C(release, 200, 400), D(release, 0, 200);
  C.join();
  D.join();
}

bool isMapped(void *Block) {
  unsigned char Residence;
  return mincore(Block, 1, &Residence) == 0;
}

#if !__has_feature(address_sanitizer)
TEST(Remote, FreedBlocksServeAgain) {
  void *Block = heddle_remote_alloc(5 * MiB);
  heddle_remote_free(Block);
  void *Other = heddle_remote_alloc(3 * MiB);
  EXPECT_NE(Other, Block);
  EXPECT_EQ(heddle_remote_alloc(6 * MiB), Block) << "rounded to huge pages";
  heddle_remote_free(Block);
  void *Smaller = heddle_remote_alloc(4 * MiB);
  EXPECT_NE(Smaller, Block) << "a quarter larger at most";
  heddle_remote_free(Smaller);
  EXPECT_EQ(heddle_remote_alloc(5 * MiB), Block);
  heddle_remote_free(Block);
  EXPECT_DEATH(heddle_remote_free(Block),
               "not a live block of heddle_remote_alloc");
  heddle_remote_free(Other);
}

TEST(Remote, FewFreedBlocksAreKept) {
  void *Large = heddle_remote_alloc(513 * MiB);
  EXPECT_TRUE(isMapped(Large));
  heddle_remote_free(Large);
  EXPECT_FALSE(isMapped(Large));

  std::vector<void *> Blocks;
  for (unsigned I = 0; I < 20; ++I)
    Blocks.push_back(heddle_remote_alloc(100 * MiB));
  for (void *Block : Blocks)
    heddle_remote_free(Block);
  size_t Kept = 0;
  for (void *Block : Blocks)
    Kept += isMapped(Block);
  EXPECT_EQ(Kept, 5u);
  EXPECT_TRUE(isMapped(Blocks.back()));
}

void allocateInLittleSpace() {
  heddle_remote_free(heddle_remote_alloc(400 * MiB));
  size_t Pages = 0;
  std::ifstream("/proc/self/statm") >> Pages;
  rlimit Limit;
  Limit.rlim_cur = Limit.rlim_max =
      Pages * static_cast<size_t>(sysconf(_SC_PAGESIZE)) + 100 * MiB;
  setrlimit(RLIMIT_AS, &Limit);
  const bool HasRoom = heddle_remote_alloc(450 * MiB) != nullptr;
  const bool HasMore = heddle_remote_alloc(450 * MiB) != nullptr;
  std::_Exit(HasRoom && !HasMore ? 0 : 1);
}

TEST(Remote, KeptBlocksMakeRoomForOthers) {
  EXPECT_EXIT(allocateInLittleSpace(), testing::ExitedWithCode(0), "");
}
#else
TEST(Remote, AccessesToFreedBlocksAreSeen) {
  void *Block = heddle_remote_alloc(5 * MiB);
  heddle_remote_free(Block);
  EXPECT_FALSE(isMapped(Block));
}
#endif

TEST(Remote, ForeignAndFreedPointersAreRefused) {
  alignas(64) static char Foreign[256];
  EXPECT_DEATH(heddle_remote_free(Foreign + 128),
               "not a live block of heddle_remote_alloc");
}

TEST(Remote, ServesContainers) {
  std::vector<uint64_t, heddle::RemoteAllocator<uint64_t>> Table(MiB, 7);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(Table.data()) % (2 * MiB), 0u);
  EXPECT_EQ(Table.back(), 7u);
  auto Copy = Table;
  EXPECT_EQ(Copy, Table);
  EXPECT_THROW(heddle::RemoteAllocator<uint64_t>().allocate(SIZE_MAX / 4),
               std::bad_alloc);
  EXPECT_THROW(heddle::RemoteAllocator<uint64_t>().allocate(SIZE_MAX / 8),
               std::bad_alloc);
}

} // namespace
