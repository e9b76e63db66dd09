//===- PrepareCommand.cpp - `heddle ooc prepare` -------------------------===//

#include "Commands.h"
#include "LayoutFacts.h"
#include "PhaseBar.h"
#include "Ranks.h"

#include "../command/Options.h"
#include "../output/FactsOutput.h"

#include <functional>
#include <memory>
#include <omp.h>

namespace heddle {

namespace {

struct Request {
  InputOptions input;
  std::string directory;
  std::string jsonPath;
  graph::ooc::PrepareOptions options;
};

void execute(Request &request) {
  FactsOutput output(request.jsonPath);
  const InputOptions &input = request.input;
  graph::ooc::PrepareOptions &options = request.options;
  options.threads = static_cast<unsigned>(omp_get_max_threads());
  options.build = input.build;
  graph::ooc::EdgeSourceOptions source;
  source.format = formatOfInput(input);
  checkVerticesOption(input, *source.format);
  source.text.vertexCount = input.vertices;
  if (input.weights == "random")
    source.randomWeightSeed = input.weightSeed;
  PhaseBar bar(ProgressUnit::Edges);
  options.progress = std::ref(bar);
  visitWeight(input, [&]<graph::EdgeWeight Weight>(Weight) {
    const auto edges = graph::ooc::openEdgeSource<Weight>(input.path, source);
    Facts facts;
    addLayout(facts, graph::ooc::prepare(*edges, request.directory, options));
    output.show(facts);
  });
}

} // namespace

void addOocPrepareCommand(CLI::App &ooc) {
  auto request = std::make_shared<Request>();
  graph::ooc::PrepareOptions &options = request->options;
  options.memoryBytes = usualMemoryBytes();
  CLI::App *command = ooc.add_subcommand(
      "prepare", "Sort the edges of a graph on disk, so that algorithms can "
                 "run there");
  addInputOptions(*command, request->input);
  addWeightsOption(*command, request->input,
                   {"none", "int", "float", "random"});
  addPositional(*command, "DIRECTORY", request->directory,
                "Directory for the prepared graph");
  addMemoryOption(*command, options.memoryBytes,
                  "Memory for preparing the graph, and for later runs");
  addThreadsOption(*command);
  addBounded(*command, "--ranks", options.partitions, 1u, 65536u,
             "The most ranks (machines) of a run on this graph [1]");
  addCount(*command, "--batch", options.batchVertices,
           "Vertices in a batch, rounded up to a multiple of 32768 [chosen "
           "from memory and threads]");
  addCount(*command, "--vertex-bytes", options.vertexBytes,
           "Bytes of vertex data that a run will have for each vertex [16]");
  addReal(*command, "--alpha", options.alpha, 0, 1e9,
          "Weight of a vertex, relative to that of an edge, in balancing ranks "
          "[2 for each rank, less 1]");
  addReal(*command, "--inflate-ratio", options.inflateRatio, 0, 1e9,
          "Index the edges of all vertices (CSR) in chunks with at least one "
          "edge for this many vertices [32]");
  addJsonOption(*command, request->jsonPath);
  command->callback([request] { runOnFirstRank([&] { execute(*request); }); });
}

} // namespace heddle
