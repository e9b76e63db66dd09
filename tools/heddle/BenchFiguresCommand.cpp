//===- BenchFiguresCommand.cpp - `heddle bench graph|dynamic|mlir` --------===//

#include "command/Commands.h"

#include "bench/dynamic/DynamicFigures.h"
#include "bench/graph/Figures.h"
#include "bench/mlir/MlirFigures.h"
#include "command/Options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <omp.h>

namespace heddle {

namespace {

using bench::Figure;
using bench::FigureOptions;

constexpr double MostChurn = 1e6;
constexpr std::size_t MostOperations = std::size_t(1) << 40;

struct Request {
  std::vector<Figure> figures;
  FigureOptions options;
  bool quick = false;
};

/// Small graphs and one repetition, where nothing else was asked for.
void makeQuick(FigureOptions &options, const CLI::App &command) {
  const auto given = [&](const char *option) {
    return command.get_option_no_throw(option) && command.count(option) > 0;
  };
  if (options.scales.empty())
    options.scales = {10};
  if (options.degrees.empty())
    options.degrees = {8};
  if (!given("--chunks"))
    options.chunks = {100, 1000};
  if (!given("--batches"))
    options.batches = {1000};
  if (!given("--operations"))
    options.operations = 10000;
  if (!given("--churn"))
    options.churn = 1;
  if (!given("--repetitions"))
    options.repetitions = 1;
}

/// What a figure measures when nothing is said, such as "20", for all figures.
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

  std::vector<std::string> figures;
  std::string footer = "Figures:\n";
  for (const Figure &figure : request->figures) {
    figures.push_back(figure.name);
    footer += fmt::format("  {:<15} {}\n", figure.name, figure.description);
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
                   "or none with --graph]")
      ->delimiter(',')
      ->check(CLI::IsMember(bench::generatedKinds()).description(""))
      ->type_name("KIND");
  command
      ->add_option(
          "--scales", options.scales,
          fmt::format("Binary logarithms of the numbers of vertices of "
                      "generated graphs [{}]",
                      describeUsual(request->figures, &Figure::usualScales)))
      ->delimiter(',')
      ->check(CLI::Range(1, 31).description(""))
      ->type_name("N");
  command
      ->add_option(
          "--degrees", options.degrees,
          fmt::format("Edges for each vertex of generated graphs, except "
                      "grids [{}]",
                      describeUsual(request->figures, &Figure::usualDegrees)))
      ->delimiter(',')
      ->check(CLI::Range(1, 4096).description(""))
      ->type_name("N");
  addThreadNumbersOption(*command, options.threads, "one for each processor");
  addRepetitionsOption(*command, options.repetitions, "9");
  command->add_flag("--quick", request->quick,
                    "Small graphs and one repetition: a check that everything "
                    "works, not a measurement");
  addRowsOption(*command, options.jsonPath);
  command->callback([request, command] {
    FigureOptions &options = request->options;
    if (request->quick)
      makeQuick(options, *command);
    if (options.threads.empty())
      options.threads = {omp_get_max_threads()};
    if (options.kinds.empty() && options.files.empty())
      options.kinds = bench::generatedKinds();
    bench::runFigures(request->figures, options);
  });
  return command;
}

} // namespace

void addBenchGraphCommand(CLI::App &bench) {
  auto request = std::make_shared<Request>();
  request->figures = bench::graphFigures();
  addFigures(bench, "graph",
             "Grazelle's experiments: packing, scheduling, phases", request)
      ->add_option("--chunks", request->options.chunks,
                   "Edges that a thread takes at once, for scheduling "
                   "[100,1000,10000,100000,1000000]")
      ->delimiter(',')
      ->check(CLI::Range(int64_t(1), int64_t(1) << 40).description(""))
      ->type_name("N");
}

void addBenchDynamicCommand(CLI::App &bench) {
  auto request = std::make_shared<Request>();
  request->figures = bench::dynamicFigures();
  FigureOptions &options = request->options;
  CLI::App *command = addFigures(
      bench, "dynamic",
      "GastCoCo's experiments on graphs that change: strategies, reading",
      request);
  command
      ->add_option("--stores", options.stores,
                   "Only these stores in 'strategies', separated by commas")
      ->delimiter(',')
      ->check(CLI::IsMember(bench::dynamicStores()).description(""))
      ->type_name("NAME");
  command
      ->add_option(
          "--batches", options.batches,
          fmt::format("Updates that a store gets at once; 'reading' uses "
                      "the last of these numbers [{}]",
                      fmt::join(options.batches, ",")))
      ->delimiter(',')
      ->check(CLI::Range(std::size_t(1), MostOperations).description(""))
      ->type_name("N");
  command
      ->add_option("--churn", options.churn,
                   fmt::format("Updates for each edge after which 'reading' "
                               "measures again; 0 for none [{}]",
                               options.churn))
      ->check(CLI::Range(0.0, MostChurn).description(""))
      ->type_name("N");
  command
      ->add_option(
          "--operations", options.operations,
          fmt::format("Queries that 'strategies' measures at a time; it "
                      "measures half as many updates [{}]",
                      options.operations))
      ->check(CLI::Range(std::size_t(2), MostOperations).description(""))
      ->type_name("N");
}

#ifdef HEDDLE_BENCH_MLIR
void addBenchMlirCommand(CLI::App &bench) {
  auto request = std::make_shared<Request>();
  request->figures = bench::mlirFigures();
  addFigures(bench, "mlir",
             "Programs in MLIR: edges in vectors, and interleaved loops",
             request);
}
#endif

} // namespace heddle
