//===- BalanceTest.cpp - What a loop may lose -----------------------------===//

#include "tuner/balance.h"

#include <gtest/gtest.h>

namespace {

constexpr double Microsecond = 1000, Millisecond = 1000 * Microsecond;

heddle_balance started(bool Kept = true) {
  heddle_balance Balance;
  heddle_balance_start(&Balance, Kept, Microsecond);
  return Balance;
}

TEST(Balance, LessThanTwoPercentOfTwentyMilliseconds) {
  heddle_balance Balance = started();
  heddle_balance_add_serial(&Balance, 20 * Millisecond);
  EXPECT_TRUE(heddle_balance_affords(&Balance, 0.01 * 20 * Millisecond));
  EXPECT_FALSE(heddle_balance_affords(&Balance, 0.02 * 20 * Millisecond));
}

TEST(Balance, WithoutASerialVersionThereIsNothingToLoseAgainst) {
  heddle_balance Balance = started(false);
  heddle_balance_add_loss(&Balance, 20 * Millisecond);
  EXPECT_TRUE(heddle_balance_affords(&Balance, 1000 * Millisecond));
}

TEST(Balance, WhatIsLackingIsEarned) {
  heddle_balance Balance = started();
  EXPECT_EQ(heddle_balance_earned_after(&Balance, 10 * Microsecond), 0);
  double Time = heddle_balance_earned_after(&Balance, Millisecond);
  EXPECT_GT(Time, 50 * Millisecond);
  heddle_balance_add_serial(&Balance, 1.001 * Time);
  EXPECT_TRUE(heddle_balance_affords(&Balance, Millisecond));
}

TEST(Balance, ADuelIsAtStakeUntilItIsOver) {
  heddle_balance Balance = started();
  double Before = Balance.ticks;
  heddle_balance_set_stake(&Balance, 50 * Microsecond);
  heddle_balance_set_stake(&Balance, 40 * Microsecond);
  EXPECT_FALSE(heddle_balance_affords(&Balance, Before - 30 * Microsecond));
  EXPECT_TRUE(heddle_balance_affords(&Balance, Before - 40 * Microsecond));
  heddle_balance_lose_stake(&Balance);
  heddle_balance_lose_stake(&Balance);
  EXPECT_EQ(Balance.ticks, Before - 40 * Microsecond);
  heddle_balance_set_stake(&Balance, -40 * Microsecond); // a gain
  EXPECT_TRUE(heddle_balance_affords(&Balance, Before - 40 * Microsecond));
}

TEST(Balance, GainsLetComparisonsWait) {
  heddle_balance Balance = started();
  double First = heddle_balance_check_after(&Balance);
  EXPECT_LE(First, Millisecond);
  Balance.unchecked = 10 * Millisecond;
  heddle_balance_check(&Balance, 2);
  EXPECT_EQ(Balance.unchecked, 0);
  EXPECT_GT(heddle_balance_check_after(&Balance), 4 * Millisecond);
  EXPECT_FALSE(heddle_balance_presses(&Balance));
  Balance.unchecked = 40 * Millisecond;
  heddle_balance_check(&Balance, 0.5);
  EXPECT_EQ(heddle_balance_check_after(&Balance), First);
  EXPECT_TRUE(heddle_balance_presses(&Balance));
  // However much has been gained or lost, the accounts stay within bounds.
  Balance.unchecked = 1e6 * Millisecond;
  heddle_balance_check(&Balance, 8);
  EXPECT_LE(heddle_balance_check_after(&Balance), 100 * Millisecond);
  Balance.unchecked = 1e6 * Millisecond;
  heddle_balance_check(&Balance, 0.1);
  EXPECT_LE(heddle_balance_earned_after(&Balance, 0), 10000 * Millisecond);
}

} // namespace
