//===- BenchOocCommand.cpp - `heddle bench ooc` --------------------------===//

#include "command/Commands.h"

#include "bench/ooc/OocBench.h"
#include "command/Options.h"

#include <cstdint>
#include <fmt/format.h>
#include <memory>
#include <omp.h>

namespace heddle {

namespace {

constexpr std::uint64_t Mebibyte = std::uint64_t(1) << 20;

/// Sets small graphs and one repetition, unless the options say otherwise.
void makeQuick(bench::OocOptions &options, const CLI::App &command) {
  if (command.count("--scale") == 0)
    options.scale = 12;
  if (command.count("--degree") == 0)
    options.degree = 8;
  if (command.count("--long-scale") == 0)
    options.longScale = 10;
  if (command.count("--memory") == 0)
    options.memoryBytes = {256 * Mebibyte, 1024 * Mebibyte};
  if (command.count("--repetitions") == 0)
    options.repetitions = 1;
}

void addGraphOptions(CLI::App &command, bench::OocOptions &options) {
  command
      .add_option("--graph", options.graph,
                  "Measure on the graph in FILE [a Kronecker graph]")
      ->check(CLI::ExistingFile.description(""))
      ->type_name("FILE");
  addBounded(command, "--scale", options.scale, 1, 31,
             fmt::format("Binary logarithm of the number of vertices of a "
                         "generated graph [{}]",
                         options.scale));
  addBounded(command, "--degree", options.degree, 1, 4096,
             fmt::format("Edges for each vertex of a generated graph [{}]",
                         options.degree));
  command
      .add_option("--long-graph", options.longGraph,
                  "The graph for long-paths [a grid]")
      ->check(CLI::ExistingFile.description(""))
      ->type_name("FILE");
  addBounded(command, "--long-scale", options.longScale, 1, 31,
             fmt::format("Binary logarithm of the number of vertices of that "
                         "grid, which has 2048 columns [{}]",
                         options.longScale));
}

} // namespace

void addBenchOocCommand(CLI::App &bench) {
  struct Request {
    bench::OocOptions options;
    bool quick = false;
  };
  auto request = std::make_shared<Request>();
  bench::OocOptions &options = request->options;
  CLI::App *command = bench.add_subcommand(
      "ooc",
      "Algorithms on graphs larger than memory, and the gain from batches "
      "and groups");
  std::vector<std::string> figures;
  std::string footer = "Figures:\n";
  for (const bench::OocFigure &figure : bench::oocFigures()) {
    figures.push_back(figure.name);
    footer += fmt::format("  {:<15} {}\n", figure.name, figure.description);
  }
  command->footer(footer);
  command
      ->add_option("DIRECTORY", options.directory,
                   "Directory on the disk to be measured; the graphs in it "
                   "are removed in the end")
      ->required()
      ->check(CLI::ExistingDirectory.description(""))
      ->type_name("");
  addNames(*command, "--figures", options.figures, figures,
           "Only these figures, separated by commas");
  addGraphOptions(*command, options);
  command
      ->add_option("--memory", options.memoryBytes,
                   "Memory limits of a run, in bytes, or with K, M or G; "
                   "long-paths uses the last one [128M,2G]")
      ->delimiter(',')
      ->transform(CLI::AsSizeValue(false).description(""))
      ->transform(isNotNegative())
      ->check(CLI::Range(Mebibyte, Mebibyte << 24).description(""))
      ->type_name("SIZE");
  addBounded(*command, "--threads", options.threads, 1, 1024,
             "Number of threads [one for each processor]");
  command
      ->add_option("--patience", options.patienceSeconds,
                   fmt::format("Seconds after which a run without batches is "
                               "stopped, because it could take days [{}]",
                               options.patienceSeconds))
      ->check(isWithin(0, 1e9))
      ->type_name("SECONDS");
  addRepetitionsOption(*command, options.repetitions, "3");
  addQuickOption(*command, request->quick, "Small graphs and one repetition");
  addRowsOption(*command, options.jsonPath);
  command->callback([request, command] {
    bench::OocOptions &options = request->options;
    if (request->quick)
      makeQuick(options, *command);
    if (options.threads == 0)
      options.threads = omp_get_max_threads();
    bench::runOocBench(options);
  });
}

} // namespace heddle
