//===- Isolate.h - One measurement, one process ----------------*- C++ -*-===//
//
// Every kernel, size and page size is measured in a process of its own, as if
// the tool had been started for it alone: the site tuner knows nothing of the
// size before, memory is fresh, and a crash is the error of one kernel.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_BENCH_ISOLATE_H
#define HEDDLE_TOOLS_BENCH_ISOLATE_H

#include "Measure.h"

#include <functional>
#include <vector>

namespace heddle::bench {

struct IsolatedResult {
  double hugeShare = 0; ///< of the data, see Arena::hugeShare
  std::vector<Measurement> measurements;
};

/// Runs `work` in a child process and returns what it returned. Throws Error
/// when the child failed, Interrupted when the user wanted to stop. Must not be
/// called once the calling process has started threads.
IsolatedResult runIsolated(const std::function<IsolatedResult()> &work);

} // namespace heddle::bench

#endif
