//===- Versions.h - Serial and interleaved code side by side ----*- C++ -*-===//
//
// Puts the versions of a loop behind a choice that the site tuner makes for
// each chunk of iterations while the program runs:
//
//   chunk:  plan = tiny ? serial : decided ? decision : heddle_site_begin(...)
//           run plan.version up to plan.iterations further
//           heddle_site_end(...)
//           iterations left ? chunk : exit
//
// Without the run-time library, the default version runs all iterations.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_SCHEDULES_VERSIONS_H
#define HEDDLE_PASSES_ASYNC_SCHEDULES_VERSIONS_H

#include "async/plan/CostModel.h"
#include "async/rewrite/Segments.h"

namespace heddle {

/// Rewrites the loop. The condition of the directive's if clause, if there is
/// one, is available in the preheader.
/// Returns the number of instructions that were added.
unsigned emitVersions(const LoopContext &C, const LoopFacts &Facts,
                      const Decision &Choice, SchedulerState &State,
                      Segments &Cuts);

} // namespace heddle

#endif
