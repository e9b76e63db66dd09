//===- Scheduling.cpp - Figures 5 and 6: chunks of edges ------------------===//
//
// One pull step of PageRank over compressed sparse rows. Threads take chunks
// of edges, and the chunks vary from 100 to a million. The traditional engine
// adds to its destinations with atomics; the same engine without them is wrong
// as soon as two threads update one destination, as in the paper, and only
// shows the cost of atomics; the plain nest shows Heddle's version.
//
//===----------------------------------------------------------------------===//

#include "Figures.h"
#include "PhaseLoops.h"
#include "TraditionalPull.h"

#include <cstdio>
#include <fmt/format.h>
#include <omp.h>

namespace heddle::bench {

namespace {

constexpr const char *Line = "{:<24}{:>8}{:>9}";

std::string header() {
  return "Scheduler awareness (figures 5 and 6): one pull step; speed relative "
         "to the\ntraditional engine (1.00). Without atomics, that is wrong on "
         "several threads.\n\n" +
         fmt::format(fmt::runtime(Line), "graph", "threads", "chunk") +
         fmt::format("{:>13}{:>13}{:>13}\n", "traditional", "no atomics",
                     "heddle") +
         fmt::format("{:>41}{:>13}", "edges", "ns/edge");
}

void measureChunk(const FigureInput &input, int threads, std::int64_t chunk,
                  const graph::Array<float> &contributions,
                  const graph::Array<double> &expected) {
  const graph::Csr<>::Rows &rows = input.graph.inRows();
  graph::Array<float> sums(input.graph.vertexCount());
  const auto clear = [&] {
#pragma omp parallel for
    for (std::size_t v = 0; v < sums.size(); ++v)
      sums[v] = 0;
  };
  const auto check = [&](const char *version) {
    return [&, version] { checkSums(version, sums, expected); };
  };
  const std::vector<FigureVersion> versions = {
      {"traditional",
       timed(clear,
             [&] {
               pullTraditional<Synchronization::Atomic>(
                   rows, contributions.data(), sums.data(), chunk);
             }),
       check("traditional")},
      {"traditional-without-atomics",
       timed(clear,
             [&] {
               pullTraditional<Synchronization::None>(
                   rows, contributions.data(), sums.data(), chunk);
             })},
      {"heddle",
       timed(clear,
             [&] {
               pull<Code::Scalar>(input.graph, contributions.data(),
                                  sums.data(), chunk);
             }),
       check("heddle")}};
  const std::vector<Standing> standings = input.compete(
      versions, fmt::format("{} threads, chunks of {}", threads, chunk));
  const auto edges = static_cast<double>(input.graph.edgeCount());
  input.addRows(input.row("scheduling", threads).add("chunk_edges", chunk),
                versions, standings, "ns_per_edge", edges);
  fmt::print(fmt::runtime(Line), input.name, threads, chunk);
  fmt::print("{:>13.2f}{:>13.2f}{:>13.2f}\n",
             standings[0].seconds * 1e9 / edges, standings[1].speed,
             standings[2].speed);
  std::fflush(stdout);
}

void measure(const FigureInput &input) {
  if (input.graph.edgeCount() == 0)
    return;
  const auto contributions = contributionsOf<float>(input.graph);
  const auto expected = expectedSums(input.graph);
  for (const int threads : input.options.threads) {
    omp_set_num_threads(threads);
    for (const std::int64_t chunk : input.options.chunks)
      measureChunk(input, threads, chunk, contributions, expected);
  }
}

} // namespace

Figure schedulingFigure() {
  return {.name = "scheduling",
          .description = "figures 5 and 6: pulling with atomics against "
                         "scheduler awareness",
          .header = header(),
          .measure = measure,
          .usualScales = {20},
          .usualDegrees = {16}};
}

} // namespace heddle::bench
