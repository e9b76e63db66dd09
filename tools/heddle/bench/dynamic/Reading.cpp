//===- Reading.cpp - The cost of dynamic stores for readers ---------------===//
//
// The library's algorithms on Csr and on the stores that can be changed, right
// after loading and after many updates.
//
//===----------------------------------------------------------------------===//

#include "Churn.h"
#include "DynamicFigures.h"
#include "EdgeSamples.h"

#include "../../command/Error.h"

#include "heddle/graph/RandomWeights.h"
#include "heddle/graph/ToCBList.h"
#include "heddle/graph/ToCpmaGraph.h"
#include "heddle/graph/algorithms/BreadthFirstSearch.h"
#include "heddle/graph/algorithms/ConnectedComponents.h"
#include "heddle/graph/algorithms/PageRank.h"
#include "heddle/graph/algorithms/ShortestPaths.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <omp.h>

namespace heddle::bench {

namespace {

using graph::CBList;
using graph::CpmaGraph;
using graph::Csr;
using graph::Graph;
using graph::Unweighted;

constexpr const char *Line = "{:<24}{:>8}  {:<12}{:<12}";

std::string header() {
  return "Reading: on Csr, the time of an algorithm per edge, in nanoseconds, "
         "and the memory\nper edge, in bytes; on the other stores, both "
         "relative to Csr: after loading, after\nupdates that end in the same "
         "graph, and after compact() of cblist.\n\n" +
         fmt::format(fmt::runtime(Line), "graph", "threads", "operation",
                     "state") +
         fmt::format("{:>10}{:>10}{:>10}\n{:>66}", "csr", "cblist", "cpma",
                     "an edge");
}

template <graph::EdgeWeight Weight>
std::size_t bytesOf(const Csr<std::uint32_t, Weight> &graph) {
  const auto rows = [](const auto &rows) {
    return rows.offsets.size() * sizeof(std::uint64_t) +
           rows.targets.size() * sizeof(std::uint32_t) +
           rows.weights.size() * sizeof(Weight);
  };
  return rows(graph.outRows()) +
         (graph.isDirected() ? rows(graph.inRows()) : 0);
}

std::size_t bytesOf(const auto &graph) { return graph.bytes(); }

// Algorithms return a number by which wrong results show.

constexpr auto runPageRank = [](const auto &graph, std::uint32_t) {
  return static_cast<double>(
      pageRank(graph, {.tolerance = 0, .iterations = 5}).rank[0]);
};

constexpr auto runBreadthFirst = [](const auto &graph, std::uint32_t source) {
  double reached = 0;
  for (const std::uint32_t parent : breadthFirstSearch(graph, source))
    reached += parent != graph::NoVertex<std::uint32_t>;
  return reached;
};

constexpr auto runComponents = [](const auto &graph, std::uint32_t) {
  double sum = 0;
  for (const std::uint32_t component : connectedComponents(graph))
    sum += component;
  return sum;
};

constexpr auto runShortestPaths = [](const auto &graph, std::uint32_t source) {
  double sum = 0;
  for (const auto distance : shortestPaths(graph, source))
    sum += static_cast<double>(distance);
  return sum;
};

template <graph::EdgeWeight Weight> class ReadingMeasurement {
public:
  ReadingMeasurement(const FigureInput &input,
                     const Csr<std::uint32_t, Weight> &csr)
      : input(input), csr(csr), source(EdgeSamples(input.graph).source()) {
    input.progress.show("building the stores");
    cblist = toCBList<CBList<std::uint32_t, Weight>>(csr);
    cpma = toCpmaGraph<CpmaGraph<std::uint32_t, Weight>>(csr);
  }

  void run() {
    measureState("loaded");
    if (input.options.churn == 0)
      return;
    const std::size_t batch = input.options.batches.back();
    omp_set_num_threads(input.options.threads.back());
    churn(cblist, csr, input.options.churn, batch, announce("cblist"));
    churn(cpma, csr, input.options.churn, batch, announce("cpma"));
    measureState("churned");
    cblist.compact();
    measureState("compacted");
  }

private:
  static constexpr std::array Stores = {"csr", "cblist", "cpma"};
  static constexpr bool IsWeighted = !std::same_as<Weight, Unweighted>;

  auto announce(const char *store) {
    return [this, store](double done) {
      input.progress.show(
          fmt::format("updates of {}, {:.0f}%", store, 100 * done));
    };
  }

  void measureState(const char *state) {
    report(0, IsWeighted ? "bytes+w" : "bytes", state,
           {static_cast<double>(bytesOf(csr)),
            static_cast<double>(bytesOf(cblist)),
            static_cast<double>(bytesOf(cpma))});
    for (const int threads : input.options.threads) {
      omp_set_num_threads(threads);
      if constexpr (IsWeighted) {
        compare(threads, "sssp", state, runShortestPaths);
      } else {
        compare(threads, "pagerank", state, runPageRank);
        compare(threads, "bfs", state, runBreadthFirst);
        compare(threads, "components", state, runComponents);
      }
    }
  }

  void compare(int threads, const char *operation, const char *state,
               const auto &algorithm) {
    std::array<double, 3> results = {};
    const auto versionOf = [&](std::size_t i, const auto &graph) {
      return FigureVersion{
          Stores[i],
          timed([] {},
                [&, i, this] { results[i] = algorithm(graph, source); })};
    };
    const std::vector<Standing> standings = input.compete(
        {versionOf(0, csr), versionOf(1, cblist), versionOf(2, cpma)},
        fmt::format("{} threads, {}, {}", threads, operation, state));
    // The order in which ranks add up may differ.
    constexpr double Tolerance = 1e-3;
    for (const double result : results)
      if (!(std::abs(result - results[0]) <= Tolerance * results[0]))
        throw Error(fmt::format("{}, {}: found {}, expected {} as on csr",
                                operation, state, result, results[0]));
    report(threads, operation, state,
           {standings[0].seconds, standings[0].seconds / standings[1].speed,
            standings[0].seconds / standings[2].speed});
  }

  /// Reports the time of an operation for each store.
  void report(int threads, const char *operation, const char *state,
              const std::array<double, 3> &taken) {
    for (std::size_t i = 0; i < taken.size(); ++i)
      input.rows.push_back(input.row("reading", threads)
                               .add("operation", operation)
                               .add("state", state)
                               .add("store", Stores[i])
                               .add("ratio", taken[i] / taken[0]));
    input.progress.clear();
    fmt::print(fmt::runtime(Line), input.name, threads, operation, state);
    const double edges = static_cast<double>(csr.edgeCount());
    fmt::print("{:>10.2f}{:>10.2f}{:>10.2f}\n",
               taken[0] / edges * (threads > 0 ? 1e9 : 1), taken[1] / taken[0],
               taken[2] / taken[0]);
    std::fflush(stdout);
  }

  const FigureInput &input;
  const Csr<std::uint32_t, Weight> &csr;
  const std::uint32_t source;
  CBList<std::uint32_t, Weight> cblist;
  CpmaGraph<std::uint32_t, Weight> cpma;
};

graph::Csr<> copyOf(const graph::Csr<> &graph) {
  const auto copy = [](const graph::Csr<>::Rows &rows) {
    graph::Csr<>::Rows result;
    result.offsets = graph::Array<std::uint64_t>(rows.offsets.size());
    std::ranges::copy(rows.offsets, result.offsets.begin());
    result.targets = graph::Array<std::uint32_t>(rows.targets.size());
    std::ranges::copy(rows.targets, result.targets.begin());
    return result;
  };
  if (!graph.isDirected())
    return graph::Csr<>(copy(graph.outRows()));
  return {copy(graph.outRows()), copy(graph.inRows())};
}

void measure(const FigureInput &input) {
  if (input.graph.edgeCount() == 0)
    return;
  ReadingMeasurement<Unweighted>(input, input.graph).run();
  const auto weighted = graph::withRandomWeights(copyOf(input.graph));
  ReadingMeasurement<std::int32_t>(input, weighted).run();
}

} // namespace

Figure readingFigure() {
  return {.name = "reading",
          .description = "algorithms and memory against Csr, before and after "
                         "updates",
          .header = header(),
          .measure = measure,
          .usualScales = {22},
          .usualDegrees = {16}};
}

} // namespace heddle::bench
