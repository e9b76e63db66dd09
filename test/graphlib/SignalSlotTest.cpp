//===- SignalSlotTest.cpp - Programs of signals and slots -----------------===//

#include "heddle/graph/SignalSlot.h"
#include "heddle/graph/algorithms/Distance.h"
#include "heddle/graph/verify/PageRank.h"
#include "heddle/graph/verify/ShortestPaths.h"
#include "support/SampleGraphs.h"

#include <cmath>
#include <optional>

namespace {

using namespace heddle::graph;
using namespace heddle::test;

/// DFOGraph's figure 2b.
template <Graph Store>
VertexArray<float> &shortestPathsByMessages(SignalSlot<Store> &engine,
                                            typename Store::VertexId source) {
  using VertexId = typename Store::VertexId;
  auto &distance = engine.template vertexArray<float>("distance");
  auto &active = engine.template vertexArray<bool>("active");
  engine.processVertices(
      [&](VertexId v) {
        active[v] = v == source;
        distance[v] = v == source ? 0 : Unreachable<float>;
        return 0;
      },
      {distance, active});
  int updates;
  do
    updates = engine.processEdges(
        [&](VertexId v) {
          active[v] = false;
          return std::optional(distance[v]);
        },
        {distance, active},
        [&](float message, VertexId, VertexId to, float weight) {
          if (message + weight >= distance[to])
            return 0;
          active[to] = true;
          distance[to] = message + weight;
          return 1;
        },
        {distance, active}, &active);
  while (updates != 0);
  return distance;
}

TEST(SignalSlot, ShortestPathsOfThePaper) {
  forEachSample<std::uint32_t, float>([](const auto &graph) {
    SignalSlot engine(graph);
    for (const std::uint32_t source : sampleSources(graph))
      EXPECT_EQ(verifyShortestPaths(graph, source,
                                    shortestPathsByMessages(engine, source)),
                std::nullopt);
  });
}

TEST(SignalSlot, PageRank) {
  forEachSample<std::uint64_t>([](const auto &graph) {
    SignalSlot engine(graph);
    auto &rank = engine.template vertexArray<double>("rank");
    auto &arrived = engine.template vertexArray<double>("arrived");
    const auto share = 1.0 / static_cast<double>(graph.vertexCount());
    rank.fill(share);
    double change = 1;
    while (change > 1e-9) {
      arrived.fill(0);
      const double dangling = engine.processVertices(
          [&](std::uint64_t v) {
            return graph.outDegree(v) == 0 ? rank[v] : 0;
          },
          {rank});
      engine.processEdges(
          [&](std::uint64_t v) {
            return std::optional(rank[v] /
                                 static_cast<double>(graph.outDegree(v)));
          },
          {rank},
          [&](double message, std::uint64_t, std::uint64_t to, Unweighted) {
            arrived[to] += message;
            return 0;
          },
          {arrived});
      change = engine.processVertices(
          [&](std::uint64_t v) {
            const double before = rank[v];
            rank[v] = (0.15 + 0.85 * dangling) * share + 0.85 * arrived[v];
            return std::abs(rank[v] - before);
          },
          {rank, arrived});
    }
    EXPECT_EQ(verifyPageRank(graph, rank, 0.85, 1e-9), std::nullopt);
  });
}

TEST(SignalSlot, OnlyActiveVerticesWorkAndSignal) {
  const Csr<> graph = buildCsr(generateGrid(1, 100));
  SignalSlot engine(graph);
  auto &active = engine.vertexArray<bool>("active");
  active.fill(false);
  active[3] = active[50] = active[99] = true;
  EXPECT_EQ(
      engine.processVertices([](std::uint32_t v) { return v; }, {}, &active),
      3u + 50 + 99);
  // 50 is active but has nothing to say; 99 has no edges.
  EXPECT_EQ(engine.processEdges(
                [](std::uint32_t v) {
                  return v == 50 ? std::nullopt : std::optional(v * 2);
                },
                {},
                [](std::uint32_t message, std::uint32_t from, std::uint32_t to,
                   Unweighted) {
                  EXPECT_EQ(from, 3u);
                  EXPECT_EQ(to, 4u);
                  return message;
                },
                {}, &active),
            6u);
}

TEST(SignalSlot, ArraysHaveNamesAndTypes) {
  const Csr<> graph = buildCsr(generateGrid(2, 3));
  SignalSlot engine(graph);
  auto &rank = engine.vertexArray<float>("rank");
  EXPECT_EQ(rank.size(), 6u);
  EXPECT_EQ(&engine.vertexArray<float>("rank"), &rank);
  EXPECT_NE(&engine.vertexArray<float>("other"), &rank);
  EXPECT_THROW(engine.vertexArray<double>("rank"), Error);
  const VertexArray<float> foreign(5, 0);
  EXPECT_THROW(
      engine.processVertices([](std::uint32_t) { return 0; }, {foreign}),
      Error);
}

} // namespace
