//===- BenchCommand.cpp - `heddle bench` ----------------------------------===//
//
// A program of its own does the work, and parses the command line.
//
//===----------------------------------------------------------------------===//

#include "command/BenchProgram.h"
#include "command/Commands.h"

namespace heddle {

void addBenchCommand(CLI::App &app, char **argv) {
  CLI::App *command = app.add_subcommand("bench", BenchDescription);
  command->set_help_flag();
  command->prefix_command();
  command->callback([argv] { becomeBenchProgram(argv); });
}

} // namespace heddle
