//===- ProgramsCommand.cpp - `heddle bench programs` ----------------------===//

#include "bench/program/Commands.h"

#include "bench/programs/ProgramSuite.h"
#include "command/Options.h"

#include <memory>

namespace heddle::bench {

namespace {

constexpr double LeastScale = 1e-6, MostScale = 64;
/// Data that fit into the first-level cache.
constexpr double QuickScale = 0.001;

} // namespace

void addProgramsCommand(CLI::App &bench) {
  auto options = std::make_shared<ProgramOptions>();
  CLI::App *command = bench.add_subcommand(
      "programs", "small everyday programs: plain, with a directive for each "
                  "loop, and interleaved by hand");
  addKinds(*command, "Programs", "programs", options->only, allPrograms(),
           "--only");
  addReal(*command, "--scale", options->scale, LeastScale, MostScale,
          "Size of the data, relative to the usual one of some hundred "
          "megabytes [1]");
  addRepetitionsOption(*command, options->repetitions, "5");
  addQuickOption(*command, options->quick, "Small data and short runs");
  addRowsOption(*command, options->jsonPath);
  command->callback([command, options] {
    if (options->quick) {
      makeQuick(*command, "--scale", options->scale, QuickScale);
      makeQuick(*command, "--repetitions", options->repetitions, 1);
    }
    runPrograms(*options);
  });
}

} // namespace heddle::bench
