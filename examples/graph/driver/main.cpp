//===- main.cpp - Graph algorithms with and without the directive ---------===//
//
// Runs the two builds of the algorithms on the same graphs, checks every
// result, and says what was found, how long it took, and what the compiler did.
//
//===----------------------------------------------------------------------===//

#include "report.h"

#include "command/Options.h"
#include "output/Say.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <heddle/heddle.h>
#include <iterator>
#include <omp.h>
#include <ranges>
#include <unistd.h>

namespace {

using heddle::addBounded;

enum ExitCode { Good = 0, WrongResults = 1, BadInput = 2 };

struct Options {
  bool debian = false, kronecker = false, uniform = false, undirected = false;
  std::string packages, edgeList, source, json;
  std::string pages = "huge";
  std::vector<std::string> algorithms = taskNames();
  int scale = 21;
  int threads = omp_get_max_threads();
  int trials = 0;
  int64_t delta = 0;
};

void addOptions(CLI::App &app, Options &options) {
  app.add_flag("--debian", options.debian,
               "The dependencies between this machine's Debian packages");
  app.add_option("--packages", options.packages,
                 "The same from a package index FILE")
      ->type_name("FILE");
  app.add_flag("--kron", options.kronecker, "A Kronecker graph");
  app.add_flag("--uniform", options.uniform, "A uniform random graph");
  app.add_option("--graph", options.edgeList,
                 "An edge list: 'from to [weight]' lines, may be compressed")
      ->type_name("FILE");
  app.add_flag("--undirected", options.undirected,
               "Edges of the edge list go both ways");
  addBounded(app, "--scale", options.scale, 1, 30,
             "2^N vertices in generated graphs (default 21)");
  app.add_option("--algorithms", options.algorithms,
                 fmt::format("Of {}", fmt::join(taskNames(), ",")))
      ->delimiter(',')
      ->check(CLI::IsMember(taskNames()))
      ->option_text("A,B...");
  app.add_option("--source", options.source,
                 "Where bfs and sssp start (default: the vertex with the most "
                 "neighbours)")
      ->type_name("VERTEX");
  addBounded(app, "--delta", options.delta, int64_t(1), int64_t(1) << 40,
             "Step of sssp (default: from the weights)");
  addBounded(app, "--threads", options.threads, 1, 1024,
             "Threads (default: all)");
  app.add_option("--pages", options.pages,
                 "Page size of all arrays: 4k or huge (default)")
      ->check(CLI::IsMember({"4k", "huge"}))
      ->option_text("SIZE");
  addBounded(app, "--trials", options.trials, 1, 1000,
             "Runs of each build (default: 3 and more, for half a second)");
  app.add_option("--json", options.json, "Write the table there as well")
      ->type_name("FILE");
}

int32_t chooseSource(const Graph &graph, const std::string &name) {
  const auto vertices = std::views::iota(0, graph.vertices());
  if (name.empty())
    return *std::ranges::max_element(
        vertices, {}, [&](int32_t v) { return graph.rows.outDegree(v); });
  const auto named = std::ranges::find(
      vertices, name, [&](int32_t v) { return graph.vertexName(v); });
  if (named == vertices.end())
    throw InputError(
        fmt::format("--source: {} has no vertex {}", graph.name, name));
  return *named;
}

void printHost(const Options &options) {
  heddle_host host;
  if (heddle_probe(&host, 0) < 0)
    return;
  fmt::print("This host: {:.0f} ns for an access that depends on the last, {} "
             "requests in flight at most.\n\n",
             options.pages == "huge" ? host.latency_huge : host.latency_4k,
             host.requests);
}

/// Prints what is found and appends the rows. Throws WrongResult.
void runGraph(const Graph &graph, const Options &options,
              std::vector<Row> &rows) {
  const TaskOptions taskOptions = {chooseSource(graph, options.source),
                                   options.delta};
  fmt::print("== {}: {} {}, {} edges; {} thread{}, {} pages\n", graph.name,
             graph.vertices(), graph.vertexNoun(), graph.rows.edgeCount(),
             options.threads, options.threads == 1 ? "" : "s", options.pages);
  if (!graph.origin.empty())
    fmt::print("{}\n", graph.origin);
  fmt::print("\n");

  std::vector<Row> table;
  for (const std::string &name : options.algorithms) {
    std::fflush(stdout);
    const std::unique_ptr<Task> task = makeTask(name, graph, taskOptions);
    std::vector<Row> more = measure(graph.name, name, *task, options.trials);
    explain(more);
    fmt::print("{}", task->findings());
    std::ranges::move(more, std::back_inserter(table));
  }
  printTable(table);
  fmt::print("\n");
  std::ranges::move(table, std::back_inserter(rows));
}

void run(const Options &options) {
  // The choice here takes precedence over the environment's.
  setenv("HEDDLE_PAGES", options.pages.c_str(), 1);
  omp_set_num_threads(options.threads);
  std::vector<Row> rows;
  const auto add = [&](const Graph &graph) {
    if (rows.empty())
      printHost(options);
    runGraph(graph, options, rows);
  };
  const bool usual = !options.debian && options.packages.empty() &&
                     !options.kronecker && !options.uniform &&
                     options.edgeList.empty();
  if (usual || options.debian)
    add(readPackages({}));
  if (!options.packages.empty())
    add(readPackages(options.packages));
  if (!options.edgeList.empty())
    add(readEdgeList(options.edgeList, options.undirected));
  if (usual || options.kronecker)
    add(generate("kronecker", options.scale));
  if (usual || options.uniform)
    add(generate("uniform", options.scale));
  fmt::print("All results agree with the verifiers.\n");
  if (!options.json.empty())
    writeJson(options.json, rows, options.threads, options.pages);
}

/// An interrupt leaves no progress bar behind.
void wipeAndDie(int signal) {
  constexpr char WipeLine[] = "\r\033[K";
  if (isatty(STDERR_FILENO)) {
    ssize_t written = write(STDERR_FILENO, WipeLine, sizeof(WipeLine) - 1);
    static_cast<void>(written);
  }
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

} // namespace

int main(int argc, char **argv) {
  // A file that may not grow (ulimit -f) is an error.
  std::signal(SIGXFSZ, SIG_IGN);
  CLI::App app(
      "Runs graph algorithms compiled with and without `#pragma heddle "
      "async`.\nWithout a choice of graphs: --debian --kron --uniform.");
  Options options;
  addOptions(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? Good : BadInput;
  }

  std::signal(SIGINT, wipeAndDie);
  std::signal(SIGTERM, wipeAndDie);
  try {
    run(options);
    if (std::fflush(stdout) == 0 && !std::ferror(stdout))
      return Good;
    heddle::say("heddle-graph: cannot write to standard output\n");
  } catch (const WrongResult &error) {
    heddle::say("heddle-graph: {}\n", error.what());
    return WrongResults;
  } catch (const std::bad_alloc &) {
    heddle::say("heddle-graph: not enough memory\n");
  } catch (const std::exception &error) {
    heddle::say("heddle-graph: {}\n", error.what());
  }
  return BadInput;
}
