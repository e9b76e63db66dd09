//===- OutputFileTest.cpp - A file appears whole or not at all ------------===//

#include "graphlib/files/OutputFile.h"

#include "../../support/TemporaryDirectory.h"
#include "heddle/graph/Error.h"

#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace heddle::graph {
namespace {

using test::readText;
using test::TemporaryDirectory;
using test::writeText;

void writeFile(const std::string &path, const std::string &text,
               const OutputOptions &options = {}) {
  OutputFile file(path, options);
  file.write(text);
  file.commit();
}

TEST(OutputFile, NothingIsLeftUnlessItIsCommitted) {
  TemporaryDirectory directory;
  {
    OutputFile file(directory.file("a"));
    file.write(std::string("abandoned"));
  }
  EXPECT_EQ(directory.entries(), 0u);
}

TEST(OutputFile, TheOldFileStaysUntilTheNewOneIsWhole) {
  TemporaryDirectory directory;
  const std::string path = directory.file("a");
  writeText(path, "old");
  OutputFile file(path);
  file.write(std::string("new"));
  EXPECT_EQ(readText(path), "old");
  file.commit();
  EXPECT_EQ(readText(path), "new");
  EXPECT_EQ(directory.entries(), 1u);
}

TEST(OutputFile, LinksStayAndWhatTheyLeadToIsWritten) {
  TemporaryDirectory directory;
  const std::string link = directory.file("link");
  std::filesystem::create_symlink("second", link);
  std::filesystem::create_symlink("target", directory.file("second"));
  for (const std::string text : {"first", "later"}) {
    writeFile(link, text);
    EXPECT_TRUE(std::filesystem::is_symlink(link));
    EXPECT_TRUE(std::filesystem::is_symlink(directory.file("second")));
    EXPECT_EQ(readText(directory.file("target")), text);
    EXPECT_EQ(directory.entries(), 3u);
  }
}

TEST(OutputFile, LinksInACircleAreAnError) {
  TemporaryDirectory directory;
  std::filesystem::create_symlink("a", directory.file("a"));
  EXPECT_THROW(OutputFile{directory.file("a")}, WriteError);
}

/// As the shell has opened it: nothing in it is lost, and what others write to
/// it later is not, either.
TEST(OutputFile, WhatThisProcessHasOpenIsWrittenToAtOnce) {
  TemporaryDirectory directory;
  const std::string path = directory.file("a");
  const int descriptor =
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  ASSERT_EQ(::write(descriptor, "old", 3), 3);
  const std::string number = std::to_string(descriptor);
  std::filesystem::create_symlink("/dev/fd/" + number, directory.file("link"));
  writeFile("/proc/self/fd/" + number, ",1");
  writeFile("/dev/fd/" + number, ",2", {.mayReplace = false});
  writeFile(directory.file("link"), ",3");
  ASSERT_EQ(::write(descriptor, ",4", 2), 2);
  EXPECT_EQ(readText(path), "old,1,2,3,4");
  std::filesystem::remove(path);
  EXPECT_NO_THROW(writeFile("/dev/fd/" + number, ",5"));
  EXPECT_EQ(directory.entries(), 1u);
  struct stat status;
  EXPECT_EQ(::fstat(descriptor, &status), 0);
  EXPECT_EQ(status.st_size, 13);
  ::close(descriptor);
  EXPECT_THROW(OutputFile{"/dev/fd/" + number}, WriteError);
  EXPECT_THROW(OutputFile{"/dev/fd/x"}, WriteError);
}

TEST(OutputFile, AnOpenFileOfAnotherProcessThatLostItsNameIsAnError) {
  TemporaryDirectory directory;
  const std::string path = directory.file("a");
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT, 0666);
  ASSERT_GE(descriptor, 0);
  const pid_t other = ::fork();
  if (other == 0) {
    ::pause();
    ::_exit(0);
  }
  const std::string link =
      "/proc/" + std::to_string(other) + "/fd/" + std::to_string(descriptor);
  EXPECT_NO_THROW(writeFile(link, "new"));
  EXPECT_EQ(readText(path), "new");
  // Now the descriptor is of the old file, which the new one took the name of.
  EXPECT_THROW(OutputFile{link}, WriteError);
  // A file that has this name by chance is another file.
  writeText(path + " (deleted)", "other");
  EXPECT_THROW(OutputFile{link}, WriteError);
  EXPECT_EQ(readText(path + " (deleted)"), "other");
  EXPECT_EQ(directory.entries(), 2u);
  ::kill(other, SIGKILL);
  ::waitpid(other, nullptr, 0);
  ::close(descriptor);
}

TEST(OutputFile, NoFileIsReplacedThatMayNotBe) {
  TemporaryDirectory directory;
  const OutputOptions exclusive = {.mayReplace = false};
  const std::string path = directory.file("a");
  writeFile(path, "first", exclusive);
  EXPECT_EQ(readText(path), "first");
  EXPECT_THROW(OutputFile(path, exclusive), WriteError);

  // Nor one that another program writes meanwhile.
  const std::string late = directory.file("late");
  {
    OutputFile file(late, exclusive);
    writeText(late, "other");
    EXPECT_THROW(file.commit(), WriteError);
  }
  EXPECT_EQ(readText(late), "other");
  EXPECT_EQ(directory.entries(), 2u);
}

TEST(OutputFile, DevicesAreWrittenToAtOnce) {
  EXPECT_NO_THROW(writeFile("/dev/null", "gone"));
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  EXPECT_THROW(writeFile("/dev/full", "x"), WriteError);
}

TEST(OutputFile, CompressionCanBeLeftOut) {
  TemporaryDirectory directory;
  writeFile(directory.file("a.gz"), "plain", {.compress = false});
  EXPECT_EQ(readText(directory.file("a.gz")), "plain");
}

} // namespace
} // namespace heddle::graph
