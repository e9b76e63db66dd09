//===- Measure.cpp - Timing the versions of a kernel ---------------------===//

#include "Measure.h"

#include "../../command/Error.h"
#include "../../command/SecondsOf.h"
#include "Contest.h"

#include <fmt/format.h>
#include <omp.h>

namespace heddle::bench {

namespace {

/// A run that takes this long is slow.
constexpr double SlowSeconds = 0.5;

struct Timed {
  double seconds;
  uint64_t checksum;
};

Timed timeRuns(const Workload &workload, Version version, int64_t runs) {
  workload.reset();
  uint64_t result = 0;
  const double seconds = secondsOf([&] {
    for (int64_t run = 0; run < runs; ++run)
      result = workload.run(version);
  });
  return {seconds, workload.checksum(result)};
}

} // namespace

std::vector<Measurement>
measure(const Workload &workload, int threads, const MeasureSettings &settings,
        const std::function<void(const std::string &)> &announce) {
  omp_set_num_threads(threads);
  announce("first run");
  const Timed first = timeRuns(workload, Version::Serial, 1);
  // Always odd: see Workload::checksum.
  const int64_t runs =
      static_cast<int64_t>(settings.minimumSeconds / first.seconds / 2) * 2 + 1;

  const auto runVersion = [&](Version version) {
    const Timed timed = timeRuns(workload, version, runs);
    if (timed.checksum != first.checksum)
      throw Error(fmt::format("version {} computes checksum {:016x}, but "
                              "serial computes {:016x}",
                              nameOf(version), timed.checksum, first.checksum));
    return timed.seconds;
  };
  // These runs are not timed: caches and page tables settle.
  std::vector<Rival> rivals;
  for (Version version : workload.versions) {
    announce(fmt::format("warming up {}", nameOf(version)));
    double seconds = runVersion(version);
    while (version == Version::Heddle && seconds < settings.tuningSeconds)
      seconds += runVersion(version);
    rivals.push_back([&runVersion, version] { return runVersion(version); });
  }
  const int repetitions = first.seconds < SlowSeconds
                              ? settings.repetitions
                              : settings.slowRepetitions;

  const std::vector<Standing> standings =
      compete(rivals, repetitions, announce);
  std::vector<Measurement> measurements;
  for (size_t i = 0; i < standings.size(); ++i)
    measurements.push_back({workload.versions[i], threads,
                            standings[i].seconds * 1e9 /
                                (static_cast<double>(runs) *
                                 static_cast<double>(workload.operations)),
                            standings[i].speed, first.checksum});
  return measurements;
}

} // namespace heddle::bench
