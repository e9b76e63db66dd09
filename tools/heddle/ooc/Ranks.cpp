//===- Ranks.cpp - A command that several machines run together ----------===//

#include "Ranks.h"

#include "../Failure.h"

#include "heddle/graph/ooc/MpiCommunicator.h"

#include <fmt/format.h>

namespace heddle {

void runOnRanks(const std::function<void(graph::ooc::Communicator *)> &work) {
  using graph::ooc::MpiCommunicator;
  if (!MpiCommunicator::isStartedByMpi())
    return work(nullptr);
  MpiCommunicator communicator;
  try {
    work(&communicator);
  } catch (...) {
    const Failure failure = currentFailure();
    const bool haveAllFailed = communicator.haveAllFailed();
    // All of them for the same reason: what one says is enough.
    if (!haveAllFailed)
      report(fmt::format("rank {}: {}", communicator.rank(), failure.message));
    else if (communicator.rank() == 0)
      report(failure.message);
    if (!haveAllFailed)
      communicator.abort(failure.status);
    // MPI ends together, and not before that has been said.
    throw Reported{failure.status};
  }
}

} // namespace heddle
