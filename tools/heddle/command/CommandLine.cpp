//===- CommandLine.cpp - What a program with subcommands does -------------===//

#include "CommandLine.h"

#include "Failure.h"
#include "Interrupt.h"
#include "OpenMPStart.h"
#include "Streams.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <unistd.h>

namespace heddle {

namespace {

constexpr int ErrorStatus = 1;
constexpr int BadInputStatus = 2;

/// Writes out the buffer of standard output; returns the exit status.
int finish(int status) {
  if (std::fflush(stdout) == 0 && !std::ferror(stdout))
    return status;
  report(
      fmt::format("cannot write to standard output: {}", std::strerror(errno)));
  return ErrorStatus;
}

/// Returns the message for an error. If a subcommand is missing although there
/// is a word in its position then this word is the error.
std::string messageOf(const CLI::App &app, const CLI::Error &error) {
  if (dynamic_cast<const CLI::RequiredError *>(&error)) {
    const CLI::App *command = &app;
    while (!command->get_subcommands().empty())
      command = command->get_subcommands().back();
    const std::vector<std::string> unknown = command->remaining();
    if (!unknown.empty() && !command->get_subcommands({}).empty())
      return fmt::format("'{}' is not {} of {}", unknown.front(),
                         unknown.front().starts_with('-') ? "an option"
                                                          : "a subcommand",
                         command->get_name());
  }
  return error.what();
}

int run(int argc, char **argv,
        const std::function<void(CLI::App &)> &addCommands) {
  CLI::App app("Graph algorithms, and loops that hide the latency of memory.",
               "heddle");
  app.failure_message([](const CLI::App *failed, const CLI::Error &error) {
    return fmt::format("heddle: error: {}\nRun with --help for more "
                       "information.\n",
                       messageOf(*failed, error));
  });
  app.require_subcommand(1);
  addCommands(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? 0 : BadInputStatus;
  }
  return 0;
}

/// Says what has failed; returns the exit status, unless the program dies of a
/// signal.
int end(const Failure &failure) {
  if (failure.signal == 0) {
    report(failure.message);
    // Libraries need memory for what they do at exit, and crash without.
    if (failure.isOfMemory)
      _exit(failure.status);
    return failure.status;
  }
  // The parent shell learns of the interrupt from the signal that ends the
  // process.
  std::fflush(stdout);
  bench::releaseInterrupts();
  std::raise(failure.signal);
  return ErrorStatus;
}

} // namespace

int runCommandLine(int argc, char **argv,
                   const std::function<void(CLI::App &)> &addCommands) {
  prepareStreams();
  removeStaleRegistration();
  try {
    return finish(run(argc, argv, addCommands));
  } catch (...) {
    return end(currentFailure());
  }
}

} // namespace heddle
