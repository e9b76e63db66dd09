//===- verify.cpp - Independent solutions to check against ----------------===//

#include "verify.h"

#include "heddle/graph/verify/BreadthFirstSearch.h"
#include "heddle/graph/verify/ConnectedComponents.h"
#include "heddle/graph/verify/PageRank.h"

#include <algorithm>
#include <fmt/format.h>
#include <span>

/// Vertices as the library has them, for which -1 is no vertex either.
static std::span<const uint32_t> vertices(const Array<int32_t> &values) {
  return {reinterpret_cast<const uint32_t *>(values.data()), values.size()};
}

Verdict checkParents(const Graph &graph, int32_t source,
                     const Array<int32_t> &parent) {
  return heddle::graph::verifyBreadthFirstSearch(
      graph.rows, static_cast<uint32_t>(source), vertices(parent));
}

Verdict checkRanks(const Graph &graph, const Array<double> &rank,
                   double tolerance) {
  constexpr double Damping = 0.85;
  return heddle::graph::verifyPageRank(graph.rows, rank, Damping, tolerance);
}

Verdict checkLabels(const Graph &graph, const Array<int32_t> &label) {
  return heddle::graph::verifyConnectedComponents(graph.rows, vertices(label));
}

static std::span<const int32_t> neighbours(const Csr &graph, int32_t v) {
  return {graph.column + graph.rowStart[v],
          graph.column + graph.rowStart[v + 1]};
}

static bool hasEdge(const Csr &graph, int32_t from, int32_t to) {
  auto row = neighbours(graph, from);
  return std::binary_search(row.begin(), row.end(), to);
}

static bool isVertex(const Csr &graph, int32_t v) {
  return v >= 0 && v < graph.vertices;
}

int32_t longestChainLength(const Csr &acyclic) {
  std::vector<int32_t> length(acyclic.vertices, 1);
  for (int32_t u = acyclic.vertices - 1; u >= 0; --u)
    for (int32_t v : neighbours(acyclic, u))
      length[u] = std::max(length[u], length[v] + 1);
  return length.empty() ? 0 : std::ranges::max(length);
}

Verdict checkChain(const Csr &acyclic, int32_t expected, int32_t length,
                   int32_t last, const int32_t *predecessor) {
  if (length != expected)
    return fmt::format("expected a chain of {} links, found one of {}",
                       expected, length);
  int32_t links = 0;
  for (int32_t v = last; v >= 0; v = predecessor[v]) {
    int32_t u = predecessor[v];
    if (++links > length ||
        (u >= 0 && (!isVertex(acyclic, u) || !hasEdge(acyclic, u, v))))
      return fmt::format("expected a chain of {} links, found that it breaks "
                         "after {}",
                         length, links);
  }
  if (links != length)
    return fmt::format("expected a chain of {} links, found only {} to its end",
                       length, links);
  return {};
}
