//===- Ranks.cpp - A command that several machines run together ----------===//

#include "Ranks.h"

#include "../Failure.h"

#include "heddle/graph/ooc/MpiCommunicator.h"

#include <algorithm>
#include <csignal>
#include <fmt/format.h>
#include <string>
#include <vector>

namespace heddle {

void runOnRanks(const std::function<void(graph::ooc::Communicator *)> &work) {
  using graph::ooc::MpiCommunicator;
  if (!MpiCommunicator::isStartedByMpi())
    return work(nullptr);
  // Who writes to a rank that has been killed would die of it, and be named in
  // its place.
  std::signal(SIGPIPE, SIG_IGN);
  MpiCommunicator communicator;
  try {
    work(&communicator);
  } catch (...) {
    // Not MPI's own end: messages may be on their way.
    const Failure failure = currentFailure();
    const std::vector<std::string> all =
        communicator.gatherFailures(failure.message);
    const bool isSame =
        std::ranges::count(all, failure.message) == communicator.ranks();
    if (!isSame)
      report(fmt::format("rank {}: {}", communicator.rank(), failure.message));
    else if (communicator.rank() == 0)
      report(failure.message);
    communicator.abort(failure.status);
  }
}

} // namespace heddle
