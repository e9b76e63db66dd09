//===- Ranks.cpp - A command that several machines run together ----------===//

#include "Ranks.h"

#include "../command/Failure.h"

#include "../../../runtime/host/environment.h"
#include "heddle/graph/ooc/MpiCommunicator.h"

#include <algorithm>
#include <csignal>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

void runOnRanks(const std::function<void(graph::ooc::Communicator *)> &work) {
  using graph::ooc::MpiCommunicator;
  if (!MpiCommunicator::isStartedByMpi())
    return work(nullptr);
  // A signal for writing to a killed rank would kill this rank too, and mpirun
  // would name this one.
  std::signal(SIGPIPE, SIG_IGN);
  MpiCommunicator communicator;
  try {
    work(&communicator);
  } catch (...) {
    // No MPI_Finalize(): messages may be in flight.
    const Failure failure = currentFailure();
    const std::vector<std::string> all =
        communicator.gatherFailures(std::string(failure.message));
    const bool isSame =
        std::ranges::count(all, failure.message) == communicator.ranks();
    if (!isSame)
      report(fmt::format("rank {}: {}", communicator.rank(), failure.message));
    else if (communicator.rank() == 0)
      report(failure.message);
    communicator.abort(failure.status);
  }
}

void runOnFirstRank(const std::function<void()> &work) {
  const char *rank = nullptr;
  for (const char *name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"})
    if (!rank)
      rank = heddle_environment(name);
  if (!rank || rank == std::string_view("0"))
    work();
}

} // namespace heddle
