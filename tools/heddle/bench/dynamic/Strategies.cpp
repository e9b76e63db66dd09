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
    for (std::size_t i = 0; i < bench_dynamic::plainStores.size(); ++i)
      measureStores(i, source);
  }

private:
  static constexpr std::size_t AllAtOnce = SIZE_MAX;

  /// Of store number `store` in all compilations.
  void measureStores(std::size_t store, const SourceGraph &source) {
    name = bench_dynamic::plainStores[store].name;
    const std::vector<std::string> &wanted = input.options.stores;
    if (!wanted.empty() && std::ranges::find(wanted, name) == wanted.end())
      return;
    input.progress.show(fmt::format("building {}", name));
    for (std::size_t i = 0; i < strategies.size(); ++i)
      stores[i] = strategies[i].stores[store].make(source);
    for (const int threads : input.options.threads) {
      omp_set_num_threads(threads);
      measureAll(threads);
    }
    for (auto &each : stores)
      each.reset();
  }

  void measureAll(int threads) {
    const auto nothing = [](TestedStore &) {};
    const auto find = [](TestedStore &store) { return store.find(); };
    const std::size_t queries = input.options.operations;
    setQueries(samples.present(queries));
    compare(threads, "find", queries, nothing, find);
    setQueries(samples.mixed(queries));
    compare(threads, "find mixed", queries, nothing, find);

    const std::vector<Edge> updates = samples.absent(queries / 2);
    setUpdates(updates);
    for (const std::size_t batch : input.options.batches) {
      compare(
          threads, fmt::format("add {}", batch), updates.size(),
          [](TestedStore &store) { store.erase(AllAtOnce); },
          [=](TestedStore &store) { return store.add(batch); });
      compare(
          threads, fmt::format("erase {}", batch), updates.size(),
          [](TestedStore &store) { store.add(AllAtOnce); },
          [=](TestedStore &store) { return store.erase(batch); });
    }
    const std::uint32_t source = samples.source();
    compare(threads, "traverse", input.graph.edgeCount(), nothing,
            [=](TestedStore &store) { return store.traverse(source); });
  }

  void setQueries(const std::vector<Edge> &edges) {
    for (auto &store : stores)
      store->setQueries(edges);
  }
  void setUpdates(const std::vector<Edge> &edges) {
    for (auto &store : stores)
      store->setUpdates(edges);
  }

  /// What comes before an operation of a store, and the operation, which is
  /// timed and returns the same in all compilations.
  void compare(int threads, const std::string &operation, std::uint64_t count,
               const auto &prepare, const auto &operate) {
    std::array<std::uint64_t, strategies.size()> results = {};
    std::vector<FigureVersion> versions;
    for (std::size_t i = 0; i < strategies.size(); ++i)
      versions.push_back(
          {strategies[i].name,
           timed([=, this] { prepare(*stores[i]); },
                 [=, this, &results] { results[i] = operate(*stores[i]); })});
    const std::vector<Standing> standings = input.compete(
        versions, fmt::format("{} threads, {}, {}", threads, name, operation));
    for (std::size_t i = 0; i < strategies.size(); ++i)
      if (results[i] != results.front())
        throw Error(fmt::format("{}, {}: compiled as '{}' it returns {}, "
                                "expected {}",
                                name, operation, strategies[i].name, results[i],
                                results.front()));
    input.addRows(input.row("strategies", threads)
                      .add("store", name)
                      .add("operation", operation),
                  versions, standings, "ns_per_operation",
                  static_cast<double>(count));
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
  for (const bench_dynamic::NamedStore &store : bench_dynamic::plainStores)
    names.push_back(store.name);
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
