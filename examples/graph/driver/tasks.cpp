//===- tasks.cpp - The algorithms as tasks --------------------------------===//

#include "task.h"

#include "heddle/graph/verify/ShortestPaths.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace {

/// "a -> b -> c", on as many lines as it takes; the middle of a very long path
/// is left out.
std::string path(std::vector<std::string> steps) {
  constexpr size_t Width = 100, MostSteps = 100;
  if (steps.size() > MostSteps) {
    size_t left = (steps.size() - MostSteps) + 1;
    auto middle = steps.begin() + MostSteps / 2;
    *middle = fmt::format("... {} more ...", left);
    steps.erase(middle + 1, middle + left);
  }
  std::string text = "  ";
  size_t column = 2;
  for (const std::string &step : steps) {
    bool isFirst = &step == &steps.front();
    if (column + step.size() > Width && !isFirst) {
      text += "\n    ";
      column = 4;
    }
    text += (isFirst ? "" : "-> ") + step + ' ';
    column += step.size() + 4;
  }
  text.back() = '\n';
  return text;
}

Frontier frontierIn(Array<int32_t> &memory) { return {memory.data(), 0}; }

class BfsTask : public Task {
public:
  BfsTask(const Graph &graph, int32_t source)
      : graph(graph), source(source), parent(graph.vertices()),
        first(graph.vertices()), second(graph.vertices()) {}

  std::string name() const override { return "bfs"; }

  void run(const Algorithms &algorithms) override {
    algorithms.bfs(graph.out(), source, parent.data(), frontierIn(first),
                   frontierIn(second));
  }

  Verdict check() override { return checkParents(graph, source, parent); }

  std::string findings() const override {
    const std::vector<int32_t> depth = depths();
    auto farthest = std::max_element(depth.begin(), depth.end());
    int64_t reached = std::count_if(depth.begin(), depth.end(),
                                    [](int32_t d) { return d >= 0; });
    std::vector<std::string> steps;
    for (auto v = static_cast<int32_t>(farthest - depth.begin()); v != source;
         v = parent[v])
      steps.push_back(graph.vertexName(v));
    steps.push_back(graph.vertexName(source));
    std::reverse(steps.begin(), steps.end());
    return fmt::format(
        "From {}, {} {} can be reached; the farthest is {} steps "
        "away:\n{}",
        graph.vertexName(source), reached - 1, graph.vertexNoun(), *farthest,
        path(steps));
  }

private:
  /// How many parents are between each vertex and the source, or -1.
  std::vector<int32_t> depths() const {
    std::vector<int32_t> depth(parent.size(), -1), way;
    depth[source] = 0;
    for (int32_t v = 0; v < graph.vertices(); ++v) {
      int32_t known = v;
      for (; known >= 0 && depth[known] < 0; known = parent[known])
        way.push_back(known);
      for (; !way.empty(); way.pop_back())
        if (known >= 0) {
          depth[way.back()] = depth[known] + 1;
          known = way.back();
        }
    }
    return depth;
  }

  const Graph &graph;
  int32_t source;
  Array<int32_t> parent, first, second;
};

class ShortestPathsTask : public Task {
public:
  ShortestPathsTask(const Graph &graph, int32_t source, int64_t delta)
      : graph(graph), source(source), delta(delta ? delta : usualDelta(graph)),
        distance(graph.vertices()), isChanged(zeros<uint8_t>(graph.vertices())),
        isFar(zeros<uint8_t>(graph.vertices())) {
    for (Array<int32_t> &list : lists)
      list = Array<int32_t>(graph.vertices());
  }

  std::string name() const override { return "sssp"; }

  void run(const Algorithms &algorithms) override {
    algorithms.shortestPaths(graph.out(), source, delta, distance.data(),
                             {frontierIn(lists[0]), frontierIn(lists[1]),
                              frontierIn(lists[2]), frontierIn(lists[3]),
                              isChanged.data(), isFar.data()});
  }

  Verdict check() override {
    // Sums of weights may need more bits than weights have.
    if (expected.empty())
      expected = heddle::graph::detail::dijkstra<int64_t>(
          graph.rows, static_cast<uint32_t>(source));
    return heddle::graph::detail::checkDistances<int64_t>(expected, distance);
  }

  std::string findings() const override {
    int64_t farthest = source;
    for (int64_t v = 0; v < graph.vertices(); ++v)
      if (distance[v] != Unreachable && distance[v] > distance[farthest])
        farthest = v;
    return fmt::format("The longest of all shortest paths from {} has length "
                       "{}{} and leads to {}.\n",
                       graph.vertexName(source),
                       static_cast<double>(distance[farthest]) /
                           static_cast<double>(graph.weightScale),
                       graph.weightUnit, graph.vertexName(farthest));
  }

private:
  /// So many vertices become near at once that the threads have work, and so
  /// few that little of it is done twice.
  static int64_t usualDelta(const Graph &graph) {
    const Csr out = graph.out();
    double sum = 0;
    for (int64_t e = 0; e < out.edges(); ++e)
      sum += out.weight[e];
    double edges = std::max<double>(1, out.edges());
    return std::max<int64_t>(
        1, static_cast<int64_t>(4 * (sum / edges) / (edges / out.vertices)));
  }

  const Graph &graph;
  int32_t source;
  int64_t delta;
  Array<int64_t> distance;
  Array<uint8_t> isChanged, isFar;
  Array<int32_t> lists[4];
  std::vector<int64_t> expected;
};

class PageRankTask : public Task {
public:
  explicit PageRankTask(const Graph &graph)
      : graph(graph), rank(graph.vertices()), share(graph.vertices()),
        tolerance(graph.vertices() < (1 << 20) ? 1e-8 : 1e-4) {}

  std::string name() const override { return "pagerank"; }

  void run(const Algorithms &algorithms) override {
    constexpr int MaxRounds = 200;
    rounds = algorithms.pageRank(graph.out(), graph.in(), tolerance, MaxRounds,
                                 rank.data(), share.data());
  }

  Verdict check() override { return checkRanks(graph, rank, tolerance); }

  std::string findings() const override {
    constexpr int64_t Shown = 10;
    std::vector<int32_t> best(rank.size());
    std::iota(best.begin(), best.end(), 0);
    int64_t count = std::min(Shown, int64_t(graph.vertices()));
    std::partial_sort(best.begin(), best.begin() + count, best.end(),
                      [&](int32_t a, int32_t b) {
                        return rank[a] != rank[b] ? rank[a] > rank[b] : a < b;
                      });
    std::string text =
        graph.packages.empty()
            ? fmt::format("Highest PageRank, after {} rounds:\n", rounds)
            : fmt::format("Most depended-upon packages, by PageRank after {} "
                          "rounds:\n",
                          rounds);
    const Csr in = graph.in();
    for (int64_t i = 0; i < count; ++i)
      text += fmt::format("  {:2}. {:<28} {:<10.3g} {} direct\n", i + 1,
                          graph.vertexName(best[i]), rank[best[i]],
                          in.degree(best[i]));
    return text;
  }

private:
  const Graph &graph;
  Array<double> rank, share;
  double tolerance;
  int rounds = 0;
};

class ComponentsTask : public Task {
public:
  explicit ComponentsTask(const Graph &graph)
      : graph(graph), label(graph.vertices()) {}

  std::string name() const override { return "components"; }

  void run(const Algorithms &algorithms) override {
    algorithms.components(graph.out(), label.data());
  }

  Verdict check() override { return checkLabels(graph, label); }

  std::string findings() const override {
    std::vector<int64_t> members(label.size());
    for (int32_t component : label)
      ++members[component];
    int64_t components = std::count_if(members.begin(), members.end(),
                                       [](int64_t m) { return m > 0; });
    return fmt::format("{} connected components; the largest holds {} of {} "
                       "{}.\n",
                       components,
                       *std::max_element(members.begin(), members.end()),
                       label.size(), graph.vertexNoun());
  }

private:
  const Graph &graph;
  Array<int32_t> label;
};

class LongestChainTask : public Task {
public:
  explicit LongestChainTask(const Graph &graph)
      : graph(graph), acyclic(makeAcyclic(graph)), inDegree(acyclic.vertices()),
        left(acyclic.vertices()), predecessor(acyclic.vertices()),
        first(acyclic.vertices()), second(acyclic.vertices()) {
    for (int32_t v = 0; v < acyclic.vertices(); ++v)
      inDegree[v] = static_cast<int32_t>(acyclic.rows.inDegree(v));
  }

  std::string name() const override { return "chain"; }

  void prepare() override {
    std::copy(inDegree.begin(), inDegree.end(), left.begin());
  }

  void run(const Algorithms &algorithms) override {
    length =
        algorithms.longestChain(acyclic.out(), left.data(), predecessor.data(),
                                frontierIn(first), frontierIn(second));
  }

  Verdict check() override {
    if (expected == 0)
      expected = longestChainLength(acyclic.out());
    return checkChain(acyclic.out(), expected, length, first[0],
                      predecessor.data());
  }

  std::string findings() const override;

private:
  const Graph &graph;
  AcyclicGraph acyclic;
  Array<int32_t> inDegree, left, predecessor, first, second;
  int32_t length = 0, expected = 0;
};

std::string LongestChainTask::findings() const {
  // One member stands for its whole cycle.
  std::vector<int32_t> member(acyclic.vertices(), -1);
  std::vector<int32_t> size(acyclic.vertices());
  for (int32_t v = 0; v < graph.vertices(); ++v) {
    int32_t group = acyclic.group.empty() ? v : acyclic.group[v];
    if (size[group]++ == 0)
      member[group] = v;
  }
  std::vector<std::string> links;
  for (int32_t v = first[0]; v >= 0; v = predecessor[v])
    links.push_back(size[v] == 1 ? graph.vertexName(member[v])
                                 : fmt::format("{} (in a cycle with {} more)",
                                               graph.vertexName(member[v]),
                                               size[v] - 1));
  std::reverse(links.begin(), links.end());
  std::string text =
      fmt::format("The longest {}chain has {} links{}",
                  graph.packages.empty() ? "" : "dependency ", length,
                  graph.isUndirected()
                      ? ", every edge taken from its lower to its higher end"
                      : ", a cycle counted as one");
  if (graph.isUndirected())
    return text + ".\n";
  return fmt::format("{}:\n{}", text, path(links));
}

} // namespace

const std::vector<std::string> &taskNames() {
  static const std::vector<std::string> names = {"bfs", "sssp", "pagerank",
                                                 "components", "chain"};
  return names;
}

std::unique_ptr<Task> makeTask(const std::string &name, const Graph &graph,
                               const TaskOptions &options) {
  if (name == "bfs")
    return std::make_unique<BfsTask>(graph, options.source);
  if (name == "sssp")
    return std::make_unique<ShortestPathsTask>(graph, options.source,
                                               options.delta);
  if (name == "pagerank")
    return std::make_unique<PageRankTask>(graph);
  if (name == "components")
    return std::make_unique<ComponentsTask>(graph);
  return std::make_unique<LongestChainTask>(graph);
}
