//===- GenerateCommand.cpp - `heddle generate` ---------------------------===//

#include "command/Commands.h"

#include "command/Options.h"

#include "heddle/graph/Generate.h"
#include "heddle/graph/RandomWeights.h"
#include "heddle/graph/ToCsr.h"
#include "heddle/graph/WriteGraph.h"

#include <fmt/format.h>
#include <memory>

namespace heddle {

namespace {

struct Request {
  graph::KroneckerOptions kronecker;
  graph::UniformOptions uniform;
  std::uint64_t rows = 1000, columns = 1000;
  graph::BuildOptions build;
  bool randomWeights = false;
  std::uint64_t weightSeed = 1;
  std::string output;
};

/// Writes the graph that `generate` makes up, once it is clear that it can be
/// written.
template <typename Generate>
void write(const Request &request, Generate generate) {
  if (request.randomWeights)
    graph::checkWritable<std::int32_t>(request.output);
  else
    graph::checkWritable<graph::Unweighted>(request.output);
  graph::Csr<> graph = buildCsr(generate(request), request.build);
  if (request.randomWeights)
    writeGraph(request.output,
               graph::withRandomWeights(std::move(graph), request.weightSeed));
  else
    writeGraph(request.output, graph);
}

/// Adds the options that are the same for all kinds.
void addOutputOptions(CLI::App &command, Request &request) {
  addPositional(command, "OUT", request.output,
                "The file to write; its name says the format, as for 'heddle "
                "convert'");
  addBuildOptions(command, request.build, "", "one");
  command.add_flag("--random-weights", request.randomWeights,
                   "Give each edge a weight from 1 to 255");
  addCount(command, "--weight-seed", request.weightSeed,
           "Seed of the random weights [1]");
  addThreadsOption(command);
}

/// Adds a kind of graph that `generate` makes up.
template <typename Generate>
CLI::App *addKind(CLI::App &command, std::shared_ptr<Request> request,
                  const std::string &name, const std::string &description,
                  Generate generate) {
  CLI::App *kind = command.add_subcommand(name, description);
  addOutputOptions(*kind, *request);
  kind->callback([=] { write(*request, generate); });
  return kind;
}

template <typename Number>
void addNumber(CLI::App &command, const std::string &name, Number &value,
               const std::string &description) {
  addCount(command, name, value, fmt::format("{} [{}]", description, value));
}

} // namespace

void addGenerateCommand(CLI::App &app) {
  CLI::App *command = app.add_subcommand("generate", "Make up a graph");
  command->require_subcommand(1);

  // Only one of the kinds is asked for.
  auto request = std::make_shared<Request>();
  CLI::App *kind = addKind(
      *command, request, "kronecker",
      "The skewed graph of Graph500: few vertices have most of the edges",
      [](const Request &request) {
        return graph::generateKronecker(request.kronecker);
      });
  addNumber(*kind, "--scale", request->kronecker.scale,
            "Logarithm of the number of vertices");
  addNumber(*kind, "--degree", request->kronecker.edgesPerVertex,
            "Edges for each vertex");
  addNumber(*kind, "--seed", request->kronecker.seed,
            "Seed of the random edges");

  kind = addKind(*command, request, "uniform",
                 "Edges between any two vertices, all as likely",
                 [](const Request &request) {
                   return graph::generateUniform(request.uniform);
                 });
  addNumber(*kind, "--vertices", request->uniform.vertices,
            "Number of vertices");
  addNumber(*kind, "--edges", request->uniform.edges, "Number of edges");
  addNumber(*kind, "--seed", request->uniform.seed, "Seed of the random edges");

  kind = addKind(*command, request, "grid",
                 "Edges from each vertex to its right and to its lower "
                 "neighbour, like the streets of a town",
                 [](const Request &request) {
                   return graph::generateGrid(request.rows, request.columns);
                 });
  addNumber(*kind, "--rows", request->rows, "Number of rows");
  addNumber(*kind, "--columns", request->columns, "Number of columns");
}

} // namespace heddle
