//===- Ranks.h - A command that several machines run together ---*- C++ -*-===//

#ifndef HEDDLE_TOOLS_OOC_RANKS_H
#define HEDDLE_TOOLS_OOC_RANKS_H

#include "heddle/graph/ooc/Communicator.h"

#include <functional>

namespace heddle {

/// Calls `work` with the ranks of the MPI job of this process, or with null. If
/// a rank fails, it reports its error and ends the others. If all ranks fail
/// with the same error, only the first one reports it.
void runOnRanks(
    const std::function<void(graph::ooc::Communicator *communicator)> &work);

/// Calls `work` on the first rank of the MPI job of this process, or without a
/// job. Other ranks do nothing, and no rank waits: this does not initialise
/// MPI, which takes memory.
void runOnFirstRank(const std::function<void()> &work);

} // namespace heddle

#endif
