//===- DuelTest.cpp - Verdicts from given samples -------------------------===//

#include "tuner/duel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace {

heddle_verdict judge(heddle_duel_kind Kind,
                     std::initializer_list<double> Challenger) {
  heddle_duel Duel;
  heddle_duel_start(&Duel, Kind);
  for (double Time : Challenger)
    heddle_duel_add(&Duel, 100, Time, 1000);
  return heddle_duel_judge(&Duel);
}

TEST(Duel, TwoPairsAreNotEnough) {
  EXPECT_EQ(judge(HEDDLE_DUEL_VERSIONS, {10, 10}), HEDDLE_UNDECIDED);
}

TEST(Duel, ButHopelessOnesAre) {
  EXPECT_EQ(judge(HEDDLE_DUEL_VERSIONS, {1100}), HEDDLE_KEEP);
  EXPECT_EQ(judge(HEDDLE_DUEL_VERSIONS, {500}), HEDDLE_UNDECIDED);
  EXPECT_EQ(judge(HEDDLE_DUEL_VERSIONS, {400, 500}), HEDDLE_KEEP);
  EXPECT_EQ(judge(HEDDLE_DUEL_VERSIONS, {400, 200}), HEDDLE_UNDECIDED);
}

TEST(Duel, ThreeAgreeingPairsAre) {
  EXPECT_EQ(judge(HEDDLE_DUEL_VERSIONS, {50, 52, 49}), HEDDLE_SWITCH);
  EXPECT_EQ(judge(HEDDLE_DUEL_VERSIONS, {200, 190, 205}), HEDDLE_KEEP);
}

TEST(Duel, ThreePairsThatDisagreeAreNot) {
  EXPECT_EQ(judge(HEDDLE_DUEL_VERSIONS, {50, 200, 49}), HEDDLE_UNDECIDED);
}

TEST(Duel, OneWildPairDoesNotOverruleTheOthers) {
  EXPECT_EQ(judge(HEDDLE_DUEL_VERSIONS, {70, 71, 69, 70, 72, 68, 70, 71, 7000}),
            HEDDLE_SWITCH);
}

TEST(Duel, PairsWithLittleToDoDoNotOutvoteTheOthers) {
  heddle_duel Duel;
  heddle_duel_start(&Duel, HEDDLE_DUEL_VERSIONS);
  for (int I = 0; I < 20; ++I) {
    heddle_duel_add(&Duel, 100, 80 + I % 3, 10);
    if (I % 2)
      heddle_duel_add(&Duel, 100, 120 + I % 5, 1000);
  }
  EXPECT_EQ(heddle_duel_judge(&Duel), HEDDLE_KEEP);
}

TEST(Duel, OnePairThatHoldsAllWorkDoesNotUnsettleALoop) {
  for (auto Kind :
       {HEDDLE_DUEL_RECHECK, HEDDLE_DUEL_CHECK, HEDDLE_DUEL_PRESSING_CHECK}) {
    heddle_duel Duel;
    heddle_duel_start(&Duel, Kind);
    heddle_duel_add(&Duel, 100, 50, 1e6);
    while (heddle_duel_judge(&Duel) == HEDDLE_UNDECIDED)
      heddle_duel_add(&Duel, 100, 120, 10);
    EXPECT_EQ(heddle_duel_judge(&Duel), HEDDLE_KEEP);
  }
}

// A version replaces another only for better reasons than it is kept for.
TEST(Duel, ExchangedSamplesAreNeverBothSwitches) {
  std::mt19937 Random(1);
  std::normal_distribution<double> Noise(0, 20);
  for (int Round = 0; Round < 1000; ++Round) {
    heddle_duel Duel, Mirrored;
    heddle_duel_start(&Duel, HEDDLE_DUEL_VERSIONS);
    heddle_duel_start(&Mirrored, HEDDLE_DUEL_VERSIONS);
    for (int I = 0; I < 5 + Round % 20; ++I) {
      double Other = std::max(10.0, 120 + Noise(Random));
      heddle_duel_add(&Duel, 100, Other, 10);
      heddle_duel_add(&Mirrored, Other, 100, 10);
    }
    EXPECT_NE(heddle_duel_judge(&Duel), HEDDLE_SWITCH);
    if (heddle_duel_judge(&Mirrored) == HEDDLE_SWITCH)
      EXPECT_EQ(heddle_duel_judge(&Duel), HEDDLE_KEEP);
    EXPECT_NEAR(heddle_duel_ratio(&Duel) * heddle_duel_ratio(&Mirrored), 1,
                1e-4);
    EXPECT_GT(heddle_duel_high_ratio(&Duel), heddle_duel_ratio(&Duel));
  }
}

TEST(Duel, EqualTimesKeepTheChampion) {
  EXPECT_EQ(judge(HEDDLE_DUEL_VERSIONS,
                  {100, 101, 99, 100, 100, 100, 101, 99, 100, 100, 100, 100}),
            HEDDLE_KEEP);
}

TEST(Duel, EqualTimesAreForTheSerialVersion) {
  std::initializer_list<double> Equal = {100, 101, 99,  100, 100, 100,
                                         101, 99,  100, 100, 100, 100};
  for (auto Kind : {HEDDLE_DUEL_CHECK, HEDDLE_DUEL_PRESSING_CHECK}) {
    EXPECT_EQ(judge(Kind, Equal), HEDDLE_SWITCH);
    EXPECT_EQ(judge(Kind, {130, 80, 120, 90}), HEDDLE_UNDECIDED);
    EXPECT_EQ(judge(Kind, {130, 120, 90, 115}), HEDDLE_KEEP);
  }
}

TEST(Duel, ALoopThatHasLostLeavesItsVersionSooner) {
  std::initializer_list<double> Doubtful = {70, 105, 80, 100, 90, 75};
  EXPECT_EQ(judge(HEDDLE_DUEL_PRESSING_CHECK, Doubtful), HEDDLE_SWITCH);
  EXPECT_EQ(judge(HEDDLE_DUEL_CHECK, Doubtful), HEDDLE_UNDECIDED);
  EXPECT_EQ(judge(HEDDLE_DUEL_RECHECK, Doubtful), HEDDLE_UNDECIDED);
}

TEST(Duel, LittleIsKnownOfFewSamples) {
  heddle_duel Duel;
  heddle_duel_start(&Duel, HEDDLE_DUEL_VERSIONS);
  heddle_duel_add(&Duel, 100, 50, 10);
  EXPECT_NEAR(heddle_duel_ratio(&Duel), 0.5, 0.001);
  EXPECT_GT(heddle_duel_high_ratio(&Duel), 0.75);
  EXPECT_LT(heddle_duel_high_ratio(&Duel), 1);
  heddle_duel_start(&Duel, HEDDLE_DUEL_VERSIONS);
  heddle_duel_add(&Duel, 100, 90, 10);
  EXPECT_GT(heddle_duel_high_ratio(&Duel), 1.2);
}

TEST(Duel, ARecheckEndsEarlyWithoutAHint) {
  std::initializer_list<double> Mixed = {130, 80, 120, 90};
  EXPECT_EQ(judge(HEDDLE_DUEL_RECHECK, Mixed), HEDDLE_KEEP);
  EXPECT_EQ(judge(HEDDLE_DUEL_VERSIONS, Mixed), HEDDLE_UNDECIDED);
}

TEST(Duel, ARecheckFollowsAHint) {
  EXPECT_EQ(judge(HEDDLE_DUEL_RECHECK, {80, 100, 70, 105}), HEDDLE_UNDECIDED);
}

TEST(Duel, EveryKindEndsAtItsMostSamples) {
  for (auto Kind :
       {HEDDLE_DUEL_VERSIONS, HEDDLE_DUEL_TASKS, HEDDLE_DUEL_RECHECK,
        HEDDLE_DUEL_CHECK, HEDDLE_DUEL_PRESSING_CHECK}) {
    heddle_duel Duel;
    heddle_duel_start(&Duel, Kind);
    int Samples = 0;
    heddle_verdict Verdict = HEDDLE_UNDECIDED;
    while (Verdict == HEDDLE_UNDECIDED) {
      ASSERT_LT(Samples, HEDDLE_DUEL_MOST_SAMPLES);
      heddle_duel_add(&Duel, 100, ++Samples % 2 ? 300 : 30, 1000);
      Verdict = heddle_duel_judge(&Duel);
    }
  }
}

TEST(Duel, TimesOfZeroAreEqual) {
  heddle_duel Duel;
  heddle_duel_start(&Duel, HEDDLE_DUEL_VERSIONS);
  for (int I = 0; I < 6; ++I)
    heddle_duel_add(&Duel, 0, 0, 1);
  EXPECT_NE(heddle_duel_judge(&Duel), HEDDLE_SWITCH);
}

TEST(Duel, KnowsNoise) {
  heddle_duel Steady, Wild;
  heddle_duel_start(&Steady, HEDDLE_DUEL_VERSIONS);
  heddle_duel_start(&Wild, HEDDLE_DUEL_VERSIONS);
  for (int I = 0; I < 10; ++I) {
    heddle_duel_add(&Steady, 100, 100 + I % 3, 1000);
    heddle_duel_add(&Wild, 100, I % 2 ? 50 : 200, 1000);
  }
  EXPECT_FALSE(heddle_duel_is_noisy(&Steady));
  EXPECT_TRUE(heddle_duel_is_noisy(&Wild));
}

} // namespace
