//===- Commands.h - The subcommands of `heddle` ----------------*- C++ -*-===//
//
// Each function adds one subcommand with its options to the command line; the
// subcommand's callback does the work and throws the errors that Main reports.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_COMMAND_COMMANDS_H
#define HEDDLE_TOOLS_COMMAND_COMMANDS_H

#include <CLI/CLI.hpp>
#include <stdexcept>

namespace heddle {

/// Thrown if a result is wrong.
struct VerificationFailed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What follows behind "--" in `argv` is for the compiler.
void addAdviseCommand(CLI::App &app, char **argv);
/// The subcommand hands all of `argv` on.
void addBenchCommand(CLI::App &app, char **argv);
void addCompletionCommand(CLI::App &app);
void addConvertCommand(CLI::App &app);
void addGenerateCommand(CLI::App &app);
void addInfoCommand(CLI::App &app);
void addOocCommand(CLI::App &app);
void addProbeCommand(CLI::App &app);
void addRunCommand(CLI::App &app);
void addUpdateCommand(CLI::App &app);

} // namespace heddle

#endif
