//===- Commands.h - The subcommands of `heddle bench` ----------*- C++ -*-===//
//
// Each function adds subcommands with their options to the command line, as the
// functions of command/Commands.h do.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_BENCH_PROGRAM_COMMANDS_H
#define HEDDLE_TOOLS_BENCH_PROGRAM_COMMANDS_H

#include <CLI/CLI.hpp>

namespace heddle::bench {

void addGraphCommand(CLI::App &bench);
void addDynamicCommand(CLI::App &bench);
/// Only in builds with heddle-opt.
void addMlirCommand(CLI::App &bench);
void addFarCommand(CLI::App &bench);
void addOocCommand(CLI::App &bench);
void addKernelsCommand(CLI::App &bench);
void addProgramsCommand(CLI::App &bench);

} // namespace heddle::bench

#endif
