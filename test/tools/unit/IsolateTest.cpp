//===- IsolateTest.cpp - The results of a measuring process ---------------===//

#include "bench/measure/Isolate.h"
#include "command/Error.h"

#include <csignal>
#include <gtest/gtest.h>

namespace heddle::bench {
namespace {

std::string errorOf(const std::function<IsolatedResult()> &work) {
  try {
    runIsolated(work);
  } catch (const Error &error) {
    return error.what();
  }
  return "no error";
}

TEST(Isolate, BringsBackTheMeasurements) {
  const IsolatedResult result = runIsolated([] {
    IsolatedResult made;
    made.hugeShare = 0.75;
    for (int threads = 1; threads <= 1000; ++threads)
      made.measurements.push_back(
          {Version::Fifo, threads, 0.5 * threads, 3, uint64_t(threads) << 32});
    return made;
  });
  EXPECT_EQ(result.hugeShare, 0.75);
  ASSERT_EQ(result.measurements.size(), 1000u);
  EXPECT_EQ(result.measurements[999].version, Version::Fifo);
  EXPECT_EQ(result.measurements[999].threads, 1000);
  EXPECT_EQ(result.measurements[999].nanosecondsPerOperation, 500);
  EXPECT_EQ(result.measurements[999].checksum, uint64_t(1000) << 32);
}

TEST(Isolate, BringsBackBytesAndObjects) {
  // More than a pipe holds, and zeros too.
  std::string many(300000, '\0');
  many += "end";
  EXPECT_EQ(runInChild([&] { return many; }), many);
  EXPECT_EQ(runInChild([] { return std::string(); }), "");
  EXPECT_EQ(runInChildFor([] { return std::uint64_t(1) << 40; }),
            std::uint64_t(1) << 40);
}

TEST(Isolate, ChangesNothingHere) {
  int here = 1;
  runIsolated([&] {
    here = 2;
    return IsolatedResult();
  });
  EXPECT_EQ(here, 1);
}

TEST(Isolate, PassesErrorsOn) {
  EXPECT_EQ(errorOf([]() -> IsolatedResult { throw Error("no such luck"); }),
            "no such luck");
}

TEST(Isolate, ReportsCrashes) {
  EXPECT_EQ(errorOf([] {
              std::raise(SIGKILL);
              return IsolatedResult();
            }),
            "crashed: Killed");
}

} // namespace
} // namespace heddle::bench
