//===- InfoCommand.cpp - `heddle ooc info` -------------------------------===//

#include "Commands.h"
#include "LayoutFacts.h"
#include "PhaseBar.h"
#include "Ranks.h"

#include "../command/Options.h"
#include "../output/FactsOutput.h"

#include "heddle/graph/ooc/CheckGraph.h"

#include <functional>
#include <memory>

namespace heddle {

namespace {

struct Request {
  std::string directory, jsonPath;
  bool check = false;
};

void execute(const Request &request) {
  FactsOutput output(request.jsonPath);
  Facts facts;
  addLayout(facts, graph::ooc::readLayout(request.directory));
  if (request.check) {
    PhaseBar bar(ProgressUnit::Bytes);
    graph::ooc::checkGraph(request.directory, std::ref(bar));
    facts.addVerdict("whole", "whole", true);
  }
  output.show(facts);
}

} // namespace

void addOocInfoCommand(CLI::App &ooc) {
  auto request = std::make_shared<Request>();
  CLI::App *command =
      ooc.add_subcommand("info", "Show the layout of a prepared graph on disk");
  addDirectoryOption(*command, request->directory);
  command->add_flag(
      "--check", request->check,
      "Read the whole graph, and compare it with its checksums and "
      "its parts with each other");
  addJsonOption(*command, request->jsonPath);
  command->callback([request] { runOnFirstRank([&] { execute(*request); }); });
}

} // namespace heddle
