//===- ProcessTest.cpp - Programs over vertices and edges -----------------===//

#include "heddle/graph/Process.h"
#include "heddle/graph/Update.h"
#include "heddle/graph/verify/BreadthFirstSearch.h"
#include "heddle/graph/verify/PageRank.h"
#include "support/InputFile.h"
#include "support/SampleGraphs.h"

#include <cmath>
#include <set>

namespace {

using namespace heddle::graph;
using namespace heddle::test;

TEST(Process, BreadthFirstSearch) {
  forEachSample<std::uint32_t>([](const auto &graph) {
    constexpr std::uint32_t none = NoVertex<std::uint32_t>;
    for (const std::uint32_t source : sampleSources(graph)) {
      VertexArray<std::uint32_t> parent(graph.vertexCount(), none);
      Frontier<> frontier(graph.vertexCount()), next(graph.vertexCount());
      parent[source] = source;
      frontier.insert(source);
      std::uint32_t found = 1;
      while (found != 0) {
        next.clearDense();
        found = processEdges(
            graph,
            [&](std::uint32_t v, auto edges) -> std::uint32_t {
              if (parent[v] != none)
                return 0;
              for (const auto [candidate, weight] : edges)
                if (frontier.bitmap().test(candidate)) {
                  parent[v] = candidate;
                  next.bitmap().set(v);
                  return 1;
                }
              return 0;
            },
            [&](std::uint32_t v, auto edges) {
              std::uint32_t children = 0;
              for (const auto [child, weight] : edges)
                if (claimShared(parent[child], none, v)) {
                  next.bitmap().setShared(child);
                  ++children;
                }
              return children;
            },
            frontier);
        std::swap(frontier, next);
      }
      EXPECT_EQ(verifyBreadthFirstSearch(graph, source, parent), std::nullopt);
    }
  });
}

TEST(Process, PageRank) {
  forEachSample<std::uint32_t>([](const auto &graph) {
    const std::uint32_t vertices = graph.vertexCount();
    const double share = 1.0 / vertices;
    VertexArray<double> rank(vertices, share), sent(vertices),
        arrived(vertices);
    Frontier<> all(vertices);
    for (std::uint32_t v = 0; v < vertices; ++v)
      all.insert(v);
    double change = 1;
    while (change > 1e-9) {
      const double dangling = processVertices(graph, [&](std::uint32_t v) {
        const auto degree = static_cast<double>(graph.outDegree(v));
        sent[v] = rank[v] / degree;
        arrived[v] = 0;
        return degree == 0 ? rank[v] : 0;
      });
      processEdges(
          graph,
          [&](std::uint32_t v, auto edges) {
            for (const auto [source, weight] : edges)
              arrived[v] += sent[source];
            return 0;
          },
          [&](std::uint32_t v, auto edges) {
            for (const auto [target, weight] : edges)
              addShared(arrived[target], sent[v]);
            return 0;
          },
          all);
      change = processVertices(
          graph,
          [&](std::uint32_t v) {
            const double before = rank[v];
            rank[v] = (0.15 + 0.85 * dangling) * share + 0.85 * arrived[v];
            return std::abs(rank[v] - before);
          },
          all);
    }
    EXPECT_EQ(verifyPageRank(graph, rank, 0.85, 1e-9), std::nullopt);
  });
}

TEST(Process, ChoosesTheFormThatHasLessToDo) {
  const Csr<> graph = buildCsr(generateGrid(1, 1000));
  Frontier<> active(graph.vertexCount());
  const auto calls = [&] {
    return processEdges(
        graph, [](std::uint32_t, auto) { return 1; },
        [](std::uint32_t, auto) { return 1; }, active);
  };
  active.insert(5);
  EXPECT_EQ(calls(), 1);
  EXPECT_FALSE(active.isDense());
  for (std::uint32_t v = 100; v < 200; ++v)
    active.insert(v);
  EXPECT_EQ(calls(), 1000);
  EXPECT_TRUE(active.isDense());
}

TEST(Process, LoadsGraphs) {
  const InputFile file("graph.txt", "0 1\n1 2\n");
  EXPECT_EQ(loadGraph(file.path).edgeCount(), 2u);
  EXPECT_EQ(loadGraph(file.path, {.directed = false}).edgeCount(), 4u);
  EXPECT_THROW(loadGraph("/there/is/no/such/file"), Error);
}

/// The simplest graph that can change.
class Adjacency {
public:
  using VertexId = std::uint32_t;
  using EdgeId = std::uint64_t;
  using Weight = Unweighted;
  using Edges = std::set<VertexId>;

  VertexId vertexCount() const { return static_cast<VertexId>(out.size()); }
  EdgeId edgeCount() const {
    EdgeId count = 0;
    for (const auto &edges : out)
      count += edges.size();
    return count;
  }
  bool isDirected() const { return true; }
  EdgeId outDegree(VertexId v) const { return out[v].size(); }
  EdgeId inDegree(VertexId v) const { return inEdges(v).size(); }
  std::vector<Neighbour<VertexId, Weight>> outEdges(VertexId v) const {
    std::vector<Neighbour<VertexId, Weight>> edges;
    for (const VertexId target : out[v])
      edges.push_back({target, {}});
    return edges;
  }
  std::vector<Neighbour<VertexId, Weight>> inEdges(VertexId v) const {
    std::vector<Neighbour<VertexId, Weight>> edges;
    for (VertexId source = 0; source < vertexCount(); ++source)
      if (out[source].contains(v))
        edges.push_back({source, {}});
    return edges;
  }

  bool updateVertex(VertexId, UpdateMode mode) {
    if (mode != UpdateMode::Add)
      return false;
    out.emplace_back();
    return true;
  }
  bool updateEdge(EdgeUpdate<VertexId, Weight> update) {
    Edges &edges = out[update.edge.from];
    return update.mode == UpdateMode::Add ? edges.insert(update.edge.to).second
                                          : edges.erase(update.edge.to) != 0;
  }
  std::size_t
  updateEdges(std::span<const EdgeUpdate<VertexId, Weight>> updates) {
    std::size_t done = 0;
    for (const auto &update : updates)
      done += updateEdge(update);
    return done;
  }

private:
  std::vector<Edges> out;
};

static_assert(UpdatableGraph<Adjacency>);
static_assert(!UpdatableGraph<Csr<>>);

/// A program that changes a graph, for all stores that can.
std::size_t connect(UpdatableGraph auto &graph) {
  graph.updateVertex(0, UpdateMode::Add);
  graph.updateVertex(1, UpdateMode::Add);
  const EdgeUpdate<std::uint32_t, Unweighted> updates[] = {
      {{0, 1, {}}, UpdateMode::Add},
      {{1, 0, {}}, UpdateMode::Add},
      {{0, 1, {}}, UpdateMode::Add},
      {{1, 0, {}}, UpdateMode::Delete}};
  return graph.updateEdges(updates);
}

TEST(Update, ProgramsRunOnStoresThatChange) {
  Adjacency graph;
  EXPECT_EQ(connect(graph), 3u);
  EXPECT_EQ(graph.edgeCount(), 1u);
  EXPECT_EQ(processVertices(graph,
                            [&](std::uint32_t v) { return graph.inDegree(v); }),
            1u);
}

} // namespace
