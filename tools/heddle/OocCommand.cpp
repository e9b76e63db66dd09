//===- OocCommand.cpp - `heddle ooc` -------------------------------------===//

#include "command/Commands.h"

#include "ooc/Commands.h"

namespace heddle {

void addOocCommand(CLI::App &app) {
  CLI::App *command = app.add_subcommand(
      "ooc", "Graphs larger than memory: prepare them on disk and run "
             "algorithms there");
  command->require_subcommand(1);
  addOocPrepareCommand(*command);
  addOocRunCommand(*command);
  addOocResumeCommand(*command);
  addOocInfoCommand(*command);
  addOocPlanCommand(*command);
}

} // namespace heddle
