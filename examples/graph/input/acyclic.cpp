//===- acyclic.cpp - The acyclic graph behind a graph ---------------------===//
//
// H. N. Gabow: Path-based depth-first search for strong and biconnected
// components (2000).
//
//===----------------------------------------------------------------------===//

#include "acyclic.h"

#include "heddle/graph/ToCsr.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <span>

namespace {

std::span<const int32_t> neighbours(const Csr &graph, int32_t v) {
  return {graph.column + graph.rowStart[v],
          graph.column + graph.rowStart[v + 1]};
}

bool hasEdge(const Csr &graph, int32_t from, int32_t to) {
  return std::ranges::binary_search(neighbours(graph, from), to);
}

/// Numbers the strongly connected components so that edges lead from lower to
/// higher ones.
std::vector<int32_t> groupByCycle(const Csr &graph) {
  std::vector<int32_t> order(graph.vertices, -1), group(graph.vertices, -1);
  std::vector<int64_t> position(graph.rowStart,
                                graph.rowStart + graph.vertices);
  // The search's path, the vertices that are in no group yet, and those of them
  // that may be the first of a group.
  std::vector<int32_t> path, open, first;
  int32_t entered = 0, groups = 0;
  const auto enter = [&](int32_t v) {
    order[v] = entered++;
    for (std::vector<int32_t> *list : {&path, &open, &first})
      list->push_back(v);
  };
  for (int32_t root = 0; root < graph.vertices; ++root) {
    if (order[root] < 0)
      enter(root);
    while (!path.empty()) {
      const int32_t u = path.back();
      if (position[u] < graph.rowStart[u + 1]) {
        const int32_t v = graph.column[position[u]++];
        if (order[v] < 0)
          enter(v);
        while (group[v] < 0 && order[first.back()] > order[v])
          first.pop_back();
        continue;
      }
      path.pop_back();
      if (first.back() != u)
        continue;
      first.pop_back();
      for (; group[u] < 0; open.pop_back())
        group[open.back()] = groups;
      ++groups;
    }
  }
  // A group is complete after all that its edges lead to.
  for (int32_t &number : group)
    number = groups - 1 - number;
  return group;
}

} // namespace

AcyclicGraph makeAcyclic(const Graph &graph) {
  const Csr out = graph.out();
  AcyclicGraph acyclic;
  if (graph.isUndirected()) {
    acyclic.group.resize(out.vertices);
    std::iota(acyclic.group.begin(), acyclic.group.end(), 0);
  } else {
    acyclic.group = groupByCycle(out);
  }
  heddle::graph::EdgeList<uint32_t> list;
  list.vertexCount = static_cast<uint32_t>(std::ranges::max(acyclic.group) + 1);
  list.edges = Array<heddle::graph::Edge<uint32_t>>(out.edges());
  size_t kept = 0;
  for (int32_t u = 0; u < out.vertices; ++u)
    for (const int32_t v : neighbours(out, u)) {
      const int32_t from = acyclic.group[u], to = acyclic.group[v];
      if (from < to)
        list.edges[kept++] = {
            static_cast<uint32_t>(from), static_cast<uint32_t>(to), {}};
    }
  list.edges.shrink(kept);
  acyclic.rows = heddle::graph::buildCsr(list);
  return acyclic;
}

int32_t longestChainLength(const Csr &acyclic) {
  std::vector<int32_t> length(acyclic.vertices, 1);
  for (int32_t u = acyclic.vertices - 1; u >= 0; --u)
    for (const int32_t v : neighbours(acyclic, u))
      length[u] = std::max(length[u], length[v] + 1);
  return std::ranges::max(length);
}

Verdict checkChain(const Csr &acyclic, int32_t expected, int32_t length,
                   int32_t last, const int32_t *predecessor) {
  if (length != expected)
    return fmt::format("expected a chain of {} links, found one of {}",
                       expected, length);
  int32_t links = 0, v = last;
  for (int32_t next = -1; v >= 0 && v < acyclic.vertices &&
                          (next < 0 || hasEdge(acyclic, v, next));
       v = predecessor[v]) {
    next = v;
    ++links;
  }
  if (links != length || v >= 0)
    return fmt::format("expected a chain of {} links, found that it breaks "
                       "after {}",
                       length, links);
  return {};
}
