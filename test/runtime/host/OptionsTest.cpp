//===- OptionsTest.cpp - Environment variables, sound and not -------------===//

#include "host/options.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace {

class Options : public testing::Test {
protected:
  void SetUp() override { clear(); }
  void TearDown() override { clear(); }

  static void clear() {
    for (const char *Name : {"HEDDLE_TUNE", "HEDDLE_STATS", "HEDDLE_TASKS",
                             "HEDDLE_PAGES", "HEDDLE_PROBE"})
      unsetenv(Name);
  }
  heddle_options read() {
    testing::internal::CaptureStderr();
    heddle_options Result = heddle_read_options();
    Warnings = testing::internal::GetCapturedStderr();
    return Result;
  }
  /// Reads with one variable set, which must be reported by name and value.
  heddle_options readBad(const char *Name, const char *Value) {
    setenv(Name, Value, 1);
    heddle_options Result = read();
    EXPECT_NE(Warnings.find("heddle: warning: " + std::string(Name) + "='" +
                            Value + "' ignored"),
              std::string::npos)
        << Warnings;
    unsetenv(Name);
    return Result;
  }
  std::string Warnings;
};

TEST_F(Options, DefaultsAreQuiet) {
  heddle_options Result = read();
  EXPECT_EQ(Warnings, "");
  EXPECT_EQ(Result.tune, HEDDLE_TUNE_RUNNING);
  EXPECT_EQ(Result.tune_file, nullptr);
  EXPECT_FALSE(Result.stats);
  EXPECT_EQ(Result.tasks, 0u);
  EXPECT_TRUE(Result.huge_pages);
  EXPECT_FALSE(Result.probe);
}

TEST_F(Options, Tune) {
  setenv("HEDDLE_TUNE", "off", 1);
  EXPECT_EQ(read().tune, HEDDLE_TUNE_OFF);
  setenv("HEDDLE_TUNE", "once", 1);
  EXPECT_EQ(read().tune, HEDDLE_TUNE_ONCE);
  setenv("HEDDLE_TUNE", "static", 1);
  EXPECT_EQ(read().tune, HEDDLE_TUNE_ONCE);
  setenv("HEDDLE_TUNE", "app.tune", 1);
  EXPECT_STREQ(read().tune_file, "app.tune");
  setenv("HEDDLE_TUNE", "./off", 1);
  EXPECT_STREQ(read().tune_file, "./off");
  setenv("HEDDLE_TUNE", "./random:7", 1);
  EXPECT_STREQ(read().tune_file, "./random:7");
  for (const char *Seed : {"0", "7", "18446744073709551615"}) {
    setenv("HEDDLE_TUNE", (std::string("random:") + Seed).c_str(), 1);
    EXPECT_EQ(read().tune, HEDDLE_TUNE_RANDOM);
    EXPECT_EQ(std::to_string(read().tune_seed), Seed);
  }
  EXPECT_EQ(Warnings, "");
}

TEST_F(Options, TuneThatIsNeitherModeNorFile) {
  for (const char *Value :
       {"", "on", "Static", "Once", "OFF", "1", "none", "random", "Random",
        "random:", "random:x", "random:-1", "random: 1", "random:+1",
        "random:1x", "random:18446744073709551616"}) {
    heddle_options Result = readBad("HEDDLE_TUNE", Value);
    EXPECT_EQ(Result.tune, HEDDLE_TUNE_RUNNING);
    EXPECT_EQ(Result.tune_file, nullptr);
  }
}

TEST_F(Options, Stats) {
  setenv("HEDDLE_STATS", "1", 1);
  EXPECT_TRUE(read().stats);
  EXPECT_EQ(read().stats_file, nullptr);
  setenv("HEDDLE_STATS", "0", 1);
  EXPECT_FALSE(read().stats);
  setenv("HEDDLE_STATS", "json:out.json", 1);
  EXPECT_TRUE(read().stats);
  EXPECT_STREQ(read().stats_file, "out.json");
  EXPECT_EQ(Warnings, "");
  for (const char *Value : {"", "yes", "json:", "json"})
    EXPECT_FALSE(readBad("HEDDLE_STATS", Value).stats);
}

TEST_F(Options, Tasks) {
  setenv("HEDDLE_TASKS", "17", 1);
  EXPECT_EQ(read().tasks, 17u);
  EXPECT_EQ(Warnings, "");
  for (const char *Value :
       {"", "0", "-3", "many", "12x", "65537", "99999999999999999999"})
    EXPECT_EQ(readBad("HEDDLE_TASKS", Value).tasks, 0u);
}

TEST_F(Options, Pages) {
  setenv("HEDDLE_PAGES", "4k", 1);
  EXPECT_FALSE(read().huge_pages);
  setenv("HEDDLE_PAGES", "4K", 1);
  EXPECT_FALSE(read().huge_pages);
  setenv("HEDDLE_PAGES", "huge", 1);
  EXPECT_TRUE(read().huge_pages);
  EXPECT_EQ(Warnings, "");
  EXPECT_TRUE(readBad("HEDDLE_PAGES", "2m").huge_pages);
}

TEST_F(Options, Probe) {
  setenv("HEDDLE_PROBE", "1", 1);
  EXPECT_TRUE(read().probe);
  setenv("HEDDLE_PROBE", "0", 1);
  EXPECT_FALSE(read().probe);
  EXPECT_EQ(Warnings, "");
  EXPECT_FALSE(readBad("HEDDLE_PROBE", "often").probe);
}

} // namespace
