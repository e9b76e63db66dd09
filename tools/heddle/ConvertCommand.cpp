//===- ConvertCommand.cpp - `heddle convert` -----------------------------===//

#include "command/Commands.h"

#include "command/Options.h"

#include "heddle/graph/WriteGraph.h"

#include <fmt/format.h>
#include <memory>

namespace heddle {

namespace {

struct Request {
  InputOptions input;
  std::string output;
  std::string outputFormat;
};

} // namespace

void addConvertCommand(CLI::App &app) {
  auto request = std::make_shared<Request>();
  CLI::App *command = app.add_subcommand(
      "convert", "Write a graph in another format, or sorted and without "
                 "duplicates");
  addInputOptions(*command, request->input);
  addPositional(*command, "OUT", request->output,
                fmt::format("The file to write: {}; all but .hgraph may end in "
                            ".gz or .zst",
                            graph::outputEndingsInWords()));
  addChoice(*command, "--output-format", request->outputFormat,
            graph::formatNames(), "Format of OUT [found from its name]");
  addWeightsOption(*command, request->input,
                   {"none", "int", "float", "random"});
  addThreadsOption(*command);
  command->callback([request] {
    const graph::WriteGraphOptions options = {
        .format = graph::formatNamed(request->outputFormat)};
    visitWeight(request->input, [&]<graph::EdgeWeight Weight>(Weight) {
      checkWritable<Weight>(request->output, options);
      writeGraph(request->output, readInput<Weight>(request->input), options);
    });
  });
}

} // namespace heddle
