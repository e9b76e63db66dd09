//===- MostFrequent.h - The value that occurs most often -------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_DETAIL_ALGORITHMS_MOSTFREQUENT_H
#define HEDDLE_GRAPH_DETAIL_ALGORITHMS_MOSTFREQUENT_H

#include "heddle/graph/detail/Assert.h"

#include <algorithm>
#include <cstddef>

namespace heddle::graph::detail {

/// Returns the most frequent value, the lowest of several; sorts the values,
/// which must not be empty.
template <typename Value> Value mostFrequent(Value *begin, Value *end) {
  HEDDLE_ASSERT(begin != end);
  std::sort(begin, end);
  Value best = *begin;
  std::ptrdiff_t most = 0;
  for (Value *run = begin; run != end;) {
    Value *const next =
        std::find_if(run, end, [&](Value value) { return value != *run; });
    if (next - run > most) {
      most = next - run;
      best = *run;
    }
    run = next;
  }
  return best;
}

} // namespace heddle::graph::detail

#endif
