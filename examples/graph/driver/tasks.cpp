//===- tasks.cpp - The algorithms as tasks --------------------------------===//

#include "task.h"

#include "../input/acyclic.h"

#include "command/GroupSizes.h"
#include "heddle/graph/VertexArray.h"
#include "heddle/graph/verify/BreadthFirstSearch.h"
#include "heddle/graph/verify/ConnectedComponents.h"
#include "heddle/graph/verify/PageRank.h"
#include "heddle/graph/verify/ShortestPaths.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <ranges>
#include <span>
#include <utility>

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

/// Vertices as the library has them, for which -1 is no vertex either.
std::span<const uint32_t> asVertices(const Array<int32_t> &values) {
  return {reinterpret_cast<const uint32_t *>(values.data()), values.size()};
}

class Bfs : public Task {
public:
  using Task::Task;

  void run(const Algorithms &algorithms) override {
    algorithms.bfs(graph.out(), source, parent.data(), frontierIn(first),
                   frontierIn(second));
  }

  Verdict check() override {
    return verifyBreadthFirstSearch(graph.rows, source, asVertices(parent));
  }

  std::string findings() const override {
    const auto depth = heddle::graph::detail::depthsFrom(graph.rows, source);
    const auto farthest = std::ranges::max_element(depth);
    const auto reached =
        std::ranges::count_if(depth, [](int64_t d) { return d >= 0; });
    std::vector<std::string> steps;
    for (auto v = static_cast<int32_t>(farthest - depth.begin()); v != source;
         v = parent[v])
      steps.push_back(graph.vertexName(v));
    steps.push_back(graph.vertexName(source));
    std::ranges::reverse(steps);
    return fmt::format(
        "From {}, {} {} can be reached; the farthest is {} steps away:\n{}",
        graph.vertexName(source), reached - 1, graph.vertexNoun(), *farthest,
        path(steps));
  }

private:
  Array<int32_t> parent{vertices}, first{vertices}, second{vertices};
};

class ShortestPaths : public Task {
public:
  ShortestPaths(const Graph &graph, const TaskOptions &options)
      : Task(graph, options),
        delta(options.delta ? options.delta : usualDelta(graph.out())) {}

  void run(const Algorithms &algorithms) override {
    algorithms.shortestPaths(graph.out(), source, delta, distance.data(),
                             {frontierIn(near), frontierIn(far),
                              frontierIn(nextFar), frontierIn(changed),
                              isChanged.data(), isFar.data()});
  }

  Verdict check() override {
    // Sums of weights may need more bits than weights have.
    if (expected.empty())
      expected = heddle::graph::detail::dijkstra<int64_t>(graph.rows, source);
    return heddle::graph::detail::compareValues("distance", expected, distance);
  }

  std::string findings() const override {
    size_t farthest = source;
    for (size_t v = 0; v < vertices; ++v)
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
  static int64_t usualDelta(const Csr &out) {
    const double sum =
        std::accumulate(out.weight, out.weight + out.edges(), 0.0);
    const double edges = std::max<double>(1, out.edges());
    return std::max<int64_t>(
        1, static_cast<int64_t>(4 * (sum / edges) / (edges / out.vertices)));
  }

  const int64_t delta;
  Array<int64_t> distance{vertices};
  Array<int32_t> near{vertices}, far{vertices}, nextFar{vertices},
      changed{vertices};
  heddle::graph::VertexArray<uint8_t> isChanged{vertices, 0},
      isFar{vertices, 0};
  std::vector<int64_t> expected;
};

class PageRank : public Task {
public:
  using Task::Task;

  void run(const Algorithms &algorithms) override {
    constexpr int MaxRounds = 200;
    rounds = algorithms.pageRank(graph.out(), graph.in(), tolerance, MaxRounds,
                                 rank.data(), share.data());
  }

  Verdict check() override {
    constexpr double Damping = 0.85;
    return verifyPageRank(graph.rows, rank, Damping, tolerance);
  }

  std::string findings() const override {
    constexpr size_t Shown = 10;
    std::vector<int32_t> best(vertices);
    std::iota(best.begin(), best.end(), 0);
    const auto shown = best.begin() + std::min(Shown, vertices);
    std::partial_sort(best.begin(), shown, best.end(),
                      [&](int32_t a, int32_t b) {
                        return rank[a] != rank[b] ? rank[a] > rank[b] : a < b;
                      });
    std::string text = fmt::format(
        "{} after {} rounds:\n",
        graph.packages.empty() ? "Highest PageRank,"
                               : "Most depended-upon packages, by PageRank",
        rounds);
    for (auto v = best.begin(); v != shown; ++v)
      text += fmt::format("  {:2}. {:<28} {:<10.3g} {} direct\n",
                          v - best.begin() + 1, graph.vertexName(*v), rank[*v],
                          graph.rows.inDegree(*v));
    return text;
  }

private:
  Array<double> rank{vertices}, share{vertices};
  const double tolerance = vertices < (1 << 20) ? 1e-8 : 1e-4;
  int rounds = 0;
};

class Components : public Task {
public:
  using Task::Task;

  void run(const Algorithms &algorithms) override {
    algorithms.components(graph.out(), label.data());
  }

  Verdict check() override {
    return verifyConnectedComponents(graph.rows, asVertices(label));
  }

  std::string findings() const override {
    const heddle::GroupSizes sizes = heddle::groupSizes(label);
    return fmt::format("{} connected components; the largest holds {} of {} "
                       "{}.\n",
                       sizes.count, sizes.largest, vertices,
                       graph.vertexNoun());
  }

private:
  Array<int32_t> label{vertices};
};

class LongestChain : public Task {
public:
  using Task::Task;

  void prepare() override {
    for (size_t v = 0; v < inDegree.size(); ++v)
      inDegree[v] = static_cast<int32_t>(acyclic.rows.inDegree(v));
  }

  void run(const Algorithms &algorithms) override {
    length = algorithms.longestChain(acyclic.out(), inDegree.data(),
                                     predecessor.data(), frontierIn(first),
                                     frontierIn(second));
  }

  Verdict check() override {
    return checkChain(acyclic.out(), expected, length, first[0],
                      predecessor.data());
  }

  std::string findings() const override {
    // One member stands for its whole cycle.
    std::vector<int32_t> member(inDegree.size()), size(inDegree.size());
    for (size_t v = vertices; v-- > 0;) {
      member[acyclic.group[v]] = v;
      ++size[acyclic.group[v]];
    }
    std::vector<std::string> links;
    for (int32_t v = first[0]; v >= 0; v = predecessor[v]) {
      links.push_back(graph.vertexName(member[v]));
      if (size[v] > 1)
        links.back() += fmt::format(" (in a cycle with {} more)", size[v] - 1);
    }
    std::ranges::reverse(links);
    const std::string text =
        fmt::format("The longest {}chain has {} links",
                    graph.packages.empty() ? "" : "dependency ", length);
    if (graph.isUndirected())
      return text + ", every edge taken from its lower to its higher end.\n";
    return fmt::format("{}, a cycle counted as one:\n{}", text, path(links));
  }

private:
  const AcyclicGraph acyclic = makeAcyclic(graph);
  const int32_t expected = longestChainLength(acyclic.out());
  Array<int32_t> inDegree{acyclic.rows.vertexCount()},
      predecessor{inDegree.size()}, first{inDegree.size()},
      second{inDegree.size()};
  int32_t length = 0;
};

using Maker = std::unique_ptr<Task> (*)(const Graph &, const TaskOptions &);

template <typename T>
std::unique_ptr<Task> make(const Graph &graph, const TaskOptions &options) {
  return std::make_unique<T>(graph, options);
}

constexpr std::pair<const char *, Maker> Makers[] = {
    {"bfs", make<Bfs>},
    {"sssp", make<ShortestPaths>},
    {"pagerank", make<PageRank>},
    {"components", make<Components>},
    {"chain", make<LongestChain>}};

} // namespace

std::vector<std::string> taskNames() {
  const auto names = std::views::keys(Makers);
  return {names.begin(), names.end()};
}

std::unique_ptr<Task> makeTask(const std::string &name, const Graph &graph,
                               const TaskOptions &options) {
  return std::ranges::find(Makers, name, &std::pair<const char *, Maker>::first)
      ->second(graph, options);
}
