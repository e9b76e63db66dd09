//===- acyclic.cpp - The acyclic graph behind a graph ---------------------===//
//
// Strongly connected components by Kosaraju and Sharir: finish order of a
// depth-first search, then the reversed graph searched in the opposite order.
//
//===----------------------------------------------------------------------===//

#include "input.h"

#include "heddle/graph/detail/Build.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace {

/// Vertices in the order in which a depth-first search leaves them.
std::vector<int32_t> finishOrder(const Csr &graph) {
  std::vector<int32_t> order, path;
  std::vector<int64_t> position(graph.rowStart,
                                graph.rowStart + graph.vertices);
  std::vector<bool> seen(graph.vertices);
  order.reserve(graph.vertices);
  for (int32_t root = 0; root < graph.vertices; ++root) {
    if (seen[root])
      continue;
    seen[root] = true;
    path.push_back(root);
    while (!path.empty()) {
      int32_t u = path.back();
      if (position[u] == graph.rowStart[u + 1]) {
        order.push_back(u);
        path.pop_back();
        continue;
      }
      int32_t v = graph.column[position[u]++];
      if (!seen[v]) {
        seen[v] = true;
        path.push_back(v);
      }
    }
  }
  return order;
}

/// Numbers the strongly connected components; returns how many there are.
int32_t groupByCycle(const Csr &out, const Csr &in,
                     std::vector<int32_t> &group) {
  std::vector<int32_t> order = finishOrder(out), stack;
  std::fill(group.begin(), group.end(), -1);
  int32_t groups = 0;
  for (auto root = order.rbegin(); root != order.rend(); ++root) {
    if (group[*root] >= 0)
      continue;
    group[*root] = groups;
    stack.push_back(*root);
    while (!stack.empty()) {
      int32_t v = stack.back();
      stack.pop_back();
      for (int64_t e = in.rowStart[v]; e < in.rowStart[v + 1]; ++e) {
        int32_t u = in.column[e];
        if (group[u] >= 0)
          continue;
        group[u] = groups;
        stack.push_back(u);
      }
    }
    ++groups;
  }
  return groups;
}

} // namespace

AcyclicGraph makeAcyclic(const Graph &graph) {
  const Csr out = graph.out();
  AcyclicGraph acyclic;
  heddle::graph::EdgeList<uint32_t, int32_t> list;
  list.vertexCount = graph.rows.vertexCount();
  if (!graph.isUndirected()) {
    acyclic.group.resize(out.vertices);
    list.vertexCount = groupByCycle(out, graph.in(), acyclic.group);
  }
  // Counted first: half of the edges of an undirected graph, and those within a
  // component, are dropped, and the list is the largest array of all.
  auto groupOf = [&](int32_t v) {
    return graph.isUndirected() ? v : acyclic.group[v];
  };
  auto isKept = [&](int32_t u, int32_t v) {
    return graph.isUndirected() ? u < v : groupOf(u) != groupOf(v);
  };
  std::vector<int64_t> begin(size_t(out.vertices) + 1);
#pragma omp parallel for schedule(dynamic, 1024)
  for (int32_t u = 0; u < out.vertices; ++u)
    begin[u + 1] = std::count_if(out.column + out.rowStart[u],
                                 out.column + out.rowStart[u + 1],
                                 [&](int32_t v) { return isKept(u, v); });
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  list.edges = Array<Edge>(begin.back());
#pragma omp parallel for schedule(dynamic, 1024)
  for (int32_t u = 0; u < out.vertices; ++u)
    for (int64_t e = out.rowStart[u], to = begin[u]; e < out.rowStart[u + 1];
         ++e)
      if (isKept(u, out.column[e]))
        list.edges[to++] = {uint32_t(groupOf(u)),
                            uint32_t(groupOf(out.column[e])), 0};
  acyclic.rows = heddle::graph::buildCsr(list);
  return acyclic;
}
