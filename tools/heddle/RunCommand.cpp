//===- RunCommand.cpp - `heddle run` -------------------------------------===//

#include "command/Commands.h"

#include "run/Algorithms.h"

namespace heddle {

void addRunCommand(CLI::App &app) {
  CLI::App *command =
      app.add_subcommand("run", "Run an algorithm on a graph file");
  command->require_subcommand(1);
  for (const Algorithm &algorithm :
       {betweennessAlgorithm(), breadthFirstAlgorithm(), componentsAlgorithm(),
        coreNumbersAlgorithm(), labelPropagationAlgorithm(),
        pageRankAlgorithm(), shortestPathsAlgorithm(), trianglesAlgorithm()})
    addAlgorithm(*command, algorithm);
}

} // namespace heddle
