//===- RunFacts.h - The facts of every run ----------------------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_RUN_RUNFACTS_H
#define HEDDLE_TOOLS_RUN_RUNFACTS_H

#include "../output/Facts.h"

#include "heddle/graph/verify/Violation.h"

#include <fmt/format.h>
#include <omp.h>

namespace heddle {

/// Adds the duration of the work, and the number of threads.
inline void addTime(Facts &facts, double seconds) {
  const int threads = omp_get_max_threads();
  facts.addSilently("threads", threads);
  facts.add("seconds", "time", seconds,
            fmt::format("{:.3f} ms on {} thread{}", 1000 * seconds, threads,
                        threads == 1 ? "" : "s"));
}

/// Adds the result of verification.
inline void addVerification(Facts &facts, const graph::Violation &violation) {
  facts.addVerdict("verified", "verified", !violation);
  if (violation)
    facts.addSilently("violation", *violation);
}

} // namespace heddle

#endif
