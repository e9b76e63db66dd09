//===- Completion.h - Tables for completing command lines -------*- C++ -*-===//
//
// The script that completes command lines has two tables, which are generated
// from the parser of the command line: the words that may follow a subcommand,
// and the values of options with a few of them (see addChoice).
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_COMMAND_COMPLETION_H
#define HEDDLE_TOOLS_COMMAND_COMPLETION_H

#include <CLI/CLI.hpp>
#include <string>

namespace heddle {

/// Returns lines for bash that fill in the tables _heddle_words and
/// _heddle_values, for `command`, which is called `path`, and what is below it.
std::string completionsOf(CLI::App &command, const std::string &path);

} // namespace heddle

#endif
