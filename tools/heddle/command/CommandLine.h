//===- CommandLine.h - What a program with subcommands does ----*- C++ -*-===//
//
// Exit status: 0 for success, 1 for a result that verification found wrong and
// for failures of this machine, 2 for bad input, which is an invalid command
// line or a file that is no graph, and death by the signal for an interrupt.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_COMMAND_COMMANDLINE_H
#define HEDDLE_TOOLS_COMMAND_COMMANDLINE_H

#include <CLI/CLI.hpp>
#include <functional>

namespace heddle {

/// Parses the command line of `heddle` with the subcommands that `addCommands`
/// adds, has the callback of the given one do its work, and says what fails.
/// Returns the exit status.
int runCommandLine(int argc, char **argv,
                   const std::function<void(CLI::App &)> &addCommands);

} // namespace heddle

#endif
