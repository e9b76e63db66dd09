//===- SecondsOf.h - How long work takes -----------------------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_COMMAND_SECONDSOF_H
#define HEDDLE_TOOLS_COMMAND_SECONDSOF_H

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

namespace heddle {

/// Does the work, and returns the seconds that it took.
template <typename Work> double secondsOf(const Work &work) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Of some times at least one.
inline double median(std::vector<double> seconds) {
  std::ranges::sort(seconds);
  const std::size_t middle = seconds.size() / 2;
  return seconds.size() % 2 ? seconds[middle]
                            : (seconds[middle - 1] + seconds[middle]) / 2;
}

} // namespace heddle

#endif
