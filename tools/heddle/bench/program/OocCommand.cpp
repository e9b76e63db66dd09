//===- OocCommand.cpp - `heddle bench ooc` --------------------------------===//

#include "bench/program/Commands.h"

#include "bench/ooc/OocBench.h"
#include "command/Options.h"

#include <cstdint>
#include <fmt/format.h>
#include <memory>
#include <omp.h>

namespace heddle::bench {

namespace {

constexpr std::uint64_t Mebibyte = std::uint64_t(1) << 20;

void addGraphOptions(CLI::App &command, OocOptions &options) {
  addFile(command, "--graph", options.graph,
          "Measure on the graph in FILE [a Kronecker graph]")
      ->check(CLI::ExistingFile.description(""));
  addBounded(command, "--scale", options.scale, 1, 31,
             fmt::format("Binary logarithm of the number of vertices of a "
                         "generated graph [{}]",
                         options.scale));
  addBounded(command, "--degree", options.degree, 1, 4096,
             fmt::format("Edges for each vertex of a generated graph [{}]",
                         options.degree));
  addFile(command, "--long-graph", options.longGraph,
          "The graph for long-paths [a grid]")
      ->check(CLI::ExistingFile.description(""));
  addBounded(command, "--long-scale", options.longScale, 1, 31,
             fmt::format("Binary logarithm of the number of vertices of that "
                         "grid, which has 2048 columns [{}]",
                         options.longScale));
}

} // namespace

void addOocCommand(CLI::App &bench) {
  auto request = std::make_shared<OocOptions>();
  OocOptions &options = *request;
  CLI::App *command = bench.add_subcommand(
      "ooc",
      "Algorithms on graphs larger than memory, and the gain from batches "
      "and groups");
  addPositional(*command, "DIRECTORY", options.directory,
                "Directory on the disk to be measured; the graphs in it are "
                "removed in the end")
      ->check(CLI::ExistingDirectory.description(""));
  addKinds(*command, "Figures", "figures", options.figures, oocFigures());
  addGraphOptions(*command, options);
  addSize(*command, "--memory", options.memoryBytes,
          "Memory limits of a run, in bytes, or with K, M or G; long-paths "
          "uses the last one [128M,2G]")
      ->delimiter(',')
      ->check(CLI::Range(Mebibyte, Mebibyte << 24).description(""));
  addBounded(*command, "--threads", options.threads, 1, 1024,
             "Number of threads [one for each processor]");
  addReal(*command, "--patience", options.patienceSeconds, 0, 1e9,
          fmt::format("Seconds after which a run without batches is stopped, "
                      "because it could take days [{}]",
                      options.patienceSeconds))
      ->type_name("SECONDS");
  addRepetitionsOption(*command, options.repetitions, "3");
  addQuickOption(*command, options.quick, "Small graphs and one repetition");
  addRowsOption(*command, options.jsonPath);
  command->callback([request, command] {
    OocOptions &options = *request;
    if (options.quick) {
      makeQuick(*command, "--scale", options.scale, 12);
      makeQuick(*command, "--degree", options.degree, 8);
      makeQuick(*command, "--long-scale", options.longScale, 10);
      makeQuick(*command, "--memory", options.memoryBytes,
                {256 * Mebibyte, 1024 * Mebibyte});
      makeQuick(*command, "--repetitions", options.repetitions, 1);
    }
    if (options.threads == 0)
      options.threads = omp_get_max_threads();
    runOocBench(options);
  });
}

} // namespace heddle::bench
