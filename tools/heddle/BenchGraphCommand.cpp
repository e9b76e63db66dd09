//===- BenchGraphCommand.cpp - `heddle bench graph` -----------------------===//

#include "Commands.h"

#include "Options.h"
#include "bench/graph/GraphBench.h"

#include <fmt/format.h>
#include <memory>
#include <omp.h>

namespace heddle {

namespace {

using bench::GraphBenchOptions;

struct Request {
  GraphBenchOptions options;
  bool quick = false;
};

/// Small graphs and one repetition, where nothing else was asked for.
void makeQuick(GraphBenchOptions &options, const CLI::App &command) {
  if (options.scales.empty())
    options.scales = {10};
  if (options.degrees.empty())
    options.degrees = {8};
  if (command.count("--chunks") == 0)
    options.chunks = {100, 1000};
  if (command.count("--repetitions") == 0)
    options.repetitions = 1;
}

} // namespace

void addBenchGraphCommand(CLI::App &bench) {
  auto request = std::make_shared<Request>();
  GraphBenchOptions &options = request->options;
  CLI::App *command = bench.add_subcommand(
      "graph", "Grazelle's experiments: packing, scheduling, vectors");

  std::vector<std::string> figures;
  std::string footer = "Figures:\n";
  for (const auto &[name, description] : bench::graphFigures()) {
    figures.push_back(name);
    footer += fmt::format("  {:<15} {}\n", name, description);
  }
  command->footer(footer);
  command
      ->add_option("--figures", options.figures,
                   "Only these figures, separated by commas")
      ->delimiter(',')
      ->check(CLI::IsMember(figures).description(""))
      ->type_name("NAME");
  command
      ->add_option("--graph", options.files,
                   "Measure on the graph in FILE; may be repeated")
      ->check(CLI::ExistingFile.description(""))
      ->type_name("FILE");
  command
      ->add_option("--generate", options.kinds,
                   "Kinds of generated graphs: kronecker, uniform, grid [all, "
                   "or none beside files]")
      ->delimiter(',')
      ->check(CLI::IsMember(bench::generatedKinds()).description(""))
      ->type_name("KIND");
  command
      ->add_option("--scales", options.scales,
                   "Logarithms of their numbers of vertices [16,18,20 for "
                   "packing, 20 else]")
      ->delimiter(',')
      ->check(CLI::Range(1, 31).description(""))
      ->type_name("N");
  command
      ->add_option("--degrees", options.degrees,
                   "Edges for each vertex, but not of grids [2,8,32 for "
                   "packing, 16 else]")
      ->delimiter(',')
      ->check(CLI::Range(1, 4096).description(""))
      ->type_name("N");
  addThreadNumbersOption(*command, options.threads, "one for each processor");
  command
      ->add_option("--chunks", options.chunks,
                   "Edges that a thread takes at once, for scheduling "
                   "[100,1000,10000,100000,1000000]")
      ->delimiter(',')
      ->check(CLI::Range(int64_t(1), int64_t(1) << 40).description(""))
      ->type_name("N");
  addRepetitionsOption(*command, options.repetitions, "9");
  command->add_flag("--quick", request->quick,
                    "Small graphs and one repetition: a check that all works, "
                    "not a measurement");
  addRowsOption(*command, options.jsonPath);
  command->callback([request, command] {
    GraphBenchOptions &options = request->options;
    if (request->quick)
      makeQuick(options, *command);
    if (options.threads.empty())
      options.threads = {omp_get_max_threads()};
    if (options.kinds.empty() && options.files.empty())
      options.kinds = bench::generatedKinds();
    bench::runGraphBench(options);
  });
}

} // namespace heddle
