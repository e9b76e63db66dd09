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
#include <type_traits>

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
    const auto clear = [this] {
#pragma omp parallel for
      for (std::size_t v = 0; v < sums.size(); ++v)
        sums[v] = 0;
    };
    // NaN in all sums that a pull might leave out.
    const auto spoil = [this] { std::ranges::fill(sums, Value(NAN)); };

    const double edges = static_cast<double>(graph.edgeCount());
    compare("edge-pull", edges, &expected, spoil, [=, this](auto code) {
      pull<code>(graph, contributions.data(), sums.data(), chunk);
    });
    compare("edge-push", edges, &expected, clear, [this](auto code) {
      push<code>(graph, contributions.data(), sums.data());
    });
    compare(
        "vertex", static_cast<double>(sums.size()), nullptr, [] {},
        [this](auto code) {
          updateVertices<code>(sums.size(), sums.data(), contributions.data(),
                               ranks.data(), nextContributions.data());
        });
  }

private:
  template <Code code> using Constant = std::integral_constant<Code, code>;

  /// Of scalar and vector code, `work(code)` after `prepare()`.
  void compare(const char *phase, double operations,
               const graph::Array<double> *expected, const auto &prepare,
               const auto &work) {
    const auto versionOf = [&](const char *name, auto code) -> FigureVersion {
      return {name, timed(prepare, [=] { work(code); }), [=, this] {
                if (expected)
                  checkSums(name, sums, *expected);
              }};
    };
    const std::vector<FigureVersion> versions = {
        versionOf("scalar", Constant<Code::Scalar>()),
        versionOf("vector", Constant<Code::Vector>())};
    const std::string lanes =
        fmt::format("{} x {}", Store::Layout::Lanes, Store::Layout::LaneBits);
    const std::vector<Standing> standings =
        input.compete(versions, fmt::format("{} threads, {} lanes, {}", threads,
                                            lanes, phase));
    input.addRows(input.row("phases", threads)
                      .add("lanes", Store::Layout::Lanes)
                      .add("lane_bits", Store::Layout::LaneBits)
                      .add("phase", phase),
                  versions, standings, "ns_per_operation", operations);
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
