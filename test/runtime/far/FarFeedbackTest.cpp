//===- FarFeedbackTest.cpp - The devices as all loops see them ------------===//
//
// Tests against a device that is a formula, and a simulated clock.
//
//===----------------------------------------------------------------------===//

#include "far/devices/depth.h"
#include "far/devices/feedback.h"
#include "far/support/clock.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <optional>

namespace {

std::optional<double> Simulated;

/// A device that completes 1e4 requests a second for each one in flight, up to
/// a knee, and loops that always have as many in flight as they may.
class Simulation {
public:
  Simulation(unsigned Loops, double Knee) : Loops(Loops), Knee(Knee) {
    Simulated = 0;
    for (unsigned I = 0; I < Loops; ++I)
      heddle_far_join_devices();
  }
  Simulation(const Simulation &) = delete;
  Simulation &operator=(const Simulation &) = delete;
  ~Simulation() {
    heddle_far_withdrawn(UnderWay);
    for (unsigned I = 0; I < Loops; ++I)
      heddle_far_leave_devices();
    Simulated.reset();
  }

  void run(unsigned Requests) {
    for (unsigned I = 0; I < Requests; ++I) {
      if (const unsigned Wanted = Loops * heddle_far_share_of_devices();
          UnderWay < Wanted) {
        heddle_far_submitted(Wanted - UnderWay);
        UnderWay = Wanted;
      }
      if (Cancelled > 0) {
        heddle_far_submitted(Cancelled);
        heddle_far_withdrawn(Cancelled);
      }
      *Simulated += 1e-4 / std::min<double>(UnderWay, Knee);
      heddle_far_completed(1);
      --UnderWay;
    }
  }

  /// The number of requests that are cancelled for each that completes.
  unsigned Cancelled = 0;

private:
  const unsigned Loops;
  const double Knee;
  unsigned UnderWay = 0;
};

TEST(FarFeedback, ComesToTheKnee) {
  for (const double Knee : {24, 150}) {
    Simulation S(1, Knee);
    S.run(400000);
    EXPECT_GE(heddle_far_share_of_devices(), Knee / 1.6);
    EXPECT_LE(heddle_far_share_of_devices(), Knee * 1.9);
  }
}

TEST(FarFeedback, LoopsHaveEqualShares) {
  Simulation S(4, 100);
  S.run(400000);
  EXPECT_GE(heddle_far_share_of_devices(), 16u);
  EXPECT_LE(heddle_far_share_of_devices(), 48u);
  // Fewer loops have more each, at once.
  const unsigned OfFour = heddle_far_share_of_devices();
  heddle_far_leave_devices();
  heddle_far_leave_devices();
  EXPECT_GE(heddle_far_share_of_devices(), 2 * OfFour - 2);
  EXPECT_LE(heddle_far_share_of_devices(), 2 * OfFour + 2);
  heddle_far_join_devices();
  heddle_far_join_devices();
}

TEST(FarFeedback, WhatIsCancelledDoesNotCount) {
  // Starts with few tasks, so that the number has to grow.
  {
    Simulation S(1, 8);
    S.run(400000);
    ASSERT_LE(heddle_far_share_of_devices(), 16u);
  }
  Simulation S(1, 150);
  S.Cancelled = 3;
  S.run(400000);
  EXPECT_GE(heddle_far_share_of_devices(), 94u);
  EXPECT_LE(heddle_far_share_of_devices(), unsigned(HeddleFarMostTasks));
}

TEST(FarFeedback, MoreLoopsGrowFromWhatFewHad) {
  {
    Simulation S(1, 5);
    S.run(400000);
    ASSERT_LE(heddle_far_share_of_devices(), 10u);
  }
  {
    Simulation S(4, 400);
    S.run(400000);
    EXPECT_GE(heddle_far_share_of_devices(), 62u);
  }
  // One loop must reduce its tasks from the number of many loops.
  Simulation S(1, 24);
  S.run(400000);
  EXPECT_LE(heddle_far_share_of_devices(), 46u);
}

} // namespace

/// Replaces the library's clock.
extern "C" double heddle_far_seconds() {
  using std::chrono::duration, std::chrono::steady_clock;
  return Simulated
             ? *Simulated
             : duration<double>(steady_clock::now().time_since_epoch()).count();
}
