//===- Commands.h - The subcommands of `heddle ooc` ------------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_OOC_COMMANDS_H
#define HEDDLE_TOOLS_OOC_COMMANDS_H

#include "heddle/graph/ooc/Prepare.h"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

namespace heddle {

void addOocInfoCommand(CLI::App &ooc);
void addOocPlanCommand(CLI::App &ooc);
void addOocPrepareCommand(CLI::App &ooc);
void addOocRunCommand(CLI::App &ooc);
void addOocResumeCommand(CLI::App &ooc);

/// Adds the positional DIRECTORY of a prepared graph.
void addDirectoryOption(CLI::App &command, std::string &directory);

/// Adds --memory.
void addMemoryOption(CLI::App &command, std::uint64_t &bytes,
                     const std::string &description);

/// Half of the memory that the machine has, or that this process may have.
std::uint64_t usualMemoryBytes();

} // namespace heddle

#endif
