//===- FarDepthTest.cpp - How many tasks there should be ------------------===//
//
// Against devices that are formulas.
//
//===----------------------------------------------------------------------===//

#include "far/devices/depth.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>

namespace {

/// The requests per second, for a number of requests in flight.
using Device = std::function<double(double UnderWay)>;

/// A rate in proportion to the requests in flight, up to a knee.
Device sharp(double Knee) {
  return [=](double UnderWay) { return 1e4 * std::min(UnderWay, Knee); };
}

/// The rate of a measured device: latency grows from the first request on.
Device soft(double MostPerSecond) {
  return [=](double UnderWay) {
    return UnderWay / (65e-6 + UnderWay / MostPerSecond);
  };
}

heddle_far_depth fresh() {
  heddle_far_depth Depth = {};
  Depth.tasks = HeddleFarFirstTasks;
  return Depth;
}

struct Simulation {
  heddle_far_depth Depth = fresh();
  unsigned Loops = 1;
  double RequestsOfTask = 1;
  double Noise = 0;
  /// Tasks that a loop has at most.
  double Room = HeddleFarMostTasks;
  std::mt19937_64 Random{1};

  void run(const Device &D, unsigned Windows) {
    for (unsigned I = 0; I < Windows; ++I) {
      const double UnderWay =
          Loops * RequestsOfTask *
          std::min<double>(
              heddle_far_tasks_each(heddle_far_depth_now(&Depth), Loops), Room);
      std::uniform_real_distribution<> Error(1 - Noise, 1 + Noise);
      const double Completed = 4 * UnderWay;
      const heddle_far_window Seen = {Completed / (D(UnderWay) * Error(Random)),
                                      Completed, UnderWay};
      heddle_far_learn(&Depth, &Seen, Loops);
    }
  }
};

TEST(FarDepth, ComesToTheKnee) {
  for (double Knee : {6, 20, 64, 130, 200}) {
    Simulation S;
    S.run(sharp(Knee), 1000);
    EXPECT_GE(S.Depth.tasks, Knee) << Knee;
    EXPECT_LE(S.Depth.tasks, 1.5 * Knee) << Knee;
  }
}

TEST(FarDepth, GrowsFast) {
  Simulation S;
  S.run(sharp(250), 20);
  EXPECT_GE(S.Depth.tasks, 190);
}

TEST(FarDepth, StopsWhereLittleIsGained) {
  for (double Most : {2e4, 1.3e5, 3e5}) {
    Simulation S;
    S.run(soft(Most), 1000);
    const double Rate = soft(Most)(S.Depth.tasks);
    EXPECT_GE(Rate, 0.9 * Most) << Most;
    EXPECT_LE(S.Depth.tasks, 30 * 65e-6 * Most) << Most;
  }
}

TEST(FarDepth, HasAllThereIsRoomForWhereThatPays) {
  Simulation S;
  S.run(sharp(1e6), 200);
  EXPECT_EQ(S.Depth.tasks, HeddleFarMostTasks);
  EXPECT_GE(heddle_far_tasks_each(heddle_far_depth_now(&S.Depth), 1), 200u)
      << "in either window";
}

TEST(FarDepth, KeepsTheLeastWhereNothingPays) {
  Simulation S;
  S.run([](double) { return 1e4; }, 2000);
  EXPECT_EQ(S.Depth.tasks, HeddleFarLeastTasks);
  EXPECT_EQ(heddle_far_tasks_each(heddle_far_depth_now(&S.Depth), 1),
            unsigned(HeddleFarLeastTasks));
}

/// Noise in windows, as from other programs, does not cost the speed.
TEST(FarDepth, BearsNoise) {
  for (double Noise : {0.05, 0.1, 0.2, 0.5})
    for (double Knee : {20, 64, 130}) {
      Simulation S;
      S.Noise = Noise;
      S.run(sharp(Knee), 1000);
      double Rate = 0;
      for (unsigned I = 0; I < 2000; ++I) {
        Rate += sharp(Knee)(heddle_far_depth_now(&S.Depth)) / 2000;
        S.run(sharp(Knee), 1);
      }
      EXPECT_GE(Rate, 0.9 * sharp(Knee)(1e9)) << Noise << ' ' << Knee;
    }
}

TEST(FarDepth, GrowsInNoise) {
  Simulation S;
  S.Noise = 0.3;
  S.run(sharp(250), 150);
  EXPECT_GE(S.Depth.tasks, 150);
}

TEST(FarDepth, FollowsADeviceThatChanges) {
  Simulation S;
  for (double Knee : {150, 15, 150, 40}) {
    S.run(sharp(Knee), 1000);
    EXPECT_GE(S.Depth.tasks, Knee);
    EXPECT_LE(S.Depth.tasks, 1.5 * Knee);
  }
}

TEST(FarDepth, LoopsShareTheDevice) {
  Simulation S;
  S.Loops = 4;
  S.run(sharp(80), 1000);
  const unsigned Each =
      heddle_far_tasks_each(heddle_far_depth_now(&S.Depth), 4);
  EXPECT_GE(Each, 16u);
  EXPECT_LE(Each, 36u);
  S.Loops = 1;
  S.run(sharp(80), 20);
  EXPECT_GE(heddle_far_tasks_each(heddle_far_depth_now(&S.Depth), 1), 64u);
}

TEST(FarDepth, CountsRequestsAndNotTasks) {
  Simulation S;
  S.RequestsOfTask = 4;
  S.run(sharp(80), 1000);
  EXPECT_GE(S.Depth.tasks, 20);
  EXPECT_LE(S.Depth.tasks, 30);
}

/// The rate of such loops says nothing about the depth.
TEST(FarDepth, StaysWhereLoopsDoNotFollow) {
  Simulation S;
  S.Noise = 0.2;
  S.Room = 10;
  S.run(sharp(80), 1000);
  EXPECT_EQ(S.Depth.tasks, HeddleFarFirstTasks);
}

TEST(FarDepth, WindowsWithoutRequestsSayNothing) {
  heddle_far_depth Depth = fresh();
  for (unsigned I = 0; I < 10; ++I) {
    const heddle_far_window Nothing = {0, 0, 0};
    heddle_far_learn(&Depth, &Nothing, 1);
    EXPECT_EQ(Depth.tasks, HeddleFarFirstTasks);
  }
}

unsigned tasksAfter(unsigned Tasks, heddle_far_polls Seen, unsigned Share,
                    unsigned Times) {
  for (unsigned I = 0; I < Times; ++I)
    Tasks = heddle_far_loop_tasks(Tasks, Seen, 24, Share);
  return Tasks;
}

TEST(FarDepth, LoopsThatNeverWaitHaveFewTasks) {
  EXPECT_EQ(tasksAfter(256, {64, 0, 255}, 256, 3), 24u);
  EXPECT_EQ(tasksAfter(64, {64, 0, 30}, 64, 1), 49u);
  EXPECT_EQ(tasksAfter(64, {64, 0, 0}, 64, 10), 64u) << "all are needed";
  EXPECT_EQ(tasksAfter(10, {64, 0, 9}, 64, 10), 10u) << "nor too few";
}

TEST(FarDepth, LoopsThatWaitHaveTheirShare) {
  EXPECT_EQ(tasksAfter(24, {64, 30, 0}, 100, 10), 100u);
  EXPECT_EQ(tasksAfter(24, {64, 1, 0}, 100, 10), 100u);
  EXPECT_EQ(tasksAfter(100, {64, 30, 0}, 8, 1), 8u) << "and no more";
  EXPECT_EQ(tasksAfter(1, {64, 60, 0}, 256, 40), 256u);
}

TEST(FarDepth, AllTasksAreSeenBeforeTheirNumberChanges) {
  EXPECT_FALSE(heddle_far_has_seen({64, 0, 63}, 64));
  EXPECT_TRUE(heddle_far_has_seen({128, 1, 0}, 64));
}

} // namespace
