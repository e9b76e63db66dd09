//===- SecondsOf.h - How long work takes -----------------------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_COMMAND_SECONDSOF_H
#define HEDDLE_TOOLS_COMMAND_SECONDSOF_H

#include <chrono>

namespace heddle {

/// Does the work, and returns the seconds that it took.
template <typename Work> double secondsOf(const Work &work) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

} // namespace heddle

#endif
