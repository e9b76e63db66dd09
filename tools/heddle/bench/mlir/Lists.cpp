//===- Lists.cpp - Rows that are linked lists -----------------------------===//
//
// The sum of the values of each vertex's edges, which are nodes at random
// addresses: an unmarked loop of scf, and one with the mark of
// heddle-mark-gathers.
//
//===----------------------------------------------------------------------===//

#include "../../command/Error.h"
#include "../Random.h"
#include "MemRef.h"
#include "MlirFigures.h"

#include "heddle/graph/detail/Array.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <omp.h>

namespace heddle::bench {

extern "C" {
using ListsKernel = void(MemRef<std::uint32_t> *first,
                         MemRef<std::uint32_t> *after, MemRef<float> *values,
                         MemRef<float> *sums);
ListsKernel heddle_bench_lists_unmarked, heddle_bench_lists_marked;
}

namespace {

constexpr const char *Line = "{:<24}{:>8}{:>14}{:>10}\n";

std::string header() {
  return "Rows that are linked lists: a loop in MLIR, and the same loop as "
         "heddle-mark-gathers\nmarks it; speed relative to the unmarked one "
         "(1.00).\n\n" +
         fmt::format(fmt::runtime(Line), "graph", "threads", "unmarked ns",
                     "marked");
}

class Lists {
public:
  explicit Lists(const FigureInput &input)
      : input(input), first(input.graph.vertexCount()),
        after(input.graph.edgeCount()), values(input.graph.edgeCount()),
        sums(input.graph.vertexCount()) {
    constexpr std::uint32_t End = ~std::uint32_t(0);
    const Permutation places(input.graph.edgeCount());
    std::uint64_t edge = 0;
    for (std::uint32_t v = 0; v < input.graph.vertexCount(); ++v) {
      std::uint32_t *link = &first[v];
      for (const auto [source, weight] : input.graph.inEdges(v)) {
        const auto node = static_cast<std::uint32_t>(places(edge++));
        values[node] = float(1 + source % 1024) / 1024;
        *link = node;
        link = &after[node];
      }
      *link = End;
    }
  }

  void measure(int threads) {
    const auto versionOf = [this](const char *name,
                                  ListsKernel *kernel) -> FigureVersion {
      return {name,
              timed([this] { std::ranges::fill(sums, float(NAN)); },
                    [this, kernel] {
                      MemRef heads(first);
                      MemRef links(after);
                      MemRef terms(values);
                      MemRef results(sums);
                      kernel(&heads, &links, &terms, &results);
                    }),
              [this, name] { check(name); }};
    };
    const std::vector<FigureVersion> versions = {
        versionOf("unmarked", heddle_bench_lists_unmarked),
        versionOf("marked", heddle_bench_lists_marked)};
    const std::vector<Standing> standings =
        input.compete(versions, fmt::format("{} threads", threads));
    const double edges = static_cast<double>(input.graph.edgeCount());
    input.addRows(input.row("lists", threads), versions, standings,
                  "ns_per_edge", edges);
    fmt::print(fmt::runtime(Line), input.name, threads,
               fmt::format("{:.2f}", standings[0].seconds * 1e9 / edges),
               fmt::format("{:.2f}", standings[1].speed));
    std::fflush(stdout);
  }

private:
  void check(const char *version) const {
    for (std::uint32_t v = 0; v < sums.size(); ++v) {
      float expected = 0;
      for (const auto [source, weight] : input.graph.inEdges(v))
        expected += float(1 + source % 1024) / 1024;
      if (sums[v] != expected)
        throw Error(fmt::format("version {} computes {} for vertex {}, "
                                "expected {}",
                                version, sums[v], v, expected));
    }
  }

  const FigureInput &input;
  graph::Array<std::uint32_t> first, after;
  graph::Array<float> values, sums;
};

void measure(const FigureInput &input) {
  if (input.graph.edgeCount() == 0)
    return;
  if (input.graph.edgeCount() > ~std::uint32_t(0))
    throw Error(fmt::format("{}: {} edges are too many for links of 32 "
                            "bits",
                            input.name, input.graph.edgeCount()));
  input.progress.show("linking the rows");
  Lists lists(input);
  for (const int threads : input.options.threads) {
    omp_set_num_threads(threads);
    lists.measure(threads);
  }
}

} // namespace

Figure listsFigure() {
  return {.name = "lists",
          .description = "rows that are linked lists: unmarked loops against "
                         "marked ones",
          .header = header(),
          .measure = measure,
          .usualScales = {22},
          .usualDegrees = {8}};
}

} // namespace heddle::bench
