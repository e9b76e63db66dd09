//===- TunerTest.cpp - How loops of all kinds converge --------------------===//

#include "LoopSimulation.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace heddle::test;

namespace {

constexpr heddle_arm Serial = {HEDDLE_SERIAL, 1};
constexpr heddle_arm Lockstep = {HEDDLE_LOCKSTEP, 48};
constexpr heddle_arm Fifo = {HEDDLE_FIFO, 24};
constexpr double Millisecond = LoopSimulation::Millisecond;

double timeInLosers(const LoopSimulation &Loop, uint32_t Winner) {
  return Loop.Elapsed - Loop.TimeOf[Winner];
}

TEST(Tuner, FindsATwofoldGainWithinAMillisecond) {
  LoopSimulation Loop({Serial, Lockstep, Fifo}, SteadyCost{{60, 30, 40}});
  Loop.runFor(Millisecond);
  EXPECT_EQ(Loop.decidedVersion(), HEDDLE_LOCKSTEP);
  EXPECT_EQ(Loop.decidedTasks(), 48u);
}

TEST(Tuner, LeavesADefaultThatLosesTwofoldWithinAMillisecond) {
  LoopSimulation Loop({Lockstep, Serial}, SteadyCost{{30, 60, 0}});
  Loop.runFor(Millisecond);
  EXPECT_EQ(Loop.decidedVersion(), HEDDLE_SERIAL);
}

TEST(Tuner, ALossOfAFifthCostsLessThanTwoPercentInATenthOfASecond) {
  for (auto Arms :
       {std::vector{Serial, Lockstep}, std::vector{Lockstep, Serial},
        std::vector{Lockstep, Serial, Fifo}}) {
    LoopSimulation Loop(Arms, SteadyCost{{30, 36, 37}});
    Loop.runFor(100 * Millisecond);
    double SerialTime = 30.0 * static_cast<double>(Loop.NextIteration);
    EXPECT_GE(SerialTime / Loop.Elapsed, 0.98);
    EXPECT_EQ(Loop.decidedVersion(), HEDDLE_SERIAL);
  }
}

TEST(Tuner, AVersionThatLosesFivefoldIsTriedThreeTimesOnly) {
  LoopSimulation Loop({Serial, Lockstep}, SteadyCost{{40, 200, 0}});
  Loop.runFor(10 * Millisecond);
  EXPECT_EQ(Loop.decidedVersion(), HEDDLE_SERIAL);
  EXPECT_LT(timeInLosers(Loop, HEDDLE_SERIAL), 0.5 * Millisecond);
}

TEST(Tuner, RecheckingASettledLoopCostsLessThanAPercent) {
  for (double Loser : {36.0, 60.0, 300.0}) {
    LoopSimulation Loop({Serial, Lockstep}, SteadyCost{{30, Loser, 0}});
    Loop.runFor(100 * Millisecond);
    double Settled = Loop.Elapsed;
    double Before = static_cast<double>(Loop.NextIteration);
    Loop.runFor(5 * LoopSimulation::Second);
    double Iterations = static_cast<double>(Loop.NextIteration) - Before;
    EXPECT_GT(30 * Iterations / (Loop.Elapsed - Settled), 0.99) << Loser;
    EXPECT_GT(Loop.TimeOf[HEDDLE_LOCKSTEP], 0);
  }
}

TEST(Tuner, FindsTheBetterNumberOfTasks) {
  for (uint32_t Best : {24u, 48u, 96u}) {
    SteadyCost Steady{{60, 30, 0}};
    auto Cost = [=](const heddle_plan &Plan, uint64_t First,
                    uint64_t Count) mutable {
      double Time = Steady(Plan, First, Count);
      return Plan.version == HEDDLE_LOCKSTEP && Plan.tasks != Best ? 1.2 * Time
                                                                   : Time;
    };
    LoopSimulation Loop(
        {Serial, Lockstep, {HEDDLE_LOCKSTEP, 24}, {HEDDLE_LOCKSTEP, 96}}, Cost);
    Loop.runFor(20 * Millisecond);
    EXPECT_EQ(Loop.decidedVersion(), HEDDLE_LOCKSTEP);
    EXPECT_EQ(Loop.decidedTasks(), Best);
  }
}

// The best number of tasks when the loop was new need not stay the best.
TEST(Tuner, FindsANumberOfTasksThatHasBecomeBetter) {
  SteadyCost Steady{{60, 30, 0}};
  uint32_t Best = 96;
  auto Cost = [&](const heddle_plan &Plan, uint64_t First, uint64_t Count) {
    double Time = Steady(Plan, First, Count);
    return Plan.version == HEDDLE_LOCKSTEP && Plan.tasks == Best ? 0.8 * Time
                                                                 : Time;
  };
  LoopSimulation Loop(
      {Serial, Lockstep, {HEDDLE_LOCKSTEP, 24}, {HEDDLE_LOCKSTEP, 96}}, Cost);
  Loop.runFor(20 * Millisecond);
  ASSERT_EQ(Loop.decidedTasks(), 96u);
  Best = 24;
  Loop.runFor(20 * LoopSimulation::Second);
  EXPECT_EQ(Loop.decidedVersion(), HEDDLE_LOCKSTEP);
  EXPECT_EQ(Loop.decidedTasks(), 24u);
}

// Counts over many seeds how often a loop settles for the faster version.
template <typename MakeCost>
int percentRight(MakeCost Make, uint32_t Right, double Duration) {
  constexpr int Seeds = 50;
  int Count = 0;
  for (uint64_t Seed = 1; Seed <= Seeds; ++Seed) {
    LoopSimulation Loop({Lockstep, Serial}, Make(Seed));
    Loop.runFor(Duration);
    Count += heddle_decoded_version(Loop.Tuner.choice) == Right;
  }
  return 100 * Count / Seeds;
}

TEST(Tuner, NoiseOfAThirdDoesNotHideADifferenceOfAFifth) {
  auto SerialWins = [](uint64_t Seed) {
    return SteadyCost{{30, 36, 0}, 300, 0.3, std::mt19937_64(Seed)};
  };
  auto LockstepWins = [](uint64_t Seed) {
    return SteadyCost{{36, 30, 0}, 300, 0.3, std::mt19937_64(Seed)};
  };
  EXPECT_GE(percentRight(SerialWins, HEDDLE_SERIAL, 100 * Millisecond), 96);
  // Where the clock tells little, looking takes the time that it can cost.
  EXPECT_GE(percentRight(LockstepWins, HEDDLE_LOCKSTEP, 1000 * Millisecond),
            80);
}

// Power-law graph: most vertices have few neighbours, some a thousand times as
// many, and the order is random.
class HeavyTailCost {
public:
  HeavyTailCost(double SerialTime, double LockstepTime, uint64_t Seed)
      : SerialTime(SerialTime), LockstepTime(LockstepTime), WorkBefore{0} {
    std::mt19937_64 Random(Seed);
    std::uniform_real_distribution<double> Uniform(0, 1);
    for (int Vertex = 0; Vertex < 1 << 15; ++Vertex)
      WorkBefore.push_back(
          WorkBefore.back() +
          std::min(5000.0, std::pow(1 - Uniform(Random), -1 / 1.2)));
  }
  double operator()(const heddle_plan &Plan, uint64_t First, uint64_t Count) {
    double Work = workBefore(First + Count) - workBefore(First);
    return Plan.version == HEDDLE_SERIAL ? Work * SerialTime
                                         : Work * LockstepTime + 500;
  }

private:
  double workBefore(uint64_t Iteration) const {
    uint64_t Period = WorkBefore.size() - 1;
    return static_cast<double>(Iteration / Period) * WorkBefore.back() +
           WorkBefore[Iteration % Period];
  }
  double SerialTime, LockstepTime;
  std::vector<double> WorkBefore;
};

TEST(Tuner, HubsDoNotDecide) {
  auto SerialWins = [](uint64_t Seed) { return HeavyTailCost(30, 37.5, Seed); };
  auto LockstepWins = [](uint64_t Seed) { return HeavyTailCost(45, 30, Seed); };
  EXPECT_GE(percentRight(SerialWins, HEDDLE_SERIAL, 300 * Millisecond), 94);
  EXPECT_GE(percentRight(LockstepWins, HEDDLE_LOCKSTEP, 300 * Millisecond), 96);
}

// Hubs so rare and large that one side of a pair meets one and the other does
// not, and versions that do not take time in proportion to the work.
TEST(Tuner, RareHubsDoNotUnsettleALoop) {
  constexpr uint64_t Vertices = 1 << 20;
  std::vector<uint64_t> WorkBefore = {0};
  std::mt19937_64 Random(1);
  while (WorkBefore.size() <= Vertices)
    WorkBefore.push_back(WorkBefore.back() + (Random() % 20000 ? 6 : 2000000));
  auto Before = [&](uint64_t Vertex) {
    return Vertex / Vertices * WorkBefore.back() +
           WorkBefore[Vertex % Vertices];
  };
  auto Work = [&](uint64_t First, uint64_t Count) {
    return Before(First + Count) - Before(First);
  };
  auto Cost = [&](const heddle_plan &Plan, uint64_t First, uint64_t Count) {
    double Time = static_cast<double>(100 * Count + Work(First, Count));
    return Plan.version == HEDDLE_LOCKSTEP ? Time
           : Plan.version == HEDDLE_FIFO   ? 1.15 * Time
                                           : 1.3 * Time;
  };
  LoopSimulation Loop({Lockstep, Serial, Fifo}, Cost, false, Work);
  while (Loop.Elapsed < 5 * LoopSimulation::Second)
    Loop.enter(1024);
  EXPECT_LT(timeInLosers(Loop, HEDDLE_LOCKSTEP), 0.01 * Loop.Elapsed);
}

TEST(Tuner, HubsDoNotMakeExploringExpensive) {
  double Worst = 1;
  for (uint64_t Seed = 1; Seed <= 20; ++Seed) {
    HeavyTailCost Cost(30, 37.5, Seed);
    LoopSimulation Loop({Serial, Lockstep}, Cost);
    Loop.runFor(300 * Millisecond);
    heddle_plan SerialPlan = {HEDDLE_SERIAL, 1, 0, 0};
    double SerialTime = Cost(SerialPlan, 0, Loop.NextIteration);
    Worst = std::min(Worst, SerialTime / Loop.Elapsed);
  }
  EXPECT_GT(Worst, 0.96);
}

TEST(Tuner, NoticesThatTheDataHasChanged) {
  SteadyCost Far{{60, 30, 0}}, Cached{{12, 15, 0}};
  bool IsFar = true;
  auto Cost = [&](const heddle_plan &Plan, uint64_t First, uint64_t Count) {
    return IsFar ? Far(Plan, First, Count) : Cached(Plan, First, Count);
  };
  LoopSimulation Loop({Serial, Lockstep}, Cost);
  Loop.runFor(1000 * Millisecond);
  EXPECT_EQ(Loop.decidedVersion(), HEDDLE_LOCKSTEP);
  IsFar = false;
  Loop.runFor(100 * Millisecond);
  EXPECT_EQ(Loop.decidedVersion(), HEDDLE_SERIAL);
  IsFar = true;
  Loop.runFor(100 * Millisecond);
  EXPECT_EQ(Loop.decidedVersion(), HEDDLE_LOCKSTEP);
}

TEST(Tuner, NoticesAChangeThatThePaceDoesNotShow) {
  SteadyCost Before{{60, 30, 0}}, After{{20, 30, 0}};
  bool Changed = false;
  auto Cost = [&](const heddle_plan &Plan, uint64_t First, uint64_t Count) {
    return Changed ? After(Plan, First, Count) : Before(Plan, First, Count);
  };
  LoopSimulation Loop({Serial, Lockstep}, Cost);
  Loop.runFor(100 * Millisecond);
  ASSERT_EQ(Loop.decidedVersion(), HEDDLE_LOCKSTEP);
  Changed = true;
  Loop.runFor(200 * Millisecond);
  EXPECT_EQ(Loop.decidedVersion(), HEDDLE_SERIAL);
}

TEST(Tuner, PhasesOfALoopInChunksOfASchedule) {
  // One loop runs over its data twice, in the chunks of a dynamic schedule: a
  // short pass over far data and a long one over near data.
  SteadyCost Far{{52, 32, 45}, 300, 0.3}, Near{{170, 260, 300}, 300, 0.3};
  bool IsFar = true;
  auto Cost = [&](const heddle_plan &Plan, uint64_t First, uint64_t Count) {
    return IsFar ? Far(Plan, First, Count) : Near(Plan, First, Count);
  };
  LoopSimulation Loop({Lockstep, Serial, Fifo}, Cost);
  double Best = 0;
  for (int Round = 0; Round < 10; ++Round)
    for (int Chunk = 0; Chunk < 4096; ++Chunk) {
      IsFar = Chunk < 2048;
      Loop.enter(1024);
      Best += 1024.0 * (IsFar ? 32 : 170);
    }
  EXPECT_GT(Best / Loop.Elapsed, 0.93);
}

TEST(Tuner, ManySmallEntriesAddUp) {
  for (bool Counted : {true, false}) {
    LoopSimulation Loop({Lockstep, Serial}, SteadyCost{{40, 20, 0}, 400});
    for (int Entry = 0; Entry < 4000; ++Entry)
      Loop.enter(10, Counted); // 10 iterations: 600 ns lockstep, 400 serial
    EXPECT_EQ(Loop.decidedVersion(), HEDDLE_SERIAL);
  }
}

TEST(Tuner, SmallEntriesAreRecheckedToo) {
  SteadyCost Before{{40, 20, 0}, 400}, After{{90, 20, 0}, 400};
  bool Changed = false;
  auto Cost = [&](const heddle_plan &Plan, uint64_t First, uint64_t Count) {
    return Changed ? After(Plan, First, Count) : Before(Plan, First, Count);
  };
  LoopSimulation Loop({Lockstep, Serial}, Cost);
  for (int Entry = 0; Entry < 10000; ++Entry)
    Loop.enter(10);
  ASSERT_EQ(Loop.decidedVersion(), HEDDLE_SERIAL);
  Changed = true;
  for (int Entry = 0; Entry < 1000000; ++Entry)
    Loop.enter(10);
  EXPECT_EQ(Loop.decidedVersion(), HEDDLE_LOCKSTEP);
}

TEST(Tuner, LongIterationsAreNotRunByTheHundred) {
  // A millisecond an iteration: 256 of them a chunk would be the whole loop.
  LoopSimulation Loop({Serial, {HEDDLE_LOCKSTEP, 8}},
                      SteadyCost{{1e6, 5e5, 0}});
  Loop.enter(2000);
  EXPECT_EQ(Loop.decidedVersion(), HEDDLE_LOCKSTEP);
  // Even a short chunk of another version has to be earned first.
  EXPECT_LT(Loop.TimeOf[HEDDLE_SERIAL], 1500 * Millisecond);
}

TEST(Tuner, SettledChunksFillThePipeline) {
  LoopSimulation Loop({{HEDDLE_SERIAL, 1}, {HEDDLE_LOCKSTEP, 32}},
                      SteadyCost{{20000, 10000, 0}});
  Loop.runFor(30 * LoopSimulation::Millisecond);
  ASSERT_EQ(Loop.decidedVersion(), HEDDLE_LOCKSTEP);
  auto Planned = [&](uint64_t Remaining) {
    heddle_plan Plan;
    do
      heddle_tuner_begin(&Loop.Tuner, Remaining, &Plan);
    while (Plan.start & HEDDLE_PLAN_MEASURED_BIT);
    return Plan.iterations;
  };
  const uint64_t Chunk = Planned(UINT64_MAX);
  EXPECT_GE(Chunk, 16u * 32);
  EXPECT_LE(Chunk, 1000u) << "10 ms";
  // The rest of an entry is not cut into a long and a short piece.
  EXPECT_EQ(Planned(Chunk + 100), Chunk + 100);
  EXPECT_EQ(Planned(2 * Chunk), Chunk);
}

TEST(Tuner, FewLongIterationsShowALargeGain) {
  // Rays through a tree: a tenth of a second an entry.
  LoopSimulation Loop({Serial, {HEDDLE_LOCKSTEP, 96}, {HEDDLE_FIFO, 48}},
                      SteadyCost{{36e3, 12e3, 18e3}});
  Loop.enter(3000);
  EXPECT_LT(Loop.TimeOf[HEDDLE_SERIAL], 60 * Millisecond);
  EXPECT_LT(Loop.Elapsed, 85 * Millisecond);
}

TEST(Tuner, BreadthFirstSearchOverAndOver) {
  // Levels of a search: first and last ones small, where interleaving loses,
  // the middle large, where it wins; cost an iteration differs between levels.
  struct Level {
    uint64_t Vertices;
    double Cost;
  };
  const Level Levels[] = {{300, 40},    {5000, 80},  {200000, 200},
                          {400000, 90}, {20000, 50}, {400, 40}};
  std::mt19937_64 Random(7);
  double Unit = 1;
  auto Cost = [&](const heddle_plan &Plan, uint64_t, uint64_t Count) {
    std::normal_distribution<double> Noise(1, 0.1);
    double Time =
        Unit * static_cast<double>(Count) * std::max(0.3, Noise(Random));
    return Plan.version == HEDDLE_SERIAL ? Time : Time / 1.6 + 800;
  };
  LoopSimulation Loop({Serial, Lockstep}, Cost);
  double SerialTime = 0;
  for (int Search = 0; Search < 10; ++Search)
    for (const Level &L : Levels) {
      Unit = L.Cost;
      Loop.enter(L.Vertices);
      SerialTime += L.Cost * static_cast<double>(L.Vertices);
    }
  EXPECT_GT(SerialTime / Loop.Elapsed, 1.55);
}

TEST(Tuner, FrozenChoicesAreNeverMeasuredAgain) {
  LoopSimulation Loop({Serial, Lockstep}, SteadyCost{{60, 30, 0}}, true);
  for (int Entry = 0; Entry < 100; ++Entry)
    Loop.enter(1000);
  ASSERT_EQ(Loop.decidedVersion(), HEDDLE_LOCKSTEP);
  double SerialTime = Loop.TimeOf[HEDDLE_SERIAL];
  uint64_t Reads = LoopSimulation::ClockReads;
  for (int Entry = 0; Entry < 1000; ++Entry)
    Loop.enter(100000);
  EXPECT_EQ(Loop.TimeOf[HEDDLE_SERIAL], SerialTime);
  EXPECT_EQ(LoopSimulation::ClockReads, Reads);
}

TEST(Tuner, OneArmIsSettledFromTheStartAndNeverTimed) {
  LoopSimulation Loop({Fifo}, SteadyCost{{0, 0, 50}});
  EXPECT_EQ(Loop.decidedVersion(), HEDDLE_FIFO);
  heddle_plan Plan;
  heddle_tuner_begin(&Loop.Tuner, 12345678, &Plan);
  heddle_tuner_end(&Loop.Tuner, &Plan, 12345678, 12345678);
  EXPECT_EQ(Plan.iterations, 12345678u);
  EXPECT_EQ(Plan.tasks, 24u);
  EXPECT_EQ(LoopSimulation::ClockReads, 0u);
}

TEST(Tuner, ALoadedChoiceIsUsedAtOnceAndStillChecked) {
  LoopSimulation Loop({Serial, Lockstep}, SteadyCost{{30, 60, 0}});
  heddle_tuner_settle(&Loop.Tuner, {HEDDLE_LOCKSTEP, 33});
  Loop.enter(1000);
  EXPECT_EQ(Loop.TimeOf[HEDDLE_SERIAL], 0);
  EXPECT_EQ(Loop.decidedTasks(), 33u);
  Loop.runFor(100 * Millisecond);
  EXPECT_EQ(Loop.decidedVersion(), HEDDLE_SERIAL);
}

TEST(Tuner, ALoadedChoiceMeetsAllOthersInTurn) {
  const std::vector<heddle_arm> Arms = {
      Serial, Lockstep, Fifo, {HEDDLE_LOCKSTEP, 24}, {HEDDLE_FIFO, 12}};
  for (heddle_arm Loaded : {Serial, Lockstep, Fifo, heddle_arm{HEDDLE_FIFO, 7}})
    for (double Best : {20.0, 40.0}) {
      LoopSimulation Loop(Arms, SteadyCost{{30, 60, Best}});
      heddle_tuner_settle(&Loop.Tuner, Loaded);
      Loop.runFor(5 * LoopSimulation::Second);
      EXPECT_EQ(Loop.decidedVersion(),
                Best < 30 ? uint32_t{HEDDLE_FIFO} : uint32_t{HEDDLE_SERIAL});
    }
}

TEST(Tuner, ADoubtedChoiceMeetsTheOthersAtOnce) {
  SteadyCost Before{{30, 60, 90}}, After{{30, 20, 90}};
  bool Changed = false;
  auto Cost = [&](const heddle_plan &Plan, uint64_t First, uint64_t Count) {
    return (Changed ? After : Before)(Plan, First, Count);
  };
  LoopSimulation Loop({Serial, Lockstep, Fifo}, Cost);
  // Rechecks become rare.
  Loop.runFor(20 * LoopSimulation::Second);
  ASSERT_EQ(Loop.decidedVersion(), HEDDLE_SERIAL);
  Changed = true;
  heddle_tuner_doubt(&Loop.Tuner);
  Loop.runFor(30 * Millisecond);
  EXPECT_EQ(Loop.decidedVersion(), HEDDLE_LOCKSTEP);
}

TEST(Tuner, PlansStayWithinBounds) {
  LoopSimulation Loop({Serial, Lockstep}, SteadyCost{{60, 30, 0}});
  std::mt19937_64 Random(3);
  for (int Entry = 0; Entry < 20000; ++Entry) {
    uint64_t Remaining = Random() % 5000;
    heddle_plan Plan;
    heddle_tuner_begin(&Loop.Tuner, Remaining, &Plan);
    ASSERT_GE(Plan.iterations, 1u);
    ASSERT_LE(Plan.iterations, std::max<uint64_t>(1, Remaining));
    LoopSimulation::Now += 100 * Plan.iterations;
    // Loops that end early report less than planned, even nothing.
    uint64_t Count = Random() % (Plan.iterations + 1);
    heddle_tuner_end(&Loop.Tuner, &Plan, Count, Count);
  }
}

TEST(Tuner, ThreadsWithUnequalSharesJudgeForThemselves) {
  // Thread 1 has ten times the work an iteration that thread 2 has, and both
  // take turns; versions run by different threads must not be compared.
  for (uint64_t Seed = 1; Seed <= 20; ++Seed) {
    SteadyCost Steady{{30, 40, 0}, 300, 0.05, std::mt19937_64(Seed)};
    auto Cost = [&](const heddle_plan &Plan, uint64_t First, uint64_t Count) {
      return Steady(Plan, First, Count) *
             (LoopSimulation::Thread == 1 ? 10 : 1);
    };
    LoopSimulation Loop({Serial, Lockstep}, Cost);
    while (Loop.Elapsed < 30 * Millisecond) {
      Loop.runChunk(UINT64_MAX, UINT64_MAX);
      LoopSimulation::Thread = 3 - LoopSimulation::Thread;
    }
    EXPECT_EQ(Loop.decidedVersion(), HEDDLE_SERIAL) << Seed;
  }
}

TEST(Tuner, MoreThreadsThanLanesRunTheChampion) {
  LoopSimulation Loop({Serial, Lockstep}, SteadyCost{{60, 30, 0}});
  LoopSimulation::Thread = 100;
  Loop.runChunk(UINT64_MAX, UINT64_MAX); // measures the pace
  heddle_plan Plan;
  for (uintptr_t I = 1; I <= HEDDLE_LANES; ++I) {
    LoopSimulation::Thread = I;
    heddle_tuner_begin(&Loop.Tuner, UINT64_MAX, &Plan);
    EXPECT_TRUE(Plan.start & HEDDLE_PLAN_MEASURED_BIT);
  }
  LoopSimulation::Thread = 99;
  heddle_tuner_begin(&Loop.Tuner, UINT64_MAX, &Plan);
  EXPECT_FALSE(Plan.start & HEDDLE_PLAN_MEASURED_BIT);
  EXPECT_EQ(Plan.version, HEDDLE_SERIAL);
  // Lanes of threads that ended long ago are free again.
  LoopSimulation::Now += 1000 * 1000 * 1000;
  heddle_tuner_begin(&Loop.Tuner, UINT64_MAX, &Plan);
  EXPECT_TRUE(Plan.start & HEDDLE_PLAN_MEASURED_BIT);
}

TEST(Tuner, AHeldLockMakesNobodyWait) {
  LoopSimulation Loop({Serial, Lockstep}, SteadyCost{{60, 30, 0}});
  Loop.Tuner.lock = 1;
  heddle_plan Plan;
  heddle_tuner_begin(&Loop.Tuner, UINT64_MAX, &Plan);
  EXPECT_EQ(Plan.version, HEDDLE_SERIAL);
  heddle_tuner_end(&Loop.Tuner, &Plan, Plan.iterations, Plan.iterations);
  heddle_tuner_after_fork(&Loop.Tuner);
  Loop.runFor(Millisecond);
  EXPECT_EQ(Loop.decidedVersion(), HEDDLE_LOCKSTEP);
}

} // namespace
