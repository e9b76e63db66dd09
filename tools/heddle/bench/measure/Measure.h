//===- Measure.h - Timing the versions of a kernel -------------*- C++ -*-===//
//
// The versions of a kernel compete (see Contest.h), the serial one first. Every
// measurement's checksum is compared with the serial version's.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_BENCH_MEASURE_MEASURE_H
#define HEDDLE_TOOLS_BENCH_MEASURE_MEASURE_H

#include "Workload.h"

#include <functional>
#include <vector>

namespace heddle::bench {

struct MeasureSettings {
  int repetitions;
  /// The number of repetitions for workloads whose runs take long.
  int slowRepetitions;
  /// Runs are repeated until the serial version takes at least this long.
  double minimumSeconds;
  /// The site tuner gets at least this long to settle before time counts.
  double tuningSeconds;
};

/// Measures all versions of `workload` with `threads` threads; `announce` is
/// told what happens, a few times a second at most. Throws Error when a
/// version's checksum is wrong.
std::vector<Measurement>
measure(const Workload &workload, int threads, const MeasureSettings &settings,
        const std::function<void(const std::string &)> &announce);

} // namespace heddle::bench

#endif
