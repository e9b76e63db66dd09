//===- Main.cpp - The `heddle` command -----------------------------------===//
//
// Exit status: 0 when all went well, 1 for an error, 2 for a command line that
// makes no sense, and death by the signal for an interrupt.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"

#include "bench/Error.h"
#include "bench/Interrupt.h"

#include <csignal>
#include <cstdio>
#include <fmt/format.h>

namespace {

constexpr int ErrorStatus = 1;
constexpr int UsageStatus = 2;

int run(int argc, char **argv) {
  CLI::App app("Heddle interleaves the iterations of annotated loops while "
               "they wait for memory.",
               "heddle");
  app.set_version_flag("--version", "heddle " HEDDLE_VERSION);
  app.failure_message([](const CLI::App *, const CLI::Error &error) {
    return fmt::format("heddle: error: {}\nRun with --help for more "
                       "information.\n",
                       error.what());
  });
  app.require_subcommand(1);
  heddle::addBenchCommand(app);
  heddle::addProbeCommand(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? 0 : UsageStatus;
  }
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  int interrupt = 0;
  try {
    return run(argc, argv);
  } catch (const heddle::bench::Interrupted &interrupted) {
    interrupt = interrupted.signal;
  } catch (const std::exception &error) {
    std::fflush(stdout);
    fmt::print(stderr, "heddle: error: {}\n", error.what());
    return ErrorStatus;
  }
  // The parent shell learns what happened from the manner of death.
  std::fflush(stdout);
  heddle::bench::releaseInterrupts();
  std::raise(interrupt);
  return ErrorStatus;
}
