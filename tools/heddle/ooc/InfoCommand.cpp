//===- InfoCommand.cpp - `heddle ooc info` -------------------------------===//

#include "Commands.h"
#include "LayoutFacts.h"

#include "../FactsOutput.h"
#include "../Options.h"

#include <memory>

namespace heddle {

namespace {

struct Request {
  std::string directory, jsonPath;
};

} // namespace

void addOocInfoCommand(CLI::App &ooc) {
  auto request = std::make_shared<Request>();
  CLI::App *command =
      ooc.add_subcommand("info", "Show how a prepared graph lies on disk");
  addDirectoryOption(*command, request->directory);
  addJsonOption(*command, request->jsonPath);
  command->callback([request] {
    FactsOutput output(request->jsonPath);
    Facts facts;
    addLayout(facts, graph::ooc::readLayout(request->directory));
    output.show(facts);
  });
}

} // namespace heddle
