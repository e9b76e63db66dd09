//===- DiskBytesTest.cpp - The disk transfers of this process -------------===//

#include "output/DiskBytes.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <unistd.h>
#include <vector>

namespace {

TEST(DiskBytes, CountsWhatIsWritten) {
  const auto before = heddle::diskBytesOfProcess();
  if (!before)
    GTEST_SKIP() << "the system does not count";
  char name[] = "bytes-XXXXXX";
  const int file = mkstemp(name);
  ASSERT_GE(file, 0);
  unlink(name);
  const std::vector<char> bytes(1 << 20);
  ASSERT_EQ(write(file, bytes.data(), bytes.size()), 1 << 20);
  ASSERT_EQ(fsync(file), 0);
  close(file);
  const auto after = heddle::diskBytesOfProcess();
  ASSERT_TRUE(after);
  // File systems in memory have no disk.
  const auto written = after->written - before->written;
  EXPECT_TRUE(written == 0 || written >= bytes.size()) << written;
}

} // namespace
