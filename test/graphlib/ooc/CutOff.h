//===- CutOff.h - Runs that end too soon, for tests ------------*- C++ -*-===//

#ifndef HEDDLE_TEST_GRAPHLIB_OOC_CUTOFF_H
#define HEDDLE_TEST_GRAPHLIB_OOC_CUTOFF_H

#include "heddle/graph/ooc/EngineOptions.h"

#include <csignal>
#include <stdexcept>
#include <sys/resource.h>

namespace heddle::test {

/// Represents any event that ends a run.
struct CutOff : std::runtime_error {
  CutOff() : std::runtime_error("cut off") {}
};

/// Ends a run after `steps` steps of batches.
inline graph::ooc::ProgressFunction cutOffAfter(int steps) {
  return [steps](const char *, std::uint64_t, std::uint64_t) mutable {
    if (steps-- == 0)
      throw CutOff();
  };
}

/// Runs `run(resume)` again and again until it is not cut off, and returns how
/// often it was.
template <typename Run> int cutsUntilDone(Run run) {
  for (int cuts = 0;; ++cuts)
    try {
      run(cuts > 0);
      return cuts;
    } catch (const CutOff &) {
    }
}

/// While an object exists, no file may be longer than `bytes`: writes beyond
/// that fail, as on a full disk.
class FullDisk {
public:
  explicit FullDisk(rlim_t bytes) : before(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &limit);
    const rlimit lower = {bytes, limit.rlim_max};
    setrlimit(RLIMIT_FSIZE, &lower);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &limit);
    std::signal(SIGXFSZ, before);
  }

private:
  void (*before)(int);
  rlimit limit;
};

} // namespace heddle::test

#endif
