//===- ParallelSort.h - Sorting of long sequences --------------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_DETAIL_SORT_PARALLELSORT_H
#define HEDDLE_GRAPH_DETAIL_SORT_PARALLELSORT_H

#include "heddle/graph/detail/Assert.h"

#include <algorithm>
#include <bit>
#include <cstddef>

namespace heddle::graph {
namespace detail {

/// Quicksort: partitions the values until the parts are short, or until there
/// have been too many bad partitions; each part is a task. Values equal to the
/// pivot stay between the parts, so many equal values do no harm.
template <typename T, typename Less>
void sortInTasks(T *begin, T *end, Less less, int splitsLeft) {
  constexpr std::ptrdiff_t shortEnough = std::ptrdiff_t(1) << 14;
  while (end - begin > shortEnough && splitsLeft-- > 0) {
    T candidates[] = {begin[0], begin[(end - begin) / 2], end[-1]};
    std::sort(candidates, candidates + 3, less);
    const T pivot = candidates[1];
    T *equal = std::partition(
        begin, end, [&](const T &value) { return less(value, pivot); });
    T *above = std::partition(
        equal, end, [&](const T &value) { return !less(pivot, value); });
    HEDDLE_ASSERT(equal < above); // the pivot itself: the rest is shorter
#pragma omp task firstprivate(begin, equal, less, splitsLeft)
    sortInTasks(begin, equal, less, splitsLeft);
    begin = above;
  }
  std::sort(begin, end, less);
}

} // namespace detail

/// Sorts the values from `begin` to `end` on the threads of OpenMP, in place.
/// Takes O(n log n) work, divided among the threads; the first partitions are
/// serial and take O(n).
///
///   parallelSort(names.data(), names.data() + names.size(), std::less());
template <typename T, typename Less>
void parallelSort(T *begin, T *end, Less less) {
  HEDDLE_ASSERT(begin <= end);
  const auto size = static_cast<std::size_t>(end - begin);
  const int mostSplits = 2 * static_cast<int>(std::bit_width(size));
#pragma omp parallel
#pragma omp single
  detail::sortInTasks(begin, end, less, mostSplits);
  HEDDLE_ASSERT(std::is_sorted(begin, end, less));
}

} // namespace heddle::graph

#endif
