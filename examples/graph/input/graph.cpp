//===- graph.cpp - Graphs from edges and from generators ------------------===//

#include "input.h"

#include "heddle/graph/Generate.h"
#include "heddle/graph/RandomWeights.h"
#include "heddle/graph/ToCsr.h"
#include "output/ProgressBar.h"

#include <fmt/format.h>
#include <fstream>

Graph buildGraph(std::string name, const EdgeList &edges, bool undirected) {
  Graph graph;
  graph.name = std::move(name);
  graph.rows = heddle::graph::buildCsr(
      edges, {.directed = !undirected, .dropSelfLoops = true});
  return graph;
}

/// Refuses a graph that would not fit, rather than be killed for it.
static void checkMemory(int scale, uint64_t edges) {
  // The rows, and those of the acyclic graph behind them while it is built.
  constexpr double BytesPerEdge = 40;
  const double needed = BytesPerEdge * static_cast<double>(edges);
  std::ifstream file("/proc/meminfo");
  std::string word;
  while (file >> word && word != "MemAvailable:") {
  }
  if (double kilobytes; file >> kilobytes && needed > kilobytes * 1024)
    throw InputError(fmt::format(
        "a graph of scale {} needs {:.1f} GB of memory, {:.1f} GB are free",
        scale, needed / 1e9, kilobytes * 1024 / 1e9));
}

Graph generate(const std::string &kind, int scale) {
  constexpr uint64_t Degree = 16;
  const uint64_t vertices = uint64_t(1) << scale;
  const uint64_t count = Degree * vertices;
  checkMemory(scale, count);
  Graph graph;
  graph.name = fmt::format("{} {}", kind, scale);
  heddle::ProgressBar bar("Generating " + graph.name,
                          heddle::ProgressUnit::Edges);
  const auto edges =
      kind == "kronecker"
          ? heddle::graph::generateKronecker(
                {static_cast<unsigned>(scale), Degree, Seed})
          : heddle::graph::generateUniform({vertices, count, Seed});
  bar(count / 3, count); // they are to be sorted and weighted as well
  auto rows = heddle::graph::buildCsr(
      edges, {.directed = false, .dropSelfLoops = true});
  bar(2 * count / 3, count);
  graph.rows = heddle::graph::withRandomWeights<int32_t>(std::move(rows), Seed);
  return graph;
}
