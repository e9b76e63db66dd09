//===- FilesTest.cpp - Reading and replacing small files ------------------===//

#include "host/files.h"
#include "support/TemporaryDirectory.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <sys/stat.h>
#include <unistd.h>

using namespace heddle::test;

namespace {

bool replace(const std::string &Path, const std::string &Text) {
  return heddle_replace_file(Path.c_str(), Text.data(), Text.size());
}

TEST(Files, AreReadWhole) {
  TemporaryDirectory Directory;
  for (size_t Size : {0, 1, 4094, 4095, 4096, 100000}) {
    std::string Text(Size, 'x');
    writeText(Directory.file("f"), Text);
    size_t Read;
    char *Contents = heddle_read_file(Directory.file("f").c_str(), &Read);
    ASSERT_NE(Contents, nullptr);
    EXPECT_EQ(std::string(Contents, Read), Text);
    EXPECT_EQ(Contents[Read], 0);
    free(Contents);
  }
}

TEST(Files, ThatCannotBeReadSayWhy) {
  TemporaryDirectory Directory;
  size_t Size;
  EXPECT_EQ(heddle_read_file(Directory.file("none").c_str(), &Size), nullptr);
  EXPECT_EQ(errno, ENOENT);
  EXPECT_EQ(heddle_read_file(Directory.file("").c_str(), &Size), nullptr);
  EXPECT_EQ(errno, EISDIR);
}

TEST(Files, AreReplacedWithoutLeavingOthers) {
  TemporaryDirectory Directory;
  ASSERT_TRUE(replace(Directory.file("f"), "one"));
  ASSERT_TRUE(replace(Directory.file("f"), "two"));
  EXPECT_EQ(readText(Directory.file("f")), "two");
  EXPECT_EQ(Directory.entries(), 1u);
}

TEST(Files, KeepTheirMode) {
  TemporaryDirectory Directory;
  writeText(Directory.file("f"), "one");
  ASSERT_EQ(chmod(Directory.file("f").c_str(), 0640), 0);
  ASSERT_TRUE(replace(Directory.file("f"), "two"));
  struct stat Status;
  ASSERT_EQ(stat(Directory.file("f").c_str(), &Status), 0);
  EXPECT_EQ(Status.st_mode & 0777, 0640u);
}

TEST(Files, ASymbolicLinkStaysOne) {
  TemporaryDirectory Directory;
  writeText(Directory.file("target"), "one");
  ASSERT_EQ(symlink("target", Directory.file("link").c_str()), 0);
  ASSERT_TRUE(replace(Directory.file("link"), "two"));
  EXPECT_EQ(readText(Directory.file("target")), "two");
  EXPECT_TRUE(std::filesystem::is_symlink(Directory.file("link")));
}

TEST(Files, ADeviceIsWrittenTo) {
  EXPECT_TRUE(replace("/dev/null", "text"));
  EXPECT_FALSE(replace("/dev/full", "text"));
  EXPECT_EQ(errno, ENOSPC);
}

TEST(Files, FailuresLeaveNothing) {
  TemporaryDirectory Directory;
  EXPECT_FALSE(replace(Directory.file("no/such/f"), "text"));
  EXPECT_EQ(errno, ENOENT);
  EXPECT_FALSE(replace(Directory.file("."), "text"));
  EXPECT_EQ(errno, EISDIR);
  EXPECT_EQ(Directory.entries(), 0u);
}

} // namespace
