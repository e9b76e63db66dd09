//===- Isolate.h - One measurement, one process ----------------*- C++ -*-===//
//
// Every kernel, size and page size is measured in a process of its own, as if
// the tool had been started for it alone: the site tuner knows nothing of the
// size before, memory is fresh, and a crash is the error of one kernel.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_BENCH_MEASURE_ISOLATE_H
#define HEDDLE_TOOLS_BENCH_MEASURE_ISOLATE_H

#include "Measure.h"

#include <cstring>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

namespace heddle::bench {

struct IsolatedResult {
  double hugeShare = 0; ///< of the data, see Arena::hugeShare
  std::vector<Measurement> measurements;
};

/// Runs `work` in a child process and returns its result, a string of bytes.
/// Throws like runIsolated().
std::string runInChild(const std::function<std::string()> &work);

/// Runs `work` in a child process and returns its result, an object that may be
/// copied byte by byte.
template <typename Work> auto runInChildFor(const Work &work) {
  using Result = decltype(work());
  static_assert(std::is_trivially_copyable_v<Result>);
  const std::string bytes = runInChild([&] {
    const Result result = work();
    return std::string(reinterpret_cast<const char *>(&result), sizeof result);
  });
  Result result;
  std::memcpy(&result, bytes.data(), sizeof result);
  return result;
}

/// Runs `work` in a child process and returns its result. Throws Error when the
/// child failed, Interrupted when the user interrupted it. Must not be called
/// once the calling process has started threads.
IsolatedResult runIsolated(const std::function<IsolatedResult()> &work);

} // namespace heddle::bench

#endif
