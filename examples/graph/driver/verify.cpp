//===- verify.cpp - Independent solutions to check against ----------------===//

#include "verify.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <numeric>
#include <queue>
#include <span>

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

std::vector<int32_t> depths(const Csr &graph, int32_t source) {
  std::vector<int32_t> depth(graph.vertices, -1);
  std::queue<int32_t> queue;
  depth[source] = 0;
  queue.push(source);
  while (!queue.empty()) {
    int32_t u = queue.front();
    queue.pop();
    for (int32_t v : neighbours(graph, u)) {
      if (depth[v] >= 0)
        continue;
      depth[v] = depth[u] + 1;
      queue.push(v);
    }
  }
  return depth;
}

Verdict checkParents(const Csr &graph, int32_t source,
                     const std::vector<int32_t> &depth, const int32_t *parent) {
  if (parent[source] != source)
    return Fault{source, "the source is not its own parent"};
  for (int32_t v = 0; v < graph.vertices; ++v) {
    int32_t u = parent[v];
    if (v == source)
      continue;
    if (depth[v] < 0 && u != -1)
      return Fault{v, fmt::format("out of reach, but has parent {}", u)};
    if (depth[v] < 0)
      continue;
    if (!isVertex(graph, u) || !hasEdge(graph, u, v))
      return Fault{v, fmt::format("no edge leads here from parent {}", u)};
    if (depth[u] + 1 != depth[v])
      return Fault{v, fmt::format("at depth {}, but parent {} is at depth {}",
                                  depth[v], u, depth[u])};
  }
  return {};
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
      return Fault{static_cast<int32_t>(v),
                   fmt::format("distance {} where {} is right", distance[v],
                               expected[v])};
  return {};
}

Verdict checkRanks(const Csr &graph, const double *rank, double tolerance) {
  constexpr double Damping = 0.85;
  int32_t n = graph.vertices;
  double dangling = 0, sum = 0;
  std::vector<double> next(n);
  for (int32_t u = 0; u < n; ++u) {
    auto row = neighbours(graph, u);
    sum += rank[u];
    if (row.empty())
      dangling += rank[u];
    for (int32_t v : row)
      next[v] += rank[u] / static_cast<double>(row.size());
  }
  double error = 0, largest = -1;
  int32_t worst = 0;
  for (int32_t v = 0; v < n; ++v) {
    double expected = (1 - Damping) / n + Damping * (next[v] + dangling / n);
    double difference = std::fabs(expected - rank[v]);
    error += difference;
    if (!(difference <= largest)) {
      largest = difference;
      worst = v;
    }
  }
  if (error <= tolerance && std::fabs(sum - 1) <= tolerance)
    return {};
  return Fault{worst, fmt::format("worst of the ranks, which sum to {} and are "
                                  "off by {:.2e}, more than {:.0e}",
                                  sum, error, tolerance)};
}

std::vector<int32_t> lowestConnected(const Csr &graph) {
  std::vector<int32_t> above(graph.vertices);
  std::iota(above.begin(), above.end(), 0);
  auto find = [&](int32_t v) {
    while (above[v] != v)
      v = above[v] = above[above[v]];
    return v;
  };
  for (int32_t u = 0; u < graph.vertices; ++u) {
    for (int32_t v : neighbours(graph, u)) {
      int32_t a = find(u), b = find(v);
      above[std::max(a, b)] = std::min(a, b);
    }
  }
  for (int32_t v = 0; v < graph.vertices; ++v)
    above[v] = find(v);
  return above;
}

Verdict checkLabels(const std::vector<int32_t> &expected,
                    const int32_t *label) {
  for (size_t v = 0; v < expected.size(); ++v)
    if (label[v] != expected[v])
      return Fault{static_cast<int32_t>(v),
                   fmt::format("in component {} where {} is right", label[v],
                               expected[v])};
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
  const Csr out = graph.out;
  if (!graph.undirected)
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
    return Fault{last, fmt::format("ends a chain of {} links where {} is right",
                                   length, expected)};
  int32_t links = 0;
  for (int32_t v = last; v >= 0; v = predecessor[v]) {
    int32_t u = predecessor[v];
    if (++links > length ||
        (u >= 0 && (!isVertex(acyclic, u) || !hasEdge(acyclic, u, v))))
      return Fault{v, fmt::format("the chain breaks after {} links", links)};
  }
  if (links != length)
    return Fault{last, fmt::format("the chain to here has {} links, not {}",
                                   links, length)};
  return {};
}
