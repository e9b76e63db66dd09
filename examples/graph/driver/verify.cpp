//===- verify.cpp - Independent solutions to check against ----------------===//

#include "verify.h"

#include "heddle/graph/verify/BreadthFirstSearch.h"
#include "heddle/graph/verify/ConnectedComponents.h"
#include "heddle/graph/verify/PageRank.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <queue>
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

std::vector<int64_t> dijkstra(const Csr &graph, int32_t source) {
  std::vector<int64_t> distance(graph.vertices, INT64_MAX);
  using Entry = std::pair<int64_t, int32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> heap;
  distance[source] = 0;
  heap.push({0, source});
  while (!heap.empty()) {
    auto [reached, u] = heap.top();
    heap.pop();
    if (reached != distance[u])
      continue;
    for (int64_t e = graph.rowStart[u]; e < graph.rowStart[u + 1]; ++e) {
      int32_t v = graph.column[e];
      int64_t candidate = reached + graph.weight[e];
      if (candidate >= distance[v])
        continue;
      distance[v] = candidate;
      heap.push({candidate, v});
    }
  }
  return distance;
}

Verdict checkDistances(const std::vector<int64_t> &expected,
                       const int64_t *distance) {
  for (size_t v = 0; v < expected.size(); ++v)
    if (distance[v] != expected[v])
      return heddle::graph::detail::wrongValue(v, "distance", expected[v],
                                               distance[v]);
  return {};
}

namespace {

/// Tarjan's strongly connected components, with a stack of its own in place of
/// recursion. Groups come out in reverse topological order, so the longest
/// chain from each is known as soon as the group is complete.
class LongestPath {
public:
  explicit LongestPath(const Csr &graph)
      : graph(graph), order(graph.vertices, -1), low(graph.vertices),
        position(graph.vertices), length(graph.vertices) {}

  int32_t run() {
    for (int32_t v = 0; v < graph.vertices; ++v)
      if (order[v] < 0)
        visit(v);
    return length.empty() ? 0 : *std::max_element(length.begin(), length.end());
  }

private:
  void enter(int32_t v) {
    order[v] = low[v] = counter++;
    position[v] = graph.rowStart[v];
    open.push_back(v);
    path.push_back(v);
  }

  void visit(int32_t root) {
    enter(root);
    while (!path.empty()) {
      int32_t v = path.back();
      if (position[v] < graph.rowStart[v + 1]) {
        int32_t w = graph.column[position[v]++];
        if (order[w] < 0)
          enter(w);
        else if (length[w] == 0) // still open
          low[v] = std::min(low[v], order[w]);
        continue;
      }
      path.pop_back();
      if (!path.empty())
        low[path.back()] = std::min(low[path.back()], low[v]);
      if (low[v] == order[v])
        close(v);
    }
  }

  void close(int32_t v) {
    auto group = std::find(open.rbegin(), open.rend(), v).base() - 1;
    int32_t longest = 0;
    for (auto member = group; member != open.end(); ++member)
      for (int32_t w : neighbours(graph, *member))
        longest = std::max(longest, length[w]);
    for (auto member = group; member != open.end(); ++member)
      length[*member] = longest + 1;
    open.erase(group, open.end());
  }

  const Csr graph;
  std::vector<int32_t> order, low;
  std::vector<int64_t> position;
  std::vector<int32_t> length; // of the longest chain from here; 0 while open
  std::vector<int32_t> open, path;
  int32_t counter = 0;
};

} // namespace

int32_t longestChainLength(const Graph &graph) {
  const Csr out = graph.out();
  if (!graph.isUndirected())
    return LongestPath(out).run();
  // Edges lead from lower to higher vertices: go through them from the top.
  std::vector<int32_t> length(out.vertices, 1);
  int32_t longest = 0;
  for (int32_t u = out.vertices - 1; u >= 0; --u) {
    for (int32_t v : neighbours(out, u))
      if (v > u)
        length[u] = std::max(length[u], length[v] + 1);
    longest = std::max(longest, length[u]);
  }
  return longest;
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
