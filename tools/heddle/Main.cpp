//===- Main.cpp - The `heddle` command -----------------------------------===//

#include "command/CommandLine.h"
#include "command/Commands.h"

#include <algorithm>
#include <string_view>

int main(int argc, char **argv) {
  // What follows is for the compiler.
  if (argc > 1 && std::string_view(argv[1]) == "advise")
    argc = static_cast<int>(
        std::find(argv, argv + argc, std::string_view("--")) - argv);
  return heddle::runCommandLine(argc, argv, [argv](CLI::App &app) {
    app.set_version_flag("--version", "heddle " HEDDLE_VERSION);
    heddle::addRunCommand(app);
    heddle::addInfoCommand(app);
    heddle::addConvertCommand(app);
    heddle::addGenerateCommand(app);
    heddle::addUpdateCommand(app);
    heddle::addOocCommand(app);
    heddle::addBenchCommand(app, argv);
    heddle::addAdviseCommand(app, argv);
    heddle::addProbeCommand(app);
    heddle::addCompletionCommand(app);
  });
}
