// decide(): whether a loop is interleaved, in which versions, and why not.

#include "async/plan/CostModel.h"
#include "gtest/gtest.h"

using namespace heddle;

namespace {

LoopProfile dependentAccesses() {
  LoopProfile Profile;
  Profile.SuspensionPoints = 2;
  Profile.DeepestAddress = 1;
  return Profile;
}

LoopProfile independentAccesses() {
  LoopProfile Profile;
  Profile.SuspensionPoints = 1;
  return Profile;
}

Directive withScheduler(Schedule Scheduler) {
  Directive D;
  D.Scheduler = Scheduler;
  return D;
}

void expectRefused(const Decision &Choice, RefusalKind Why) {
  EXPECT_FALSE(Choice.Interleave);
  EXPECT_FALSE(Choice.HasLockstep);
  EXPECT_FALSE(Choice.HasFifo);
  EXPECT_EQ(Choice.Why, Why);
}

TEST(CostModel, NothingToWaitForIsRefusedWhateverIsAskedFor) {
  for (Schedule Scheduler : {Schedule::Unspecified, Schedule::Lockstep,
                             Schedule::Fifo, Schedule::Dynamic}) {
    LoopProfile Profile = dependentAccesses();
    Profile.SuspensionPoints = 0;
    Profile.HasRemote = Profile.AtomicsWait = Profile.BranchesOnMemory = true;
    expectRefused(decide(Profile, withScheduler(Scheduler)),
                  RefusalKind::Predictable);
  }
}

TEST(CostModel, IndependentAccessesAreLeftToTheProcessor) {
  expectRefused(decide(independentAccesses(), Directive()),
                RefusalKind::Overlapped);
  LoopProfile Many = independentAccesses();
  Many.SuspensionPoints = 10;
  expectRefused(decide(Many, Directive()), RefusalKind::Overlapped);
}

TEST(CostModel, IndependentElementsOfRowsAreLeftToTheProcessor) {
  LoopProfile Profile;
  Profile.EarlyRequests = 1;
  Profile.GoesThroughRows = true;
  expectRefused(decide(Profile, Directive()), RefusalKind::Overlapped);
  Profile.BranchesOnMemory = true;
  const Decision Choice = decide(Profile, Directive());
  EXPECT_TRUE(Choice.HasLockstep);
  EXPECT_FALSE(Choice.HasFifo);
  EXPECT_FALSE(Choice.IsOverBudget);
}

TEST(CostModel, RequestsThatSuspendNobodyAreTriedInOneVersion) {
  LoopProfile Profile;
  Profile.EarlyRequests = 1;
  Decision Choice = decide(Profile, Directive());
  EXPECT_TRUE(Choice.Interleave);
  EXPECT_TRUE(Choice.HasSerial);
  EXPECT_TRUE(Choice.HasLockstep);
  EXPECT_FALSE(Choice.HasFifo);
}

TEST(CostModel, WhatTheProcessorDoesNotOverlapIsInterleaved) {
  LoopProfile Branches = independentAccesses();
  Branches.BranchesOnMemory = true;
  LoopProfile Atomics = independentAccesses();
  Atomics.AtomicsWait = true;
  LoopProfile Remote = independentAccesses();
  Remote.HasRemote = true;
  LoopProfile Endless = independentAccesses();
  Endless.DeepestAddress = 100;
  for (const LoopProfile &Profile :
       {dependentAccesses(), Branches, Atomics, Remote, Endless}) {
    Decision Choice = decide(Profile, Directive());
    EXPECT_TRUE(Choice.Interleave);
    EXPECT_FALSE(Choice.Why);
  }
}

TEST(CostModel, ChoiceIsAmongAllVersionsByDefault) {
  Decision Choice = decide(dependentAccesses(), Directive());
  EXPECT_TRUE(Choice.HasSerial);
  EXPECT_TRUE(Choice.HasLockstep);
  EXPECT_TRUE(Choice.HasFifo);
  EXPECT_EQ(Choice.Default, Schedule::Lockstep);
}

TEST(CostModel, LockstepClauseLeavesNoChoice) {
  for (const LoopProfile &Profile :
       {independentAccesses(), dependentAccesses()}) {
    Decision Choice = decide(Profile, withScheduler(Schedule::Lockstep));
    EXPECT_TRUE(Choice.Interleave);
    EXPECT_TRUE(Choice.HasLockstep);
    EXPECT_FALSE(Choice.HasFifo);
    EXPECT_FALSE(Choice.HasSerial);
    EXPECT_EQ(Choice.Default, Schedule::Lockstep);
  }
}

TEST(CostModel, FifoClauseLeavesNoChoice) {
  for (const LoopProfile &Profile :
       {independentAccesses(), dependentAccesses()}) {
    Decision Choice = decide(Profile, withScheduler(Schedule::Fifo));
    EXPECT_TRUE(Choice.Interleave);
    EXPECT_FALSE(Choice.HasLockstep);
    EXPECT_TRUE(Choice.HasFifo);
    EXPECT_FALSE(Choice.HasSerial);
    EXPECT_EQ(Choice.Default, Schedule::Fifo);
  }
}

// Clauses that are not about the schedule do not affect the decision.
TEST(CostModel, TasksClauseForcesNothing) {
  Directive D;
  D.Tasks = 16;
  D.Coalesce = 2;
  expectRefused(decide(independentAccesses(), D), RefusalKind::Overlapped);
  EXPECT_TRUE(decide(dependentAccesses(), D).HasSerial);
}

} // namespace
