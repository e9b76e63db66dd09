//===- Commands.h - The subcommands of `heddle` ----------------*- C++ -*-===//
//
// Each adds one subcommand with its options to the command line; its callback
// does the work and throws what Main reports.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_COMMANDS_H
#define HEDDLE_TOOLS_COMMANDS_H

#include <CLI/CLI.hpp>

namespace heddle {

void addBenchCommand(CLI::App &app);
void addBenchGraphCommand(CLI::App &bench);
void addProbeCommand(CLI::App &app);

} // namespace heddle

#endif
