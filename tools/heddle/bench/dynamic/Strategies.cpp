//===- Strategies.cpp - The compiler's gain in dynamic stores -------------===//
//
// The same source of a store, compiled without its directives and in the three
// ways of GastCoCo's figure 14: requests only, interleaving only, and both.
//
//===----------------------------------------------------------------------===//

#include "DynamicFigures.h"
#include "EdgeSamples.h"
#include "TestedStore.h"

#include "../../command/Error.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <fmt/format.h>
#include <omp.h>

namespace heddle::bench {

namespace {

using bench_dynamic::Edge;
using bench_dynamic::SourceGraph;
using bench_dynamic::StoreMaker;
using bench_dynamic::StoreMakers;
using bench_dynamic::TestedStore;

constexpr const char *Line = "{:<24}{:>8}  {:<10}{:<14}{:>10}";

struct Strategy {
  const char *name;
  const StoreMakers &stores;
};

const std::array<Strategy, 4> strategies = {
    {{"plain", bench_dynamic::plainStores},
     {"prefetch", bench_dynamic::prefetchStores},
     {"interleaved", bench_dynamic::interleavedStores},
     {"full", bench_dynamic::fullStores}}};

constexpr std::array<std::pair<const char *, StoreMaker * StoreMakers::*>, 5>
    storeMakers = {{{"cblist", &StoreMakers::cblist},
                    {"cblist+w", &StoreMakers::weightedCBList},
                    {"cpma", &StoreMakers::cpma},
                    {"cpma+w", &StoreMakers::weightedCpma},
                    {"set", &StoreMakers::set}}};

bool isWanted(const char *store, const FigureOptions &options) {
  return options.stores.empty() ||
         std::ranges::find(options.stores, store) != options.stores.end();
}

std::string header() {
  std::string text =
      "What the compiler gains (GastCoCo's figure 14): the same stores without "
      "their\ndirectives, with requests alone, with interleaving alone, and "
      "with both; time\nof the first, and speed of the others relative to "
      "it.\n\n";
  text += fmt::format(fmt::runtime(Line), "graph", "threads", "store",
                      "operation", "plain");
  for (const Strategy &strategy : strategies)
    if (&strategy != &strategies.front())
      text += fmt::format("{:>13}", strategy.name);
  return text + fmt::format("\n{:>66}", "ns");
}

bench_dynamic::EdgeRows rowsOf(const graph::Csr<>::Rows &rows) {
  return {rows.offsets.data(), rows.targets.data()};
}

class StrategyMeasurement {
public:
  explicit StrategyMeasurement(const FigureInput &input)
      : input(input), samples(input.graph) {}

  void run() {
    const graph::Csr<> &csr = input.graph;
    const SourceGraph source = {csr.vertexCount(), csr.edgeCount(),
                                rowsOf(csr.outRows()), rowsOf(csr.inRows())};
    for (const auto &[store, maker] : storeMakers)
      measureStores(store, source, maker);
  }

private:
  static constexpr std::size_t AllAtOnce = SIZE_MAX;

  /// One operation of a store: its untimed preparation, and the timed part,
  /// which returns the result.
  using Prepare = void (*)(TestedStore &, std::size_t);
  using Operate = std::uint64_t (*)(TestedStore &, std::size_t);

  void measureStores(const char *store, const SourceGraph &source,
                     StoreMaker *StoreMakers::*maker) {
    if (!isWanted(store, input.options))
      return;
    input.progress.show(fmt::format("building {}", store));
    name = store;
    for (std::size_t i = 0; i < strategies.size(); ++i)
      stores[i] = (strategies[i].stores.*maker)(source);
    for (const int threads : input.options.threads) {
      omp_set_num_threads(threads);
      measureAll(threads);
    }
    for (auto &each : stores)
      each.reset();
  }

  void measureAll(int threads) {
    const auto nothing = [](TestedStore &, std::size_t) {};
    const auto find = [](TestedStore &graph, std::size_t) -> std::uint64_t {
      return graph.find();
    };
    const std::size_t queries = input.options.operations;
    setQueries(samples.present(queries));
    compare(threads, "find", queries, 0, nothing, find);
    setQueries(samples.mixed(queries));
    compare(threads, "find mixed", queries, 0, nothing, find);

    const std::vector<Edge> updates = samples.absent(queries / 2);
    setUpdates(updates);
    for (const std::size_t batch : input.options.batches) {
      compare(
          threads, fmt::format("add {}", batch), updates.size(), batch,
          [](TestedStore &graph, std::size_t) { graph.erase(AllAtOnce); },
          [](TestedStore &graph, std::size_t batch) -> std::uint64_t {
            return graph.add(batch);
          });
      compare(
          threads, fmt::format("erase {}", batch), updates.size(), batch,
          [](TestedStore &graph, std::size_t) { graph.add(AllAtOnce); },
          [](TestedStore &graph, std::size_t batch) -> std::uint64_t {
            return graph.erase(batch);
          });
    }
    compare(threads, "traverse", input.graph.edgeCount(), samples.source(),
            nothing, [](TestedStore &graph, std::size_t source) {
              return graph.traverse(static_cast<std::uint32_t>(source));
            });
  }

  void setQueries(const std::vector<Edge> &edges) {
    for (auto &store : stores)
      store->setQueries(edges);
  }
  void setUpdates(const std::vector<Edge> &edges) {
    for (auto &store : stores)
      store->setUpdates(edges);
  }

  void compare(int threads, const std::string &operation, std::uint64_t count,
               std::size_t argument, Prepare prepare, Operate operate) {
    std::array<std::uint64_t, strategies.size()> results = {};
    std::vector<Rival> rivals;
    for (std::size_t i = 0; i < strategies.size(); ++i)
      rivals.push_back(timed(
          [=, this] { prepare(*stores[i], argument); },
          [=, this, &results] { results[i] = operate(*stores[i], argument); }));
    for (const Rival &rival : rivals)
      rival(); // not counted: caches and page tables settle
    const std::vector<Standing> standings = input.compete(
        rivals, fmt::format("{} threads, {}, {}", threads, name, operation));
    for (std::size_t i = 0; i < strategies.size(); ++i) {
      if (results[i] != results.front())
        throw Error(fmt::format("{}, {}: compiled as '{}' it returns {}, "
                                "expected {}",
                                name, operation, strategies[i].name, results[i],
                                results.front()));
      input.rows.push_back(
          input.row("strategies", threads)
              .add("store", name)
              .add("operation", operation)
              .add("version", strategies[i].name)
              .add("ns_per_operation",
                   standings[i].seconds * 1e9 / static_cast<double>(count))
              .add("speed", standings[i].speed));
    }
    fmt::print(fmt::runtime(Line), input.name, threads, name, operation,
               fmt::format("{:.1f}", standings.front().seconds * 1e9 /
                                         static_cast<double>(count)));
    for (std::size_t i = 1; i < standings.size(); ++i)
      fmt::print("{:>13.2f}", standings[i].speed);
    fmt::print("\n");
    std::fflush(stdout);
  }

  const FigureInput &input;
  EdgeSamples samples;
  const char *name = "";
  std::array<std::unique_ptr<TestedStore>, strategies.size()> stores;
};

void measure(const FigureInput &input) {
  if (input.graph.edgeCount() > 0)
    StrategyMeasurement(input).run();
}

} // namespace

std::vector<std::string> dynamicStores() {
  std::vector<std::string> names;
  for (const auto &[name, maker] : storeMakers)
    names.push_back(name);
  return names;
}

Figure strategiesFigure() {
  return {.name = "strategies",
          .description = "GastCoCo's figure 14: requests, interleaving, both",
          .header = header(),
          .measure = measure,
          .usualScales = {22},
          .usualDegrees = {16}};
}

} // namespace heddle::bench
