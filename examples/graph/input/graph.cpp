//===- graph.cpp - A graph, its names and its rows ------------------------===//

#include "input.h"

#include "heddle/graph/detail/Build.h"

#include <charconv>
#include <fmt/format.h>

Csr viewOf(const heddle::graph::CsrRows<uint32_t, int32_t> &rows) {
  // Numbers with a sign and without have the same representation, and none is
  // so high that it differs.
  return {static_cast<int32_t>(rows.offsets.size() - 1),
          reinterpret_cast<const int64_t *>(rows.offsets.data()),
          reinterpret_cast<const int32_t *>(rows.targets.data()),
          rows.weights.data()};
}

Graph buildGraph(std::string name, int32_t vertices, Array<Edge> edges,
                 bool undirected) {
  heddle::graph::EdgeList<uint32_t, int32_t> list;
  list.vertexCount = static_cast<uint32_t>(vertices);
  list.edges = std::move(edges);
  Graph graph;
  graph.name = std::move(name);
  graph.rows = heddle::graph::buildCsr(
      list, {.directed = !undirected, .dropSelfLoops = true});
  return graph;
}

std::string Graph::vertexName(int32_t v) const {
  if (!packages.empty())
    return packages[v];
  return fmt::format("{}", numbers.empty() ? v : numbers[v]);
}

int32_t Graph::findVertex(const std::string &name) const {
  if (!packages.empty()) {
    auto at = std::find(packages.begin(), packages.end(), name);
    return at == packages.end() ? -1
                                : static_cast<int32_t>(at - packages.begin());
  }
  int32_t number = -1;
  auto [end, error] =
      std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc() || end != name.data() + name.size())
    return -1;
  if (numbers.empty())
    return number >= 0 && number < vertices() ? number : -1;
  auto at = std::lower_bound(numbers.begin(), numbers.end(), number);
  return at == numbers.end() || *at != number
             ? -1
             : static_cast<int32_t>(at - numbers.begin());
}
