//===- SuspensionPlanTest.cpp - Which lines of an object are requested ----===//

#include "async/plan/SuspensionPlan.h"
#include "gtest/gtest.h"

using namespace heddle;
using namespace llvm;

namespace {

using Lines = SmallVector<int64_t, 2>;

Lines linesOf(ArrayRef<int64_t> Bytes) {
  Lines Found{0};
  for (int64_t Byte : Bytes)
    requestByte(Found, Byte, 64);
  return Found;
}

TEST(SuspensionPlan, SmallObjectsAreInOneLine) {
  EXPECT_EQ(linesOf({0, 8, -8}), Lines({0}));
}

TEST(SuspensionPlan, LargerObjectsMayBeInTwo) {
  EXPECT_EQ(linesOf({8, 24}), Lines({0, 24}));
  EXPECT_EQ(linesOf({-32}), Lines({0, -32}));
}

TEST(SuspensionPlan, WhatIsBetweenTwoBytesOfALineIsRequested) {
  EXPECT_EQ(linesOf({56, 24, 40}), Lines({0, 56}));
  EXPECT_EQ(linesOf({16, 32, 48, 64}), Lines({0, 64}));
  // Not so if a whole line may lie there.
  EXPECT_EQ(linesOf({100, 50}), Lines({0, 100, 50}));
}

TEST(SuspensionPlan, AnAlignedObjectIsInOneLine) {
  Lines Found{0};
  for (int64_t Byte : {40, 56})
    requestByte(Found, Byte, 64, Align(64));
  EXPECT_EQ(Found, Lines({0}));
  requestByte(Found, 64, 64, Align(64));
  EXPECT_EQ(Found, Lines({0, 64}));
  Found = {0};
  requestByte(Found, 24, 64, Align(32));
  EXPECT_EQ(Found, Lines({0}));
  requestByte(Found, 32, 64, Align(32));
  EXPECT_EQ(Found, Lines({0, 32}));
}

TEST(SuspensionPlan, AnObjectIsRequestedLineByLine) {
  Lines Found{0};
  for (int64_t Byte = 0; Byte < 256; Byte += 8)
    requestByte(Found, Byte, 64);
  EXPECT_LE(Found.size(), 6u);
  EXPECT_EQ(Found.front(), 0);
  EXPECT_GE(*max_element(Found), 240);
}

} // namespace
