//===- Main.cpp - The programs behind `heddle bench` ----------------------===//
//
// One for each level of instructions. `heddle` hands its whole command line on,
// so that help, errors and completion are those of `heddle bench`.
//
//===----------------------------------------------------------------------===//

#include "bench/program/Commands.h"

#include "command/BenchProgram.h"
#include "command/CommandLine.h"
#include "command/Completion.h"

#include <cstdio>

namespace heddle::bench {

namespace {

void addCommands(CLI::App &app) {
  CLI::App *command = app.add_subcommand("bench", BenchDescription);
  command->require_subcommand(1);
  addGraphCommand(*command);
  addDynamicCommand(*command);
#ifdef HEDDLE_BENCH_MLIR
  addMlirCommand(*command);
#endif
  addFarCommand(*command);
  addOocCommand(*command);
  addKernelsCommand(*command);
  addProgramsCommand(*command);
  // What `heddle completion` asks for.
  app.add_subcommand(BenchCompletion)->callback([command] {
    const std::string lines = completionsOf(*command, "heddle bench");
    std::fwrite(lines.data(), 1, lines.size(), stdout);
  });
}

} // namespace

} // namespace heddle::bench

int main(int argc, char **argv) {
  return heddle::runCommandLine(argc, argv, heddle::bench::addCommands);
}
