//===- SiteTest.cpp - Loops as the compiler writes them, in real time -----===//
//
// These tests pass however fast or slowly anything runs. Those that need an
// environment of their own run in a process of their own.
//
//===----------------------------------------------------------------------===//

#include "heddle/heddle.h"
#include "support/TemporaryDirectory.h"
#include "tuner/registry.h"

#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace heddle::test;

namespace {

constexpr uint32_t AllVersions = 7;

heddle_site makeSite(const char *Function, uint32_t Default = HEDDLE_LOCKSTEP) {
  heddle_site Site = {};
  Site.file = "loops.cpp";
  Site.function = Function;
  Site.line = 7;
  Site.versions = AllVersions;
  Site.default_version = Default;
  Site.max_tasks = 64;
  return Site;
}

/// Runs a loop over a site the way transformed code does. Two suspensions an
/// interleaved iteration. Returns the iterations run.
uint64_t runLoop(heddle_site &Site, uint64_t Iterations) {
  uint64_t Sum = 0;
  for (uint64_t Next = 0; Next < Iterations;) {
    heddle_plan Plan;
    heddle_site_begin(&Site, Iterations - Next, &Plan);
    EXPECT_TRUE(Site.versions >> Plan.version & 1);
    EXPECT_GE(Plan.tasks, 1u);
    EXPECT_LE(Plan.tasks, Site.max_tasks);
    uint64_t Count = std::min(Plan.iterations, Iterations - Next);
    for (uint64_t I = 0; I < Count; ++I)
      asm volatile("" : "+r"(Sum));
    heddle_site_end(&Site, &Plan, Count, Count,
                    Plan.version == HEDDLE_SERIAL ? 0 : 2 * Count);
    Next += Count;
    Sum += Count;
  }
  return Sum;
}

struct FoundLoop {
  std::string Function;
  unsigned Schedule = ~0u, Tasks = 0;
  int Settled = -1, Count = 0;
};

FoundLoop findLoop(const char *Function) {
  FoundLoop Found = {.Function = Function};
  heddle_for_each_loop(
      [](const heddle_loop *Loop, void *Context) {
        auto *Found = static_cast<FoundLoop *>(Context);
        if (Found->Function != Loop->function)
          return;
        Found->Schedule = Loop->schedule;
        Found->Tasks = Loop->tasks;
        Found->Settled = Loop->settled;
        ++Found->Count;
      },
      &Found);
  return Found;
}

TEST(Site, RunsEveryIterationOnce) {
  heddle_site Site = makeSite("once");
  for (uint64_t Iterations : {0, 1, 2, 255, 256, 257, 1000, 100000})
    EXPECT_EQ(runLoop(Site, Iterations), Iterations);
}

TEST(Site, AForcedVersionWithFixedTasksIsDecidedAtOnce) {
  heddle_site Site = makeSite("forced", HEDDLE_FIFO);
  Site.versions = 1u << HEDDLE_FIFO;
  Site.fixed_tasks = 5;
  heddle_plan Plan;
  heddle_site_begin(&Site, 1000000, &Plan);
  EXPECT_EQ(Plan.version, HEDDLE_FIFO);
  EXPECT_EQ(Plan.tasks, 5u);
  EXPECT_EQ(Plan.iterations, 1000000u);
  heddle_site_end(&Site, &Plan, 1000000, 1000000, 0);
  EXPECT_EQ(Site.decision, heddle_encode(HEDDLE_FIFO, 5));
  FoundLoop Found = findLoop("forced");
  EXPECT_EQ(Found.Schedule, HEDDLE_SCHEDULE_FIFO);
  EXPECT_EQ(Found.Tasks, 5u);
  EXPECT_EQ(Found.Settled, 1);
}

/// Short entries run the serial version without asking once it has won; another
/// version may lose one day, so it is asked for.
TEST(Site, OnlyTheSerialChoiceIsPublished) {
  heddle_site Site = makeSite("published");
  for (int Entry = 0; Entry < 100000 && !Site.decision; ++Entry)
    runLoop(Site, 20);
  EXPECT_TRUE(!Site.decision ||
              Site.decision == heddle_encode(HEDDLE_SERIAL, 1));
  auto *Record = reinterpret_cast<heddle_record *>(Site.state[0]);
  heddle_tuner_settle(&Record->tuners[HEDDLE_SHORT_ENTRY],
                      {HEDDLE_LOCKSTEP, 48});
  // Of short chunks, only some are looked at.
  for (int Entry = 0; Entry < 1000 && Site.decision; ++Entry)
    runLoop(Site, 20);
  EXPECT_EQ(Site.decision, 0u);
}

TEST(Site, TasksNeverExceedTheRoomThereIs) {
  for (uint32_t Room : {1u, 3u, 8u, 20u}) {
    heddle_site Site = makeSite("room");
    Site.max_tasks = Room;
    runLoop(Site, 200000);
    Site = makeSite("fixedRoom");
    Site.max_tasks = Room;
    Site.fixed_tasks = 50;
    runLoop(Site, 200000);
  }
}

TEST(Site, WithoutNamesIsFine) {
  heddle_site Site = makeSite(nullptr);
  Site.file = nullptr;
  EXPECT_EQ(runLoop(Site, 1000), 1000u);
  EXPECT_EQ(findLoop("?").Count, 1);
}

TEST(Site, LoadedAgainAtTheSamePlaceFindsItsRecord) {
  heddle_site Site = makeSite("reloaded");
  runLoop(Site, 1000);
  uint64_t Record = Site.state[0];
  Site = makeSite("reloaded");
  runLoop(Site, 1000);
  EXPECT_EQ(Site.state[0], Record);
  EXPECT_EQ(findLoop("reloaded").Count, 1);
  Site = makeSite("another");
  runLoop(Site, 1000);
  EXPECT_NE(Site.state[0], Record);
}

TEST(Site, ThreadsShareIt) {
  heddle_site Site = makeSite("shared"), Short = makeSite("sharedShort");
  std::vector<std::thread> Threads;
  for (int I = 0; I < 4; ++I)
    Threads.emplace_back([&] {
      for (int Entry = 0; Entry < 20; ++Entry)
        EXPECT_EQ(runLoop(Site, 50000), 50000u);
      for (int Entry = 0; Entry < 5000; ++Entry)
        EXPECT_EQ(runLoop(Short, 20), 20u);
    });
  for (std::thread &Thread : Threads)
    Thread.join();
  EXPECT_EQ(findLoop("shared").Count, 1);
  EXPECT_EQ(findLoop("sharedShort").Count, 1);
}

TEST(Site, ThreadsMayRegisterManyAtOnce) {
  std::vector<heddle_site> Sites(200);
  for (heddle_site &Site : Sites)
    Site = makeSite("many");
  auto run = [&] {
    for (heddle_site &Site : Sites)
      runLoop(Site, 10);
  };
  std::thread A(run), B(run);
  A.join();
  B.join();
  EXPECT_EQ(findLoop("many").Count, 200);
}

/// Their number of tasks adapts by itself, up to the most.
TEST(Site, LoopsOverFarMemoryAreNotTuned) {
  heddle_site Site = makeSite("far", HEDDLE_FIFO);
  Site.versions = 1u << HEDDLE_FIFO;
  Site.far_tasks = 64;
  for (uint32_t Found : {50, 30}) {
    heddle_plan Plan;
    heddle_site_begin(&Site, 1000000, &Plan);
    EXPECT_EQ(Plan.version, uint32_t(HEDDLE_FIFO));
    EXPECT_EQ(Plan.tasks, Site.max_tasks);
    EXPECT_EQ(Plan.iterations, 1000000u);
    Site.far_tasks = Found;
    heddle_site_end(&Site, &Plan, 1000000, 1000000, 0);
    EXPECT_EQ(findLoop("far").Tasks, Found);
  }
}

TEST(Site, MayBeEnteredWithinItself) {
  heddle_site Site = makeSite("recursive");
  auto run = [&](auto Self, int Depth) -> void {
    for (int I = 0; I < 3 && Depth; ++I) {
      heddle_plan Plan;
      heddle_site_begin(&Site, 1, &Plan);
      Self(Self, Depth - 1);
      heddle_site_end(&Site, &Plan, 1, 1, 0);
    }
  };
  run(run, 8);
}

/// The process of such a test runs the test's body again from its start, so
/// both have to name the same directory.
class SiteProcess : public testing::Test {
protected:
  static constexpr char DirectoryVariable[] = "HEDDLE_TEST_DIRECTORY";

  void SetUp() override {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    setenv("XDG_CACHE_HOME", "/nonexistent", 1);
    if (!getenv(DirectoryVariable)) {
      Directory.emplace();
      setenv(DirectoryVariable, Directory->file("").c_str(), 1);
    }
  }
  void TearDown() override {
    for (const char *Name :
         {"HEDDLE_TUNE", "HEDDLE_STATS", "HEDDLE_TASKS", DirectoryVariable})
      unsetenv(Name);
  }
  std::string file(const char *Name) {
    return getenv(DirectoryVariable) + std::string(Name);
  }
  std::optional<TemporaryDirectory> Directory;
};

TEST_F(SiteProcess, TuneOffRunsTheDefaultAndMeasuresNothing) {
  setenv("HEDDLE_TUNE", "off", 1);
  EXPECT_EXIT(
      {
        heddle_site Site = makeSite("off", HEDDLE_FIFO);
        heddle_plan Plan;
        for (int I = 0; I < 1000; ++I) {
          heddle_site_begin(&Site, 100000, &Plan);
          if (Plan.version != HEDDLE_FIFO || Plan.tasks != 24 ||
              Plan.iterations != 100000 || Plan.start >> HEDDLE_PLAN_BITS)
            _exit(1);
          heddle_site_end(&Site, &Plan, 100000, 100000, 0);
        }
        _exit(Site.decision == heddle_encode(HEDDLE_FIFO, 24) ? 0 : 2);
      },
      testing::ExitedWithCode(0), "");
}

TEST_F(SiteProcess, TasksComeFromTheEnvironment) {
  setenv("HEDDLE_TASKS", "17", 1);
  EXPECT_EXIT(
      {
        heddle_site Site = makeSite("tasks");
        bool Right = true;
        for (int I = 0; I < 5000; ++I) {
          heddle_plan Plan;
          heddle_site_begin(&Site, 1000, &Plan);
          Right &= Plan.tasks == (Plan.version == HEDDLE_SERIAL ? 1 : 17);
          heddle_site_end(&Site, &Plan, Plan.iterations, Plan.iterations, 0);
        }
        _exit(Right ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

TEST_F(SiteProcess, TasksOfTheEnvironmentAreForFarMemoryToo) {
  setenv("HEDDLE_TASKS", "17", 1);
  EXPECT_EXIT(
      {
        heddle_site Site = makeSite("far", HEDDLE_FIFO);
        Site.versions = 1u << HEDDLE_FIFO;
        Site.far_tasks = 64;
        heddle_plan Plan;
        heddle_site_begin(&Site, 1000000, &Plan);
        _exit(Plan.tasks == 17 ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

TEST_F(SiteProcess, StatsCountWhatAllThreadsDid) {
  setenv("HEDDLE_STATS", "1", 1);
  setenv("HEDDLE_TUNE", "off", 1);
  EXPECT_EXIT(
      {
        heddle_site Site = makeSite("counted");
        auto run = [&] {
          for (int Entry = 0; Entry < 100; ++Entry)
            runLoop(Site, 1000);
        };
        std::thread A(run);
        std::thread B(run);
        A.join();
        B.join();
        exit(0);
      },
      testing::ExitedWithCode(0),
      "loops.cpp:7 counted +long +lockstep +48 +200000 +200000 +400000 "
      "+400000 +200 +- +[0-9.]+ +-");
}

TEST_F(SiteProcess, AChildReportsOnlyItsOwnWork) {
  setenv("HEDDLE_STATS", "1", 1);
  setenv("HEDDLE_TUNE", "off", 1);
  EXPECT_EXIT(
      {
        heddle_site Site = makeSite("forked");
        runLoop(Site, 1000);
        pid_t Child = fork();
        runLoop(Site, Child ? 30 : 400);
        if (Child)
          waitpid(Child, nullptr, 0);
        exit(0);
      },
      testing::ExitedWithCode(0),
      "long +lockstep +48 +400 +400 [^?]*"
      "long +lockstep +48 +1000 +1000 [^?]*"
      "short +lockstep +48 +30 +30 ");
}

TEST_F(SiteProcess, ATuneFileIsSavedAndUsed) {
  std::string File = file("app.tune");
  setenv("HEDDLE_TUNE", File.c_str(), 1);
  const std::string Kept = "gone.cpp:1:f\tlong\tserial\t1\n";
  writeText(File, "heddle-tune 1\n"
                  "loops.cpp:7:saved\tlong\tfifo\t19\n" +
                      Kept + "loops.cpp:7:impossible\tlong\tfifo\t19\n");
  EXPECT_EXIT(
      {
        heddle_site Site = makeSite("saved");
        heddle_plan Plan;
        heddle_site_begin(&Site, 100000, &Plan);
        if (Plan.version != HEDDLE_FIFO || Plan.tasks != 19)
          _exit(1);
        heddle_site Impossible = makeSite("impossible");
        Impossible.versions = 1u << HEDDLE_SERIAL | 1u << HEDDLE_LOCKSTEP;
        heddle_site_begin(&Impossible, 100000, &Plan);
        if (Plan.version == HEDDLE_FIFO)
          _exit(2);
        heddle_site Forced = makeSite("forced");
        Forced.versions = 1u << HEDDLE_LOCKSTEP;
        Forced.fixed_tasks = 6;
        heddle_site_begin(&Forced, 100000, &Plan);
        exit(0);
      },
      testing::ExitedWithCode(0), "");
  std::string Text = readText(File);
  EXPECT_NE(Text.find("loops.cpp:7:saved\tlong\tfifo\t19\n"),
            std::string::npos);
  EXPECT_NE(Text.find(Kept), std::string::npos);
  EXPECT_NE(Text.find("loops.cpp:7:forced\tlong\tlockstep\t6\n"),
            std::string::npos);
  EXPECT_EQ(Directory->entries(), 1u);
}

TEST_F(SiteProcess, ABadTuneFileIsReportedOnceAndLeftAlone) {
  std::string File = file("app.tune");
  setenv("HEDDLE_TUNE", File.c_str(), 1);
  const std::string Bad = "heddle-tune 1\nloops.cpp:7:bad\tlong\tfifo\n";
  writeText(File, Bad);
  EXPECT_EXIT(
      {
        heddle_site Site = makeSite("bad");
        exit(runLoop(Site, 1000) == 1000 ? 0 : 1);
      },
      testing::ExitedWithCode(0),
      "^heddle: warning: HEDDLE_TUNE: .*app.tune:2: expected four fields "
      "separated by tabs; the file is neither used nor changed [^\n]*\n$");
  EXPECT_EQ(readText(File), Bad);
}

TEST_F(SiteProcess, AnUnwritableTuneFileIsReported) {
  setenv("HEDDLE_TUNE", file("none/app.tune").c_str(), 1);
  EXPECT_EXIT(
      {
        heddle_site Site = makeSite("unwritable");
        exit(runLoop(Site, 1000) == 1000 ? 0 : 1);
      },
      testing::ExitedWithCode(0),
      "^heddle: warning: HEDDLE_TUNE: cannot write .*none/app.tune: "
      "No such file or directory\n$");
}

TEST_F(SiteProcess, OnlyTheProcessThatLoadedItSavesATuneFile) {
  std::string File = file("app.tune");
  setenv("HEDDLE_TUNE", File.c_str(), 1);
  EXPECT_EXIT(
      {
        heddle_site Site = makeSite("parent");
        Site.versions = 1u << HEDDLE_LOCKSTEP;
        Site.fixed_tasks = 6;
        runLoop(Site, 1000);
        if (fork() == 0)
          exit(0);
        int Status;
        wait(&Status);
        _exit(access(File.c_str(), F_OK) == 0);
      },
      testing::ExitedWithCode(0), "");
}

/// The arms with which a loop runs, and whether its chunks are as long as they
/// may be.
std::set<std::pair<uint32_t, uint32_t>> drawnArms(heddle_site Site) {
  std::set<std::pair<uint32_t, uint32_t>> Arms;
  for (int Entry = 0; Entry < 50; ++Entry)
    for (uint64_t Next = 0; Next < 2000;) {
      heddle_plan Plan;
      heddle_site_begin(&Site, 2000 - Next, &Plan);
      if (Site.decision || !Plan.iterations || Plan.iterations > 2000 - Next)
        exit(2);
      heddle_site_end(&Site, &Plan, Plan.iterations, Plan.iterations, 0);
      Next += Plan.iterations;
      Arms.insert({Plan.version, Plan.tasks});
    }
  return Arms;
}

bool areInterleaved(const std::set<std::pair<uint32_t, uint32_t>> &Arms) {
  for (auto [Version, Tasks] : Arms)
    if (Version == HEDDLE_SERIAL || Tasks < 2 || Tasks > 64)
      return false;
  return Arms.size() > 20;
}

TEST_F(SiteProcess, RandomPlansAreInterleaved) {
  setenv("HEDDLE_TUNE", "random:7", 1);
  EXPECT_EXIT(exit(areInterleaved(drawnArms(makeSite("drawn"))) ? 0 : 1),
              testing::ExitedWithCode(0), "");
}

bool hasOnlyArm(const heddle_site &Site, uint32_t Version, uint32_t Tasks) {
  const auto Arms = drawnArms(Site);
  return Arms.size() == 1 && *Arms.begin() == std::pair(Version, Tasks);
}

TEST_F(SiteProcess, RandomPlansRespectWhatIsFixed) {
  setenv("HEDDLE_TUNE", "random:7", 1);
  heddle_site Fixed = makeSite("fixed", HEDDLE_FIFO);
  Fixed.versions = 1u << HEDDLE_SERIAL | 1u << HEDDLE_FIFO;
  Fixed.fixed_tasks = 5;
  EXPECT_EXIT(exit(hasOnlyArm(Fixed, HEDDLE_FIFO, 5) ? 0 : 1),
              testing::ExitedWithCode(0), "");
  heddle_site Serial = makeSite("serial", HEDDLE_SERIAL);
  Serial.versions = 1u << HEDDLE_SERIAL;
  EXPECT_EXIT(exit(hasOnlyArm(Serial, HEDDLE_SERIAL, 1) ? 0 : 1),
              testing::ExitedWithCode(0), "");
  heddle_site Narrow = makeSite("narrow");
  Narrow.versions = 1u << HEDDLE_LOCKSTEP;
  Narrow.max_tasks = 1;
  EXPECT_EXIT(exit(hasOnlyArm(Narrow, HEDDLE_LOCKSTEP, 1) ? 0 : 1),
              testing::ExitedWithCode(0), "");
}

} // namespace
