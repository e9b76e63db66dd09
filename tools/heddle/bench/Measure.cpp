//===- Measure.cpp - Timing the versions of a kernel ---------------------===//

#include "Measure.h"

#include "Error.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <iterator>
#include <omp.h>

namespace heddle::bench {

namespace {

/// A run that takes this long is slow.
constexpr double SlowSeconds = 0.5;

struct Timed {
  double seconds;
  uint64_t checksum;
};

Timed timeRuns(Workload &workload, Version version, int64_t runs) {
  using Clock = std::chrono::steady_clock;
  workload.reset();
  uint64_t result = 0;
  const Clock::time_point start = Clock::now();
  for (int64_t run = 0; run < runs; ++run)
    result = workload.run(version);
  const std::chrono::duration<double> elapsed = Clock::now() - start;
  return {elapsed.count(), workload.checksum(result)};
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t middle = values.size() / 2;
  return values.size() % 2 ? values[middle]
                           : (values[middle - 1] + values[middle]) / 2;
}

/// Which of `count` rivals run one after the other in a repetition: a Williams
/// design, in which over `count` repetitions (twice as many if it is odd) each
/// runs directly behind each other one equally often.
std::vector<size_t> orderOf(size_t count, size_t repetition) {
  std::vector<size_t> order;
  for (size_t i = 0; i < count; ++i) {
    const size_t zigzag = i % 2 ? (i + 1) / 2 : count - i / 2; // 0 1 -1 2 -2...
    order.push_back((zigzag + repetition) % count);
  }
  if (count % 2 == 1 && repetition % 2 == 1)
    std::ranges::reverse(order);
  return order;
}

} // namespace

std::vector<Measurement>
measure(Workload &workload, int threads, const MeasureSettings &settings,
        const std::function<void(const std::string &)> &announce) {
  omp_set_num_threads(threads);
  announce("first run");
  const Timed first = timeRuns(workload, Version::Serial, 1);
  // Always odd: see Workload::checksum.
  const int64_t runs =
      static_cast<int64_t>(settings.minimumSeconds / first.seconds / 2) * 2 + 1;

  struct Rival {
    Version version;
    std::vector<double> seconds;
  };
  std::vector<Rival> rivals;
  for (Version version : AllVersions)
    if (workload.has(version))
      rivals.push_back({version, {}});

  const auto runRival = [&](Rival &rival) {
    const Timed timed = timeRuns(workload, rival.version, runs);
    if (timed.checksum != first.checksum)
      throw Error(fmt::format("version {} computes checksum {:016x}, but "
                              "serial computes {:016x}",
                              nameOf(rival.version), timed.checksum,
                              first.checksum));
    return timed.seconds;
  };
  // Not counted: caches and page tables settle.
  for (Rival &rival : rivals) {
    announce(fmt::format("warming up {}", nameOf(rival.version)));
    double seconds = runRival(rival);
    while (rival.version == Version::Heddle && seconds < settings.tuningSeconds)
      seconds += runRival(rival);
  }
  const int repetitions = first.seconds < SlowSeconds
                              ? settings.repetitions
                              : settings.slowRepetitions;
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    announce(fmt::format("repetition {} of {}", repetition + 1, repetitions));
    for (size_t i : orderOf(rivals.size(), repetition))
      rivals[i].seconds.push_back(runRival(rivals[i]));
  }

  std::vector<Measurement> measurements;
  const std::vector<double> &serial = rivals.front().seconds;
  for (const Rival &rival : rivals) {
    std::vector<double> speeds;
    std::ranges::transform(serial, rival.seconds, std::back_inserter(speeds),
                           std::divides());
    measurements.push_back({rival.version, threads,
                            median(rival.seconds) * 1e9 /
                                (static_cast<double>(runs) *
                                 static_cast<double>(workload.operations())),
                            median(speeds), first.checksum});
  }
  return measurements;
}

} // namespace heddle::bench
