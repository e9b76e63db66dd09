//===- Tasks.h - Work for one thread or for all ----------------*- C++ -*-===//
//
// A small batch takes less time than OpenMP needs for a loop with one thread:
// even with an `if` clause that is false, each part of the loop is a call of
// the runtime.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_TASKS_H
#define HEDDLE_GRAPH_DETAIL_TASKS_H

#include <algorithm>
#include <cstddef>

namespace heddle::graph::detail {

/// Rows that a thread takes at a time: so many that scheduling costs little,
/// and so few that the long rows of a skewed graph are distributed over the
/// threads.
inline constexpr int RowsAtOnce = 256;

/// Calls `task` with 0 to `count` - 1, on the threads of OpenMP if that is
/// `worthIt`, and returns the sum of its results.
template <typename Task>
std::size_t sumOfTasks(std::size_t count, bool worthIt, Task task) {
  std::size_t sum = 0;
  if (!worthIt) {
    for (std::size_t i = 0; i < count; ++i)
      sum += task(i);
    return sum;
  }
#pragma omp parallel for schedule(dynamic, 1) reduction(+ : sum)
  for (std::size_t i = 0; i < count; ++i)
    sum += task(i);
  return sum;
}

/// Sums up the results for ranges in the same way: calls `task(begin, end)` for
/// each `atOnce` of `count` indices.
template <typename Task>
std::size_t sumOfRanges(std::size_t count, std::size_t atOnce, bool worthIt,
                        Task task) {
  const std::size_t ranges = (count + atOnce - 1) / atOnce;
  return sumOfTasks(ranges, worthIt && ranges > 1, [&](std::size_t i) {
    return task(i * atOnce, std::min((i + 1) * atOnce, count));
  });
}

/// Calls `task` in the same way and adds up results of any type with a sum,
/// such as a structure with several sums.
template <typename Task>
auto sumInParallel(std::size_t count, bool worthIt, Task task) {
  decltype(task(count)) total = {};
#pragma omp parallel if (worthIt)
  {
    decltype(total) own = {};
#pragma omp for schedule(dynamic, 1) nowait
    for (std::size_t i = 0; i < count; ++i)
      own += task(i);
#pragma omp critical(heddle_graph_sum)
    total += own;
  }
  return total;
}

/// Calls `task` in the same way, without results.
template <typename Task>
void forEachTask(std::size_t count, bool worthIt, Task task) {
  sumOfTasks(count, worthIt, [&](std::size_t i) {
    task(i);
    return std::size_t(0);
  });
}
template <typename Task>
void forEachRange(std::size_t count, std::size_t atOnce, bool worthIt,
                  Task task) {
  sumOfRanges(count, atOnce, worthIt, [&](std::size_t begin, std::size_t end) {
    task(begin, end);
    return std::size_t(0);
  });
}

} // namespace heddle::graph::detail

#endif
