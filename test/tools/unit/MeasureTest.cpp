//===- MeasureTest.cpp - Order, comparison and arithmetic of measuring ----===//

#include "bench/measure/Measure.h"
#include "command/Error.h"

#include <chrono>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <thread>
#include <utility>
#include <vector>

namespace heddle::bench {
namespace {

constexpr MeasureSettings ThreeTimes = {.repetitions = 3,
                                        .slowRepetitions = 3,
                                        .minimumSeconds = 0,
                                        .tuningSeconds = 0};

using Clock = std::chrono::steady_clock;

/// Notes which versions run, and computes what it is told to.
struct FakeWorkload {
  std::vector<Version> ran;
  std::vector<Version> present{AllVersions.begin(), AllVersions.end()};
  std::map<Version, Clock::time_point> firstRun;
  Version wrong = Version::Serial; ///< computes something else, unless serial
  int64_t runsInMeasurement = 0;
  bool alwaysOdd = true;

  std::vector<Measurement> measure(const MeasureSettings &settings) {
    const auto run = [this](Version version) {
      ran.push_back(version);
      firstRun.emplace(version, Clock::now());
      ++runsInMeasurement;
      std::this_thread::sleep_for(std::chrono::microseconds(100));
      return version != Version::Serial && version == wrong ? 2 : 1;
    };
    const auto checksum = [this](uint64_t result) {
      alwaysOdd &= runsInMeasurement % 2 == 1;
      return 10 * result;
    };
    return bench::measure({.operations = 1000,
                           .run = run,
                           .reset = [this] { runsInMeasurement = 0; },
                           .checksum = checksum,
                           .versions = present},
                          1, settings, [](const std::string &) {});
  }
};

TEST(Measure, ReportsEveryVersionOnceInOrder) {
  FakeWorkload workload;
  const auto measurements = workload.measure(ThreeTimes);
  ASSERT_EQ(measurements.size(), AllVersions.size());
  for (size_t i = 0; i < AllVersions.size(); ++i) {
    EXPECT_EQ(measurements[i].version, AllVersions[i]);
    EXPECT_EQ(measurements[i].threads, 1);
    EXPECT_EQ(measurements[i].checksum, 10u);
    // A run of 1000 operations sleeps for 100 microseconds.
    EXPECT_GE(measurements[i].nanosecondsPerOperation, 100);
    EXPECT_GT(measurements[i].speed, 0);
  }
  EXPECT_EQ(measurements[0].speed, 1);
}

TEST(Measure, LeavesOutVersionsThatDoNotExist) {
  FakeWorkload workload;
  workload.present = {Version::Serial, Version::Heddle};
  const auto measurements = workload.measure(ThreeTimes);
  ASSERT_EQ(measurements.size(), 2u);
  EXPECT_EQ(measurements[1].version, Version::Heddle);
}

TEST(Measure, EveryVersionRunsBehindEachOtherEquallyOften) {
  using Versions = std::vector<Version>;
  for (const Versions &present :
       {Versions(AllVersions.begin(), AllVersions.end()),
        Versions{Version::Serial, Version::Heddle}}) {
    const size_t rivals = present.size();
    FakeWorkload workload;
    workload.present = present;
    MeasureSettings settings = ThreeTimes;
    settings.repetitions = static_cast<int>(2 * rivals);
    workload.measure(settings);
    // One first run, a warm-up of each, then the repetitions.
    ASSERT_EQ(workload.ran.size(), 1 + (1 + 2 * rivals) * rivals);
    std::map<std::pair<Version, Version>, int> timesBehind;
    for (size_t repetition = 1; repetition <= 2 * rivals; ++repetition) {
      const auto begin = workload.ran.begin() + 1 + rivals * repetition;
      EXPECT_EQ(std::set(begin, begin + rivals).size(), rivals);
      for (auto ran = begin + 1; ran != begin + rivals; ++ran)
        ++timesBehind[{*(ran - 1), *ran}];
    }
    for (Version before : present)
      for (Version version : present)
        EXPECT_EQ((timesBehind[{before, version}]), before == version ? 0 : 2);
  }
}

TEST(Measure, RepeatsShortRunsAnOddNumberOfTimes) {
  FakeWorkload workload;
  MeasureSettings settings = ThreeTimes;
  settings.minimumSeconds = 0.002;
  workload.measure(settings);
  EXPECT_TRUE(workload.alwaysOdd);
}

TEST(Measure, GivesTheTunerTimeToSettle) {
  FakeWorkload workload;
  MeasureSettings settings = ThreeTimes;
  settings.tuningSeconds = 0.02;
  workload.measure(settings);
  const std::chrono::duration<double> tuning =
      workload.firstRun[Version::Coroutines] -
      workload.firstRun[Version::Heddle];
  EXPECT_GE(tuning.count(), settings.tuningSeconds);
}

TEST(Measure, NamesTheVersionThatComputesSomethingElse) {
  for (Version version : AllVersions) {
    if (version == Version::Serial)
      continue;
    FakeWorkload workload;
    workload.wrong = version;
    try {
      workload.measure(ThreeTimes);
      FAIL() << nameOf(version);
    } catch (const Error &error) {
      EXPECT_EQ(std::string(error.what()),
                std::string("version ") + nameOf(version) +
                    " computes checksum 0000000000000014, but serial computes "
                    "000000000000000a");
    }
  }
}

} // namespace
} // namespace heddle::bench
