//===- ProbeCommand.cpp - `heddle probe` ---------------------------------===//
//
// Shows the runtime's data about the host's memory, and measures them if they
// are not known.
//
//===----------------------------------------------------------------------===//

#include "command/Commands.h"

#include "output/Say.h"

#include "command/Error.h"

#include "heddle/heddle.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <memory>
#include <unistd.h>

namespace heddle {

namespace {

std::string cachePath() {
  std::array<char, 4096> path;
  if (heddle_probe_path(path.data(), path.size()) != 0)
    return {};
  return path.data();
}

void probe(bool force) {
  if (isatty(STDERR_FILENO))
    say("probing...");
  heddle_host host;
  const heddle_probe_result result = heddle_probe(&host, force);
  const int failure = errno;
  if (isatty(STDERR_FILENO))
    say("\r\033[K");
  if (result == HEDDLE_PROBE_FAILED)
    throw bench::Error(
        fmt::format("cannot probe the host: {}", std::strerror(failure)));

  fmt::print("Random accesses to memory far larger than the caches\n\n");
  fmt::print("{:<42}{:>10}{:>12}\n", "", "4k pages", "huge pages");
  fmt::print("{:<42}{:>7.1f} ns{:>9.1f} ns\n",
             "  one that depends on the one before", host.latency_4k,
             host.latency_huge);
  fmt::print("{:<42}{:>7.1f} ns{:>9.1f} ns\n", "  each of many in flight",
             host.access_4k, host.access_huge);
  fmt::print("\n{:<42}{:>10}\n", "Requests worth having in flight",
             host.requests);
  fmt::print("{:<42}{:>10}\n", "tasks(auto), scheduler(lockstep)",
             host.lockstep_tasks);
  fmt::print("{:<42}{:>10}\n", "tasks(auto), scheduler(fifo)", host.fifo_tasks);
  fmt::print("{:<42}{:>10}\n", "Huge pages", host.huge_pages ? "yes" : "no");

  const std::string path = cachePath();
  switch (result) {
  case HEDDLE_PROBE_CACHED:
    fmt::print("\nFrom {}; 'heddle probe --force' measures again.\n", path);
    break;
  case HEDDLE_PROBE_NOT_SAVED:
    say("heddle: warning: measured, but {}\n",
        path.empty() ? "neither XDG_CACHE_HOME nor HOME says where to "
                       "keep it"
                     : fmt::format("'{}' cannot be written", path));
    break;
  default:
    fmt::print("\nMeasured now, kept in {}.\n", path);
  }
}

} // namespace

void addProbeCommand(CLI::App &app) {
  CLI::App *command = app.add_subcommand(
      "probe", "Show, and measure once, how this host's memory behaves");
  auto force = std::make_shared<bool>(false);
  command->add_flag("--force", *force, "Measure even if the result is known");
  command->callback([force] { probe(*force); });
}

} // namespace heddle
