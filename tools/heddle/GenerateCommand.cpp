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
  bool undirected = false;
  bool keepParallelEdges = false;
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
  graph::BuildOptions build = request.build;
  build.directed = !request.undirected;
  if (request.keepParallelEdges)
    build.parallelEdges = graph::ParallelEdges::KeepAll;
  graph::Csr<> graph = buildCsr(generate(), build);
  if (request.randomWeights)
    writeGraph(request.output,
               graph::withRandomWeights(std::move(graph), request.weightSeed));
  else
    writeGraph(request.output, graph);
}

/// Adds the options that all kinds of graphs have.
void addOutputOptions(CLI::App &command, Request &request) {
  command
      .add_option("OUT", request.output,
                  "The file to write; its name says the format, as for 'heddle "
                  "convert'")
      ->required()
      ->type_name("");
  command.add_flag("--undirected", request.undirected, "Edges lead both ways");
  command.add_flag("--drop-self-loops", request.build.dropSelfLoops,
                   "Leave out self-loops, edges from a vertex to itself");
  command.add_flag("--keep-parallel-edges", request.keepParallelEdges,
                   "Keep parallel edges, which have the same ends, not only "
                   "one of them");
  command.add_flag("--random-weights", request.randomWeights,
                   "Give each edge a weight from 1 to 255");
  addCount(command, "--weight-seed", request.weightSeed,
           "Seed of the random weights [1]");
  addThreadsOption(command);
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

  auto kronecker = std::make_shared<Request>();
  CLI::App *kind = command->add_subcommand(
      "kronecker", "The skewed graph of Graph500: few vertices have most of "
                   "the edges");
  addOutputOptions(*kind, *kronecker);
  addNumber(*kind, "--scale", kronecker->kronecker.scale,
            "Logarithm of the number of vertices");
  addNumber(*kind, "--degree", kronecker->kronecker.edgesPerVertex,
            "Edges for each vertex");
  addNumber(*kind, "--seed", kronecker->kronecker.seed,
            "Seed of the random edges");
  kind->callback([kronecker] {
    write(*kronecker,
          [&] { return graph::generateKronecker(kronecker->kronecker); });
  });

  auto uniform = std::make_shared<Request>();
  kind = command->add_subcommand("uniform",
                                 "Edges between any two vertices, all as "
                                 "likely");
  addOutputOptions(*kind, *uniform);
  addNumber(*kind, "--vertices", uniform->uniform.vertices,
            "Number of vertices");
  addNumber(*kind, "--edges", uniform->uniform.edges, "Number of edges");
  addNumber(*kind, "--seed", uniform->uniform.seed, "Seed of the random edges");
  kind->callback([uniform] {
    write(*uniform, [&] { return graph::generateUniform(uniform->uniform); });
  });

  auto grid = std::make_shared<Request>();
  kind = command->add_subcommand(
      "grid", "Edges from each vertex to its right and to its lower "
              "neighbour, like the streets of a town");
  addOutputOptions(*kind, *grid);
  addNumber(*kind, "--rows", grid->rows, "Number of rows");
  addNumber(*kind, "--columns", grid->columns, "Number of columns");
  kind->callback([grid] {
    write(*grid,
          [&] { return graph::generateGrid(grid->rows, grid->columns); });
  });
}

} // namespace heddle
