//===- FilesTest.cpp - Reading and replacing small files ------------------===//

#include "host/files.h"
#include "support/TemporaryDirectory.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace heddle::test;

namespace {

/// What the power would cut off: the calls that order data and names.
std::vector<std::string> Calls;

/// File systems without unnamed files.
bool HasUnnamed = true;

} // namespace

extern "C" {

int __real_fsync(int File);
int __real_linkat(int From, const char *Old, int To, const char *New, int);
int __real_renameat(int From, const char *Old, int To, const char *New);
int __real_openat(int Directory, const char *Name, int Flags, mode_t Mode);

int __wrap_fsync(int File) {
  struct stat Status;
  fstat(File, &Status);
  Calls.push_back(S_ISDIR(Status.st_mode) ? "sync directory" : "sync file");
  return __real_fsync(File);
}

int __wrap_linkat(int From, const char *Old, int To, const char *New,
                  int Flags) {
  const int Result = __real_linkat(From, Old, To, New, Flags);
  if (Result == 0)
    Calls.push_back("link");
  return Result;
}

int __wrap_renameat(int From, const char *Old, int To, const char *New) {
  Calls.push_back("rename");
  return __real_renameat(From, Old, To, New);
}

int __wrap_openat(int Directory, const char *Name, int Flags, mode_t Mode) {
  if (!HasUnnamed && (Flags & O_TMPFILE) == O_TMPFILE)
    return errno = EOPNOTSUPP, -1;
  return __real_openat(Directory, Name, Flags, Mode);
}

} // extern "C"

namespace {

bool replace(const std::string &Path, const std::string &Text) {
  return heddle_replace_file(Path.c_str(), Text.data(), Text.size());
}

char *addLine(char *Contents, size_t *Size, int, void *Line) {
  const std::string Text =
      std::string(Contents ? Contents : "", *Size) + static_cast<char *>(Line);
  *Size = Text.size();
  return strdup(Text.c_str());
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

/// A report to a standard stream is added to what is there.
TEST(Files, WhatThisProcessHasOpenIsNoFileToReplace) {
  TemporaryDirectory Directory;
  const std::string Path = Directory.file("f");
  const int File = open(Path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  ASSERT_EQ(write(File, "before,", 7), 7);
  const std::string Name = "/dev/fd/" + std::to_string(File);
  size_t Size;
  EXPECT_EQ(heddle_read_file(Name.c_str(), &Size), nullptr);
  EXPECT_EQ(errno, EINVAL);
  char Text[] = "added,";
  EXPECT_TRUE(heddle_update_file(Name.c_str(), addLine, Text));
  ASSERT_EQ(write(File, "after", 5), 5);
  EXPECT_EQ(readText(Path), "before,added,after");
  close(File);
}

TEST(Files, FailuresLeaveNothing) {
  TemporaryDirectory Directory;
  EXPECT_FALSE(replace(Directory.file("no/such/f"), "text"));
  EXPECT_EQ(errno, ENOENT);
  EXPECT_FALSE(replace(Directory.file("."), "text"));
  EXPECT_EQ(errno, EISDIR);
  EXPECT_EQ(Directory.entries(), 0u);
}

/// After each call, the power may fail: the name never leads to a file whose
/// data are not on the disk.
TEST(Files, AreOnTheDiskBeforeTheyTakeTheirNames) {
  using List = std::vector<std::string>;
  for (const bool Unnamed : {true, false}) {
    HasUnnamed = Unnamed;
    TemporaryDirectory Directory;
    const std::string Path = Directory.file("f");
    Calls.clear();
    EXPECT_TRUE(replace(Path, "new"));
    EXPECT_EQ(Calls, (List{"sync file", Unnamed ? "link" : "rename",
                           "sync directory"}));
    Calls.clear();
    EXPECT_TRUE(replace(Path, "newer"));
    EXPECT_EQ(Calls,
              Unnamed ? (List{"sync file", "link", "rename", "sync directory"})
                      : (List{"sync file", "rename", "sync directory"}));
    EXPECT_EQ(readText(Path), "newer");
    EXPECT_EQ(Directory.entries(), 1u);
  }
  HasUnnamed = true;
}

TEST(Files, LinksToFilesThatDoNotExistYetMakeThem) {
  TemporaryDirectory Directory;
  std::filesystem::create_directory(Directory.file("below"));
  for (const auto &[Link, Target] :
       std::vector<std::pair<std::string, std::string>>{
           {"a", "target"},
           {"b", "below/target"},
           {"c", Directory.file("absolute")},
           {"below/d", "../up"},
           {"./e", "./below/../other"}}) {
    const std::string Path = Directory.file(Link);
    std::filesystem::create_symlink(Target, Path);
    EXPECT_TRUE(replace(Path, Link));
    EXPECT_TRUE(std::filesystem::is_symlink(Path)) << Link;
    EXPECT_EQ(readText(Path), Link);
  }
  EXPECT_EQ(readText(Directory.file("up")), "below/d");
  std::filesystem::create_symlink("none", Directory.file("next"));
  std::filesystem::create_symlink("next", Directory.file("chain"));
  EXPECT_TRUE(replace(Directory.file("chain"), "text"));
  EXPECT_EQ(readText(Directory.file("none")), "text");

  std::filesystem::create_symlink("nowhere/target", Directory.file("lost"));
  EXPECT_FALSE(replace(Directory.file("lost"), "text"));
  EXPECT_EQ(errno, ENOENT);
  std::filesystem::create_symlink("circle", Directory.file("circle"));
  EXPECT_FALSE(replace(Directory.file("circle"), "text"));
  EXPECT_EQ(errno, ELOOP);
}

TEST(Files, LongNamesAreNoProblem) {
  TemporaryDirectory Directory;
  const std::string Longest(255, 'n');
  EXPECT_TRUE(replace(Directory.file(Longest), "one"));
  EXPECT_TRUE(replace(Directory.file(Longest), "two"));
  EXPECT_EQ(readText(Directory.file(Longest)), "two");
  EXPECT_FALSE(replace(Directory.file(Longest + "n"), "text"));
  EXPECT_EQ(errno, ENAMETOOLONG);
  EXPECT_EQ(Directory.entries(), 1u);
}

TEST(Files, PipesAreNotWaitedFor) {
  TemporaryDirectory Directory;
  const std::string Pipe = Directory.file("pipe");
  ASSERT_EQ(mkfifo(Pipe.c_str(), 0600), 0);
  size_t Size;
  EXPECT_EQ(heddle_read_file(Pipe.c_str(), &Size), nullptr);
  EXPECT_EQ(errno, EINVAL);
  EXPECT_FALSE(replace(Pipe, "text"));
  EXPECT_EQ(errno, ENXIO);
  const int Reader = open(Pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  EXPECT_TRUE(replace(Pipe, "text"));
  char Text[8];
  EXPECT_EQ(read(Reader, Text, sizeof Text), 4);
  close(Reader);
}

/// Neither a limit of file sizes nor a closed pipe kills the program.
TEST(Files, SignalsOfWritingAreErrors) {
  TemporaryDirectory Directory;
  const std::string Path = Directory.file("f");
  ASSERT_TRUE(replace(Path, "old"));
  rlimit Before;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &Before), 0);
  const rlimit Small = {1000, Before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &Small), 0);
  EXPECT_FALSE(replace(Path, std::string(2000, 'x')));
  EXPECT_EQ(errno, EFBIG);
  EXPECT_TRUE(replace(Directory.file("small"), "fits"));
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &Before), 0);
  EXPECT_EQ(readText(Path), "old");
  EXPECT_EQ(Directory.entries(), 2u);

  int Ends[2];
  ASSERT_EQ(pipe(Ends), 0);
  close(Ends[0]);
  EXPECT_FALSE(replace("/dev/fd/" + std::to_string(Ends[1]), "text"));
  EXPECT_EQ(errno, EPIPE);
  close(Ends[1]);
  // The signals are as before.
  sigset_t Blocked;
  pthread_sigmask(SIG_SETMASK, nullptr, &Blocked);
  EXPECT_EQ(sigismember(&Blocked, SIGXFSZ), 0);
  EXPECT_EQ(sigismember(&Blocked, SIGPIPE), 0);
}

TEST(Files, ClosedStandardStreamsStayClosed) {
  const int Kept = dup(STDIN_FILENO);
  close(STDIN_FILENO);
  const int File = heddle_open("/dev/null", O_RDONLY, 0);
  EXPECT_GT(File, STDERR_FILENO);
  EXPECT_EQ(fcntl(STDIN_FILENO, F_GETFD), -1);
  close(File);
  dup2(Kept, STDIN_FILENO);
  close(Kept);
}

TEST(Files, NoProcessLosesTheChangesOfAnother) {
  TemporaryDirectory Directory;
  const std::string Path = Directory.file("f");
  constexpr int Processes = 6, Changes = 10;
  char Line[] = "line\n";
  for (int I = 0; I < Processes; ++I)
    if (fork() == 0) {
      for (int Change = 0; Change < Changes; ++Change)
        if (!heddle_update_file(Path.c_str(), addLine, Line))
          _exit(1);
      _exit(0);
    }
  for (int I = 0; I < Processes; ++I) {
    int Status;
    wait(&Status);
    EXPECT_EQ(Status, 0);
  }
  EXPECT_EQ(readText(Path).size(), Processes * Changes * strlen(Line));
  EXPECT_EQ(Directory.entries(), 1u);
}

/// The lock is that of the directory where the file is going to be.
char *tryLock(char *, size_t *Size, int, void *Directory) {
  const int Other = open(static_cast<char *>(Directory), O_RDONLY | O_CLOEXEC);
  EXPECT_EQ(flock(Other, LOCK_EX | LOCK_NB), -1);
  EXPECT_EQ(errno, EWOULDBLOCK);
  close(Other);
  *Size = 0;
  return strdup("");
}

TEST(Files, TheLockIsTheSameBeforeThereIsAFile) {
  TemporaryDirectory Links, Files;
  const std::string Link = Links.file("f"), File = Files.file("f");
  ASSERT_EQ(symlink(File.c_str(), Link.c_str()), 0);
  std::string Directory = Files.file(".");
  EXPECT_TRUE(heddle_update_file(Link.c_str(), tryLock, Directory.data()));
  EXPECT_TRUE(heddle_update_file(Link.c_str(), tryLock, Directory.data()));
}

} // namespace
