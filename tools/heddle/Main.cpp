//===- Main.cpp - The `heddle` command -----------------------------------===//

#include "command/CommandLine.h"
#include "command/Commands.h"

int main(int argc, char **argv) {
  return heddle::runCommandLine(argc, argv, [argv](CLI::App &app) {
    app.set_version_flag("--version", "heddle " HEDDLE_VERSION);
    heddle::addRunCommand(app);
    heddle::addInfoCommand(app);
    heddle::addConvertCommand(app);
    heddle::addGenerateCommand(app);
    heddle::addUpdateCommand(app);
    heddle::addOocCommand(app);
    heddle::addBenchCommand(app, argv);
    heddle::addProbeCommand(app);
    heddle::addCompletionCommand(app);
  });
}
