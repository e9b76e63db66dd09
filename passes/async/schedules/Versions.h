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
// In loops that get chunks of OpenMP on the way, a plan goes on from one to the
// next. A chunk that is to run serially as a whole takes a plain copy of the
// loop.
//
// Without the run-time library, the default version runs all iterations.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_SCHEDULES_VERSIONS_H
#define HEDDLE_PASSES_ASYNC_SCHEDULES_VERSIONS_H

#include "async/chunks/ChunkNest.h"
#include "async/plan/CostModel.h"
#include "async/rewrite/Segments.h"

namespace heddle {

/// Rewrites the loop. The condition of the directive's if clause, if there is
/// one, is available in the preheader.
/// \p Nest is the loop around, if iterations of several chunks of OpenMP are
/// to be in flight. Returns the number of instructions that were added.
unsigned emitVersions(const LoopContext &C, const LoopFacts &Facts,
                      const Decision &Choice, const ChunkNest *Nest,
                      SchedulerState &State, Segments &Cuts);

} // namespace heddle

#endif
