//===- HostCacheTest.cpp - The probe, its result and its file -------------===//

#include "host/hostcache.h"
#include "host/probe.h"
#include "support/TemporaryDirectory.h"

#include <gtest/gtest.h>

#include <cerrno>

using namespace heddle::test;

namespace {

const heddle_host Sample = {218.25, 183.5, 20.5, 12.25, 11, 40, 24, 1};
const char Name[] = "Some CPU @ 3 GHz, caches 32768 1048576 0";

std::string format(const heddle_host &Host) {
  char Text[1024];
  size_t Size = heddle_format_host(Text, sizeof Text, Name, &Host);
  return std::string(Text, Size);
}

bool parses(const std::string &Text, const char *ForName = Name) {
  heddle_host Host;
  return heddle_parse_host(Text.c_str(), ForName, &Host);
}

std::string with(const std::string &From, const std::string &To) {
  std::string Text = format(Sample);
  size_t At = Text.find(From);
  EXPECT_NE(At, std::string::npos);
  return Text.replace(At, From.size(), To);
}

TEST(HostCache, RoundTrip) {
  heddle_host Host;
  ASSERT_TRUE(heddle_parse_host(format(Sample).c_str(), Name, &Host));
  EXPECT_EQ(Host.latency_4k, Sample.latency_4k);
  EXPECT_EQ(Host.latency_huge, Sample.latency_huge);
  EXPECT_EQ(Host.access_4k, Sample.access_4k);
  EXPECT_EQ(Host.access_huge, Sample.access_huge);
  EXPECT_EQ(Host.requests, Sample.requests);
  EXPECT_EQ(Host.lockstep_tasks, Sample.lockstep_tasks);
  EXPECT_EQ(Host.fifo_tasks, Sample.fifo_tasks);
  EXPECT_EQ(Host.huge_pages, Sample.huge_pages);
}

TEST(HostCache, OtherVersionsAndHostsAreRefused) {
  EXPECT_FALSE(parses(with("heddle-probe 1", "heddle-probe 2")));
  EXPECT_FALSE(parses(format(Sample), "Some CPU @ 3 GHz, caches 0 0 0"));
}

TEST(HostCache, EveryTruncationIsRefused) {
  std::string Text = format(Sample);
  for (size_t Size = 0; Size < Text.size(); ++Size)
    EXPECT_FALSE(parses(Text.substr(0, Size))) << Size;
}

TEST(HostCache, DamageIsRefused) {
  EXPECT_FALSE(parses(with("218.25", "218.25x")));
  EXPECT_FALSE(parses(with("218.25", "")));
  EXPECT_FALSE(parses(with("218.25", "-1")));
  EXPECT_FALSE(parses(with("218.25", "nan")));
  EXPECT_FALSE(parses(with("218.25", "inf")));
  EXPECT_FALSE(parses(with("fifo_tasks: 24", "fifo_tasks: 0")));
  EXPECT_FALSE(parses(with("fifo_tasks: 24", "fifo_tasks: 24.5")));
  EXPECT_FALSE(parses(with("fifo_tasks: 24", "fifo_tasks: 99999999999")));
  EXPECT_FALSE(parses(with("fifo_tasks", "fifo tasks")));
  EXPECT_FALSE(parses(with("huge_pages: 1", "huge_pages: 2")));
  EXPECT_FALSE(parses(std::string(1000, '\xff')));
}

TEST(HostCache, TasksFollowTheOverlap) {
  heddle_host Host = {210, 180, 20, 12, 0, 0, 0, 1};
  heddle_derive_tasks(&Host);
  EXPECT_EQ(Host.requests, 11u);
  EXPECT_EQ(Host.lockstep_tasks, 40u);
  EXPECT_EQ(Host.fifo_tasks, 24u);
  // Neither a host without overlap nor one with far too much gets an extreme
  // number.
  Host.access_4k = 210;
  heddle_derive_tasks(&Host);
  EXPECT_EQ(Host.requests, 1u);
  EXPECT_EQ(Host.lockstep_tasks, 32u);
  EXPECT_EQ(Host.fifo_tasks, 16u);
  Host.access_4k = 0.5;
  heddle_derive_tasks(&Host);
  EXPECT_EQ(Host.lockstep_tasks, 96u);
  EXPECT_EQ(Host.fifo_tasks, 48u);
}

TEST(HostCache, TheProbeMeasuresSomethingSound) {
  heddle_host Host;
  ASSERT_TRUE(heddle_measure_host(&Host, 1 << 20));
  EXPECT_TRUE(parses(format(Host)));
}

class HostCacheFile : public testing::Test {
protected:
  void SetUp() override {
    setenv("XDG_CACHE_HOME", Directory.file("cache").c_str(), 1);
    Home = getenv("HOME") ? getenv("HOME") : "";
  }
  void TearDown() override {
    unsetenv("XDG_CACHE_HOME");
    setenv("HOME", Home.c_str(), 1);
  }
  std::string path() {
    char Path[4096];
    EXPECT_EQ(heddle_probe_path(Path, sizeof Path), 0);
    return Path;
  }
  TemporaryDirectory Directory;
  std::string Home;
};

TEST_F(HostCacheFile, IsSavedAndLoaded) {
  heddle_host Host;
  EXPECT_FALSE(heddle_load_host(&Host));
  ASSERT_TRUE(heddle_save_host(&Sample));
  ASSERT_TRUE(heddle_load_host(&Host));
  EXPECT_EQ(Host.requests, Sample.requests);
  EXPECT_EQ(path().find(Directory.file("cache/heddle/")), 0u);
  EXPECT_TRUE(path().ends_with(".probe"));
}

TEST_F(HostCacheFile, SparesTheProbe) {
  ASSERT_TRUE(heddle_save_host(&Sample));
  heddle_host Host;
  EXPECT_EQ(heddle_probe(&Host, 0), HEDDLE_PROBE_CACHED);
  EXPECT_EQ(Host.latency_4k, Sample.latency_4k);
}

TEST_F(HostCacheFile, ThatIsCorruptIsRewritten) {
  ASSERT_TRUE(heddle_save_host(&Sample));
  writeText(path(), "heddle-probe 1\nhost: ");
  heddle_host Host;
  EXPECT_FALSE(heddle_load_host(&Host));
  ASSERT_TRUE(heddle_save_host(&Sample));
  EXPECT_TRUE(heddle_load_host(&Host));
}

TEST_F(HostCacheFile, LiesInTheHomeDirectoryOtherwise) {
  unsetenv("XDG_CACHE_HOME");
  setenv("HOME", "/somewhere", 1);
  EXPECT_EQ(path().find("/somewhere/.cache/heddle/"), 0u);
  setenv("XDG_CACHE_HOME", "relative/is/ignored", 1);
  EXPECT_EQ(path().find("/somewhere/.cache/heddle/"), 0u);
}

TEST_F(HostCacheFile, NeedsADirectory) {
  unsetenv("XDG_CACHE_HOME");
  unsetenv("HOME");
  char Path[4096];
  EXPECT_EQ(heddle_probe_path(Path, sizeof Path), -1);
  EXPECT_EQ(errno, ENOENT);
  heddle_host Host;
  EXPECT_FALSE(heddle_load_host(&Host));
  EXPECT_FALSE(heddle_save_host(&Sample));
}

TEST_F(HostCacheFile, PathThatDoesNotFit) {
  char Path[16];
  EXPECT_EQ(heddle_probe_path(Path, sizeof Path), -1);
  EXPECT_EQ(errno, ERANGE);
}

TEST_F(HostCacheFile, UnusableDirectoryIsNoCache) {
  writeText(Directory.file("cache"), "a file where a directory should be");
  EXPECT_FALSE(heddle_save_host(&Sample));
  EXPECT_EQ(errno, ENOTDIR);
}

} // namespace
