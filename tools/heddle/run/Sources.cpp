//===- Sources.cpp - The vertices where algorithms start -----------------===//

#include "Task.h"

#include "../command/Options.h"

namespace heddle {

namespace {

CLI::Option *addSources(CLI::App &command, Parameters &parameters,
                        const std::string &description) {
  return command
      .add_option("--source", parameters.sources,
                  description + " [the one with most out-edges]")
      ->check(isNotNegative())
      ->type_name("V");
}

} // namespace

void addSourceOption(CLI::App &command, Parameters &parameters) {
  addSources(command, parameters, "The vertex to start from")->expected(1);
}

void addSourcesOption(CLI::App &command, Parameters &parameters) {
  addSources(command, parameters,
             "The vertices to start from, separated by commas")
      ->delimiter(',');
}

} // namespace heddle
