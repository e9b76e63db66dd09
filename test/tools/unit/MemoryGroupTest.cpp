//===- MemoryGroupTest.cpp - A process and a limit to its memory ----------===//

#include "bench/measure/MemoryGroup.h"
#include "bench/measure/Isolate.h"
#include "command/Error.h"

#include <cstring>
#include <gtest/gtest.h>
#include <optional>
#include <sys/mman.h>

namespace heddle::bench {
namespace {

constexpr std::uint64_t Limit = 32 << 20;

/// Runs a process in the group that takes `bytes` bytes.
void takeMemory(const MemoryGroup &group, std::size_t bytes) {
  runInChild([&] {
    group.enter();
    void *const taken = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    std::memset(taken, 1, bytes);
    return std::string();
  });
}

class MemoryGroups : public testing::Test {
protected:
  void SetUp() override {
    if (!controller)
      GTEST_SKIP() << "this process may not make memory groups";
  }

  const std::optional<MemoryController> controller = findMemoryController();
};

TEST_F(MemoryGroups, CountWhatIsTaken) {
  const MemoryGroup group(*controller, Limit);
  takeMemory(group, Limit / 2);
  EXPECT_GE(group.peakBytes(), Limit / 2);
  EXPECT_LE(group.peakBytes(), Limit);
}

TEST_F(MemoryGroups, EndWhoTakesMore) {
  const MemoryGroup group(*controller, Limit);
  try {
    takeMemory(group, 4 * Limit);
    FAIL() << "it was not ended";
  } catch (const Error &error) {
    EXPECT_STREQ(error.what(), "crashed: Killed");
  }
  EXPECT_LE(group.peakBytes(), Limit);
}

TEST_F(MemoryGroups, MayBeSeveral) {
  const MemoryGroup one(*controller, Limit), other(*controller, Limit);
  takeMemory(other, Limit / 2);
  EXPECT_LT(one.peakBytes(), Limit / 2);
}

} // namespace
} // namespace heddle::bench
