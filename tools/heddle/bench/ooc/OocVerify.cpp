//===- OocVerify.cpp - Results against those of the graph in memory ------===//

#include "OocRun.h"

#include "../../command/Error.h"

#include "heddle/graph/ReadGraph.h"
#include "heddle/graph/SignalSlot.h"
#include "heddle/graph/messages/PageRank.h"
#include "heddle/graph/verify/BreadthFirstSearch.h"
#include "heddle/graph/verify/ConnectedComponents.h"
#include "heddle/graph/verify/ShortestPaths.h"

#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <vector>

namespace heddle::bench {

namespace {

using Graph = graph::Csr<std::uint32_t>;
using Weighted = graph::Csr<std::uint32_t, std::int32_t>;

/// Reads one value a line; "-" is `none`.
template <typename T>
std::vector<T> readValues(const std::string &path, T none) {
  std::ifstream file(path);
  std::vector<T> values;
  for (std::string line; std::getline(file, line);) {
    T value = none;
    const char *end = line.data() + line.size();
    if (line != "-" && std::from_chars(line.data(), end, value).ptr != end)
      throw Error(fmt::format("expected a value, found '{}'", line));
    values.push_back(value);
  }
  return values;
}

graph::Violation verifyRanks(const Graph &graph, const Program &program,
                             const std::string &path) {
  // Sums in single precision depend on their order.
  constexpr float Tolerance = 1e-3f;
  const auto found = readValues<float>(path, 0);
  if (found.size() != graph.vertexCount())
    return graph::detail::wrongSize(graph.vertexCount(), found.size());
  graph::SignalSlot engine(graph);
  pageRankByMessages(engine, program.pageRank);
  const auto &rank = engine.vertexArray<float>("rank");
  for (std::uint32_t v = 0; v < graph.vertexCount(); ++v)
    if (!(std::abs(found[v] - rank[v]) <= Tolerance * rank[v]))
      return graph::detail::wrongValue(v, "rank", rank[v], found[v]);
  return {};
}

graph::Violation verifyValues(const Program &program,
                              const std::string &graphPath,
                              const std::string &path) {
  using Distance = graph::DistanceOf<std::int32_t>;
  const auto source = static_cast<std::uint32_t>(program.source.value_or(0));
  if (program.algorithm == "sssp")
    return verifyShortestPaths(graph::readGraph<std::uint32_t, std::int32_t>(
                                   graphPath, {.randomWeightSeed = 1}),
                               source,
                               readValues(path, graph::Unreachable<Distance>));
  const Graph graph = graph::readGraph(graphPath);
  if (program.algorithm == "pagerank")
    return verifyRanks(graph, program, path);
  if (program.algorithm == "components")
    return verifyConnectedComponents(graph, readValues<std::uint32_t>(path, 0));
  return verifyBreadthFirstSearch(
      graph, source, readValues(path, graph::NoVertex<std::uint32_t>));
}

} // namespace

void verifyOoc(const Program &program, const std::string &graphPath,
               const std::string &valuesPath) {
  if (const auto violation = verifyValues(program, graphPath, valuesPath))
    throw Error(fmt::format("wrong result: {}", *violation));
}

} // namespace heddle::bench
