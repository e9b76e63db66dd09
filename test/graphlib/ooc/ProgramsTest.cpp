//===- ProgramsTest.cpp - The same programs in memory and on disk ---------===//

#include "../../support/FewOrAll.h"
#include "PreparedGraph.h"

#include "../support/SampleGraphs.h"
#include "heddle/graph/SignalSlot.h"
#include "heddle/graph/algorithms/ConnectedComponents.h"
#include "heddle/graph/algorithms/ShortestPaths.h"
#include "heddle/graph/messages/BreadthFirstSearch.h"
#include "heddle/graph/messages/ConnectedComponents.h"
#include "heddle/graph/messages/PageRank.h"
#include "heddle/graph/messages/ShortestPaths.h"
#include "heddle/graph/verify/BreadthFirstSearch.h"
#include "heddle/graph/verify/PageRank.h"

#include <array>

namespace {

using namespace heddle::graph;
using namespace heddle::test;

void expectPageRank(const PreparedGraph<> &graph,
                    const ooc::EngineOptions &options) {
  ooc::Engine<> engine(graph.path(), options);
  const auto result =
      pageRankByMessages<double>(engine, {.tolerance = 1e-6, .iterations = 99});
  EXPECT_EQ(verifyPageRank(graph.csr, valuesOf<double>(engine, "rank"), 0.85,
                           result.change + 1e-9),
            std::nullopt);
}

void expectBreadthFirst(const PreparedGraph<> &graph, std::uint32_t source,
                        const ooc::EngineOptions &options) {
  ooc::Engine<> engine(graph.path(), options);
  const auto result = breadthFirstByMessages(engine, source);
  EXPECT_EQ(verifyBreadthFirstSearch(graph.csr, source,
                                     valuesOf<std::uint32_t>(engine, "parent")),
            std::nullopt);
  SignalSlot inMemory(graph.csr);
  const auto expected = breadthFirstByMessages(inMemory, source);
  EXPECT_EQ(result.levels, expected.levels);
  EXPECT_EQ(result.reachedVertices, expected.reachedVertices);
}

void expectComponents(const PreparedGraph<> &graph,
                      const ooc::EngineOptions &options) {
  ooc::Engine<> engine(graph.path(), options);
  connectedComponentsByMessages(engine);
  expectValues(engine, "component", connectedComponents(graph.csr));
}

template <typename Weight>
void expectShortestPaths(const PreparedGraph<Weight> &graph,
                         std::uint32_t source,
                         const ooc::EngineOptions &options) {
  ooc::Engine<Weight> engine(graph.path(), options);
  shortestPathsByMessages(engine, source);
  expectValues(engine, "distance", shortestPaths(graph.csr, source));
}

void expectAll(const Csr<> &directed, const Csr<> &undirected,
               const ooc::PrepareOptions &prepare,
               const ooc::EngineOptions &options) {
  const auto copy = [](const Csr<> &graph) {
    EdgeList<> list;
    list.vertexCount = graph.vertexCount();
    list.edges = Array<Edge<std::uint32_t>>(graph.edgeCount());
    std::size_t i = 0;
    for (std::uint32_t v = 0; v < graph.vertexCount(); ++v)
      for (const auto [target, weight] : graph.outEdges(v))
        list.edges[i++] = {v, target, {}};
    return buildCsr(list, {.directed = graph.isDirected()});
  };
  const PreparedGraph oneWay(copy(directed), prepare);
  const PreparedGraph bothWays(copy(undirected), prepare);
  expectPageRank(oneWay, options);
  expectComponents(bothWays, options);
  if (directed.vertexCount() == 0)
    return;
  const std::uint32_t source = directed.vertexCount() / 3;
  expectBreadthFirst(oneWay, source, options);
  expectBreadthFirst(bothWays, source, options);
  expectShortestPaths(PreparedGraph(withRandomWeights(copy(directed)), prepare),
                      source, options);
  expectShortestPaths(
      PreparedGraph(withRandomWeights<float>(copy(undirected), 7), prepare),
      source, options);
}

TEST(Programs, OnSamples) {
  for (const auto &[name, list] : sampleLists<std::uint32_t>()) {
    SCOPED_TRACE(name);
    expectAll(buildCsr(list), buildCsr(list, {.directed = false}), {}, {});
  }
}

TEST(Programs, InManyBatchesAndPartitions) {
  for (const unsigned partitions : fewOrAll<unsigned>({3}, {1, 3})) {
    SCOPED_TRACE(partitions);
    const ooc::PrepareOptions prepare = {.partitions = partitions,
                                         .batchVertices = 1};
    expectAll(skewedGraph(true), skewedGraph(false), prepare, {});
    expectAll(evenGraph(true), evenGraph(false), prepare,
              {.checkpoints = true});
  }
}

TEST(Programs, AreToldWhatDoesNotSuitThem) {
  const PreparedGraph graph(buildCsr(generateGrid(3, 3)));
  ooc::Engine<> engine(graph.path());
  EXPECT_THROW(connectedComponentsByMessages(engine), Error);
  EXPECT_THROW(breadthFirstByMessages(engine, 9), Error);
  EXPECT_THROW(ooc::Engine<float>(graph.path() + "x"), Error);
  const PreparedGraph negative([] {
    EdgeList<std::uint32_t, std::int32_t> list;
    list.vertexCount = 2;
    list.edges = Array<Edge<std::uint32_t, std::int32_t>>(1);
    list.edges[0] = {0, 1, -1};
    return buildCsr(list);
  }());
  ooc::Engine<std::int32_t> weighted(negative.path());
  EXPECT_THROW(shortestPathsByMessages(weighted, 0), Error);
}

/// Vertex data as machine learning has them.
struct Features {
  std::array<float, 64> values;
};

/// Each vertex adds up the values of its neighbours.
template <typename Engine> double mixFeatures(Engine &engine, int rounds) {
  auto &features = engine.template vertexArray<Features>("features");
  auto &sums = engine.template vertexArray<Features>("sums");
  engine.processVertices(
      [&](std::uint32_t v) {
        for (std::size_t i = 0; i < 64; ++i)
          features[v].values[i] = static_cast<float>((v * 31 + i) % 8);
        sums[v] = {};
        return 0;
      },
      {features, sums});
  double total = 0;
  for (int round = 0; round < rounds; ++round) {
    engine.processEdges(
        [&](std::uint32_t v) { return std::optional(features[v]); },
        {std::as_const(features)},
        [&](const Features &message, std::uint32_t, std::uint32_t to, auto) {
          for (std::size_t i = 0; i < 64; ++i)
            sums[to].values[i] += message.values[i];
          return 0;
        },
        {sums});
    total = engine.processVertices(
        [&](std::uint32_t v) {
          double sum = 0;
          for (std::size_t i = 0; i < 64; ++i) {
            sum += sums[v].values[i];
            // Small whole numbers: all sums are exact.
            features[v].values[i] =
                static_cast<float>(static_cast<int>(sums[v].values[i]) % 8);
          }
          sums[v] = {};
          return sum;
        },
        {features, sums});
  }
  return total;
}

TEST(Programs, VertexDataLargerThanTheMemory) {
  // Two arrays of 32 MB, and messages of the same size.
  const PreparedGraph graph(skewedGraph(true), {.batchVertices = 1});
  SignalSlot inMemory(graph.csr);
  const double expected = mixFeatures(inMemory, 3);
  ooc::Engine<> engine(graph.path(), {.memoryBytes = 150 << 20});
  EXPECT_EQ(mixFeatures(engine, 3), expected);
  EXPECT_GT(engine.counts().bytes.written, std::uint64_t(60) << 20);
  EXPECT_GT(engine.counts().bytes.read, std::uint64_t(60) << 20);
}

TEST(Programs, BoolsAreMessagesAndResults) {
  const PreparedGraph graph(evenGraph(false), {.batchVertices = 1});
  ooc::Engine<> engine(graph.path());
  auto &marks = engine.vertexArray<bool>("marks");
  const std::uint32_t last = graph.csr.vertexCount() - 1;
  EXPECT_TRUE(engine.processVertices(
      [&](std::uint32_t v) { return bool(marks[v] = v == last); }, {marks}));
  engine.processEdges(
      [&](std::uint32_t v) { return std::optional<bool>(v != last); }, {},
      [&](bool message, std::uint32_t from, std::uint32_t, auto) {
        EXPECT_EQ(message, from != last);
        return false;
      },
      {});
  EXPECT_FALSE(engine.processVertices([](std::uint32_t) { return false; }, {}));
}

TEST(Programs, TooLittleMemoryIsAnError) {
  const PreparedGraph graph(skewedGraph(true), {.batchVertices = 1});
  ooc::Engine<> engine(graph.path(), {.memoryBytes = 1 << 20});
  const std::string problem = errorOf([&] { pageRankByMessages(engine); });
  EXPECT_NE(memoryNamedBy(problem), 0u) << problem;
}

} // namespace
