//===- FiguresCommand.cpp - `heddle bench graph|dynamic|mlir` -------------===//

#include "bench/program/Commands.h"

#include "bench/dynamic/DynamicFigures.h"
#include "bench/graph/Figures.h"
#include "bench/mlir/MlirFigures.h"
#include "command/Options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <omp.h>

namespace heddle::bench {

namespace {

constexpr double MostChurn = 1e6;
constexpr std::size_t MostOperations = std::size_t(1) << 40;

struct Request {
  std::vector<Figure> figures;
  FigureOptions options;
};

/// Returns the defaults of all figures, such as "20 for" and the figure's name.
template <typename Numbers>
std::string describeUsual(const std::vector<Figure> &figures,
                          Numbers Figure::*usual) {
  std::vector<std::string> parts;
  for (const Figure &figure : figures)
    parts.push_back(
        fmt::format("{} for {}", fmt::join(figure.*usual, ","), figure.name));
  return fmt::format("{}", fmt::join(parts, ", "));
}

CLI::App *addFigures(CLI::App &bench, const char *name, const char *description,
                     std::shared_ptr<Request> request) {
  FigureOptions &options = request->options;
  CLI::App *command = bench.add_subcommand(name, description);
  addKinds(*command, "Figures", "figures", options.figures, request->figures);
  addFile(*command, "--graph", options.files,
          "Measure on the graph in FILE; may be repeated")
      ->check(CLI::ExistingFile.description(""));
  addNames(*command, "--generate", options.kinds, generatedKinds(),
           "Kinds of generated graphs: kronecker, uniform, grid [all, or none "
           "with --graph]")
      ->type_name("KIND");
  addBounded(*command, "--scales", options.scales, 1, 31,
             fmt::format("Binary logarithms of the numbers of vertices of "
                         "generated graphs [{}]",
                         describeUsual(request->figures, &Figure::usualScales)))
      ->delimiter(',');
  addBounded(*command, "--degrees", options.degrees, 1, 4096,
             fmt::format(
                 "Edges for each vertex of generated graphs, except grids [{}]",
                 describeUsual(request->figures, &Figure::usualDegrees)))
      ->delimiter(',');
  addThreadNumbersOption(*command, options.threads, "one for each processor");
  addRepetitionsOption(*command, options.repetitions, "9");
  addQuickOption(*command, options.quick, "Small graphs and one repetition");
  addRowsOption(*command, options.jsonPath);
  command->callback([request, command] {
    FigureOptions &options = request->options;
    if (options.quick) {
      makeQuick(*command, "--scales", options.scales, {10});
      makeQuick(*command, "--degrees", options.degrees, {8});
      makeQuick(*command, "--chunks", options.chunks, {100, 1000});
      makeQuick(*command, "--batches", options.batches, {1000});
      makeQuick(*command, "--operations", options.operations, 10000);
      makeQuick(*command, "--churn", options.churn, 1);
      makeQuick(*command, "--repetitions", options.repetitions, 1);
    }
    if (options.threads.empty())
      options.threads = {omp_get_max_threads()};
    if (options.kinds.empty() && options.files.empty())
      options.kinds = generatedKinds();
    runFigures(request->figures, options);
  });
  return command;
}

} // namespace

void addGraphCommand(CLI::App &bench) {
  auto request = std::make_shared<Request>();
  request->figures = {packingFigure(), schedulingFigure(), phasesFigure()};
  CLI::App *command = addFigures(
      bench, "graph", "Grazelle's experiments: packing, scheduling, phases",
      request);
  addBounded(*command, "--chunks", request->options.chunks, int64_t(1),
             int64_t(1) << 40,
             "Edges that a thread takes at once, for scheduling "
             "[100,1000,10000,100000,1000000]")
      ->delimiter(',');
}

void addDynamicCommand(CLI::App &bench) {
  auto request = std::make_shared<Request>();
  request->figures = {strategiesFigure(), readingFigure()};
  FigureOptions &options = request->options;
  CLI::App *command = addFigures(
      bench, "dynamic",
      "GastCoCo's experiments on graphs that change: strategies, reading",
      request);
  addNames(*command, "--stores", options.stores, dynamicStores(),
           "Only these stores in 'strategies', separated by commas");
  addBounded(*command, "--batches", options.batches, std::size_t(1),
             MostOperations,
             fmt::format("Updates that a store gets at once; 'reading' uses "
                         "the last of these numbers [{}]",
                         fmt::join(options.batches, ",")))
      ->delimiter(',');
  addBounded(*command, "--churn", options.churn, 0.0, MostChurn,
             fmt::format("Updates for each edge after which 'reading' measures "
                         "again; 0 for none [{}]",
                         options.churn));
  addBounded(*command, "--operations", options.operations, std::size_t(2),
             MostOperations,
             fmt::format("Queries that 'strategies' measures at a time; it "
                         "measures half as many updates [{}]",
                         options.operations));
}

#ifdef HEDDLE_BENCH_MLIR
void addMlirCommand(CLI::App &bench) {
  auto request = std::make_shared<Request>();
  request->figures = {productsFigure(), listsFigure()};
  addFigures(bench, "mlir",
             "Programs in MLIR: edges in vectors, and interleaved loops",
             request);
}
#endif

} // namespace heddle::bench
