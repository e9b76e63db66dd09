//===- Ranks.h - A command that several machines run together ---*- C++ -*-===//

#ifndef HEDDLE_TOOLS_OOC_RANKS_H
#define HEDDLE_TOOLS_OOC_RANKS_H

#include "heddle/graph/ooc/Communicator.h"

#include <functional>

namespace heddle {

/// Calls `work` with the ranks of the MPI job that has started this process, or
/// with none. Where one rank fails it says so and ends the others; where all of
/// them do for the same reason, the first speaks for all.
void runOnRanks(
    const std::function<void(graph::ooc::Communicator *communicator)> &work);

/// Calls `work` on the first rank of the MPI job that has started this process,
/// or where there is none. Others do nothing, and nobody waits: MPI, which
/// takes memory, is left alone.
void runOnFirstRank(const std::function<void()> &work);

} // namespace heddle

#endif
