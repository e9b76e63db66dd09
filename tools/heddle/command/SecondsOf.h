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

/// The middle value, or the mean of the two in the middle.
inline double median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 ? values[middle]
                           : (values[middle - 1] + values[middle]) / 2;
}

} // namespace heddle

#endif
