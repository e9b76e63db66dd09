//===- main.cpp - Graph algorithms with and without the directive ---------===//
//
// Runs the two builds of the algorithms on the same graphs, checks every
// result, and says what was found, how long it took, and what the compiler did.
//
//===----------------------------------------------------------------------===//

#include "report.h"

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdlib>
#include <fmt/format.h>
#include <functional>
#include <heddle/heddle.h>
#include <omp.h>
#include <unistd.h>

namespace {

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
      ->option_text("FILE");
  app.add_flag("--kron", options.kronecker, "A Kronecker graph");
  app.add_flag("--uniform", options.uniform, "A uniform random graph");
  app.add_option("--graph", options.edgeList,
                 "An edge list: 'from to [weight]' lines, may be compressed")
      ->option_text("FILE");
  app.add_flag("--undirected", options.undirected,
               "Edges of the edge list go both ways");
  app.add_option("--scale", options.scale,
                 "2^N vertices in generated graphs (default 21)")
      ->check(CLI::Range(1, 30))
      ->option_text("N");
  app.add_option("--algorithms", options.algorithms,
                 fmt::format("Of {}", fmt::join(taskNames(), ",")))
      ->delimiter(',')
      ->check(CLI::IsMember(taskNames()))
      ->option_text("A,B...");
  app.add_option("--source", options.source,
                 "Where bfs and sssp start (default: the vertex with the most "
                 "neighbours)")
      ->option_text("VERTEX");
  app.add_option("--delta", options.delta,
                 "Step of sssp (default: from the weights)")
      ->check(CLI::Range(int64_t(1), int64_t(1) << 40))
      ->option_text("N");
  app.add_option("--threads", options.threads, "Threads (default: all)")
      ->check(CLI::Range(1, 1024))
      ->option_text("N");
  app.add_option("--pages", options.pages,
                 "Page size of all arrays: 4k or huge (default)")
      ->check(CLI::IsMember({"4k", "huge"}))
      ->option_text("SIZE");
  app.add_option("--trials", options.trials,
                 "Runs of each build (default: 3 and more, for half a second)")
      ->check(CLI::Range(1, 1000))
      ->option_text("N");
  app.add_option("--json", options.json, "Write the table there as well")
      ->option_text("FILE");
}

int32_t chooseSource(const Graph &graph, const std::string &name) {
  if (!name.empty()) {
    int32_t source = graph.findVertex(name);
    if (source < 0)
      throw InputError(
          fmt::format("--source: {} has no vertex {}", graph.name, name));
    return source;
  }
  const Csr out = graph.out();
  int32_t source = 0;
  for (int32_t v = 0; v < out.vertices; ++v)
    if (out.degree(v) > out.degree(source))
      source = v;
  return source;
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

/// Prints what is found and appends the rows; false if a result is wrong.
bool runGraph(const Graph &graph, const Options &options,
              std::vector<Row> &rows) {
  const Setting setting = {options.threads, options.pages};
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
    std::unique_ptr<Task> task = makeTask(name, graph, taskOptions);
    Measurement measurement = measure(*task, options.trials);
    if (measurement.wrong) {
      const auto &[build, what] = *measurement.wrong;
      fmt::print(
          stderr, "heddle-graph: wrong result on {}: {} {} the directive: {}\n",
          graph.name, name, build == Annotated ? "with" : "without", what);
      return false;
    }
    fmt::print("{}", task->findings());
    std::vector<Row> more = makeRows(graph.name, setting, measurement);
    table.insert(table.end(), more.begin(), more.end());
  }
  printTable(table);
  fmt::print("\n");
  rows.insert(rows.end(), table.begin(), table.end());
  return true;
}

/// The graphs to run, each made when its turn comes.
std::vector<std::function<Graph()>> chooseGraphs(const Options &options) {
  std::vector<std::function<Graph()>> graphs;
  bool usual = !options.debian && options.packages.empty() &&
               !options.kronecker && !options.uniform &&
               options.edgeList.empty();
  if (usual || options.debian)
    graphs.push_back([] { return readPackages({}); });
  if (!options.packages.empty())
    graphs.push_back([&] { return readPackages(options.packages); });
  if (!options.edgeList.empty())
    graphs.push_back(
        [&] { return readEdgeList(options.edgeList, options.undirected); });
  if (usual || options.kronecker)
    graphs.push_back([&] { return generateKronecker(options.scale); });
  if (usual || options.uniform)
    graphs.push_back([&] { return generateUniform(options.scale); });
  return graphs;
}

ExitCode run(const Options &options) {
  // The choice here takes precedence over the environment's.
  setenv("HEDDLE_PAGES", options.pages.c_str(), 1);
  omp_set_num_threads(options.threads);
  std::vector<Row> rows;
  for (const std::function<Graph()> &makeGraph : chooseGraphs(options)) {
    Graph graph = makeGraph();
    if (rows.empty())
      printHost(options);
    if (!runGraph(graph, options, rows))
      return WrongResults;
  }
  fmt::print("All results agree with the verifiers.\n");
  if (!options.json.empty())
    writeJson(options.json, rows);
  return Good;
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
    return run(options);
  } catch (const InputError &error) {
    fmt::print(stderr, "heddle-graph: {}\n", error.what());
  } catch (const std::bad_alloc &) {
    fmt::print(stderr, "heddle-graph: not enough memory\n");
  }
  return BadInput;
}
