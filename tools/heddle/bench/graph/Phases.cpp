//===- Phases.cpp - Figure 10: the gain of vectors, by phase --------------===//
//
// The phases of a PageRank iteration over Vector-Sparse, each compiled without
// vector code and with it.
//
//===----------------------------------------------------------------------===//

#include "Figures.h"
#include "PhaseLoops.h"

#include "heddle/graph/ToVectorSparse.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <omp.h>

namespace heddle::bench {

namespace {

constexpr const char *Line = "{:<24}{:>8}{:>10}  {:<10}";

std::string header() {
  return "Vectorisation (figure 10): each phase of PageRank over "
         "Vector-Sparse; "
         "speed\nof vector code relative to scalar code (1.00).\n\n" +
         fmt::format(fmt::runtime(Line), "graph", "threads", "lanes", "phase") +
         fmt::format("{:>10}{:>10}\n{:>54}", "scalar", "vector", "ns");
}

/// Measures the phases on one store.
template <typename Store, typename Value> class PhaseMeasurement {
public:
  explicit PhaseMeasurement(const FigureInput &input)
      : input(input), graph(graph::toVectorSparse<Store>(input.graph)),
        contributions(contributionsOf<Value>(graph)), sums(graph.vertexCount()),
        ranks(graph.vertexCount()), nextContributions(graph.vertexCount()) {}

  void measure(int threads, const graph::Array<double> &expected) {
    this->threads = threads;
    // Grazelle's 32 chunks a thread.
    const std::int64_t chunk = std::max<std::int64_t>(
        1, static_cast<std::int64_t>(graph.edgeCount() / (32u * threads)));
    const auto nothing = [] {};
    const auto clear = [this] {
#pragma omp parallel for
      for (std::size_t v = 0; v < sums.size(); ++v)
        sums[v] = 0;
    };
    // NaN in all sums that a pull might leave out.
    const auto spoil = [this] { std::ranges::fill(sums, Value(NAN)); };

    const double edges = static_cast<double>(graph.edgeCount());
    const Rival pulls[] = {
        timed(spoil,
              [=, this] {
                pull<Code::Scalar>(graph, contributions.data(), sums.data(),
                                   chunk);
              }),
        timed(spoil, [=, this] {
          pull<Code::Vector>(graph, contributions.data(), sums.data(), chunk);
        })};
    compare("edge-pull", pulls, edges, &expected);
    const Rival pushes[] = {
        timed(clear,
              [this] {
                push<Code::Scalar>(graph, contributions.data(), sums.data());
              }),
        timed(clear, [this] {
          push<Code::Vector>(graph, contributions.data(), sums.data());
        })};
    compare("edge-push", pushes, edges, &expected);
    const Rival updates[] = {
        timed(nothing,
              [this] {
                updateVertices<Code::Scalar>(sums.size(), sums.data(),
                                             contributions.data(), ranks.data(),
                                             nextContributions.data());
              }),
        timed(nothing, [this] {
          updateVertices<Code::Vector>(sums.size(), sums.data(),
                                       contributions.data(), ranks.data(),
                                       nextContributions.data());
        })};
    compare("vertex", updates, static_cast<double>(sums.size()), nullptr);
  }

private:
  /// `rivals`: scalar and vector code.
  void compare(const char *phase, const Rival (&rivals)[2], double operations,
               const graph::Array<double> *expected) {
    const char *names[] = {"scalar", "vector"};
    // These runs are not timed: caches and page tables settle.
    for (std::size_t i = 0; i < 2; ++i) {
      rivals[i]();
      if (expected)
        checkSums(names[i], sums, *expected);
    }
    const std::string lanes =
        fmt::format("{} x {}", Store::Layout::Lanes, Store::Layout::LaneBits);
    const std::vector<Standing> standings = input.compete(
        {std::begin(rivals), std::end(rivals)},
        fmt::format("{} threads, {} lanes, {}", threads, lanes, phase));
    for (std::size_t i = 0; i < 2; ++i)
      input.rows.push_back(
          input.row("phases", threads)
              .add("lanes", Store::Layout::Lanes)
              .add("lane_bits", Store::Layout::LaneBits)
              .add("phase", phase)
              .add("version", names[i])
              .add("ns_per_operation", standings[i].seconds * 1e9 / operations)
              .add("speed", standings[i].speed));
    fmt::print(fmt::runtime(Line), input.name, threads, lanes, phase);
    fmt::print("{:>10.2f}{:>10.2f}\n", standings[0].seconds * 1e9 / operations,
               standings[1].speed);
    std::fflush(stdout);
  }

  const FigureInput &input;
  const Store graph;
  const graph::Array<Value> contributions;
  graph::Array<Value> sums, ranks, nextContributions;
  int threads = 1;
};

template <typename Store, typename Value>
void measureStore(const FigureInput &input,
                  const graph::Array<double> &expected) {
  input.progress.show("building the store");
  PhaseMeasurement<Store, Value> measurement(input);
  for (const int threads : input.options.threads) {
    omp_set_num_threads(threads);
    measurement.measure(threads, expected);
  }
}

void measure(const FigureInput &input) {
  if (input.graph.edgeCount() == 0)
    return;
  using graph::VectorSparse;
  const auto expected = expectedSums(input.graph);
  measureStore<VectorSparse<std::uint64_t, 4>, double>(input, expected);
  measureStore<VectorSparse<std::uint64_t, 8>, double>(input, expected);
  measureStore<VectorSparse<std::uint32_t, 8>, float>(input, expected);
  measureStore<VectorSparse<std::uint32_t, 16>, float>(input, expected);
}

} // namespace

Figure phasesFigure() {
  return {.name = "phases",
          .description = "figure 10: scalar against vector code, by phase",
          .header = header(),
          .measure = measure,
          .usualScales = {20},
          .usualDegrees = {16}};
}

} // namespace heddle::bench
