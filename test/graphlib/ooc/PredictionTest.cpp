//===- PredictionTest.cpp - Transfers of runs, and predictions ------------===//

#include "../../support/FewOrAll.h"
#include "LocalRanks.h"
#include "PreparedGraph.h"

#include "heddle/graph/messages/BreadthFirstSearch.h"
#include "heddle/graph/messages/ConnectedComponents.h"
#include "heddle/graph/messages/PageRank.h"
#include "heddle/graph/messages/ShortestPaths.h"

#include <omp.h>

namespace {

using namespace heddle::graph;
using namespace heddle::test;
using ooc::Engine;
using ooc::EngineCounts;
using ooc::EngineOptions;

/// A graph with edges of 70 MB and weights of 30, and 3 MB of vertex data.
const PreparedGraph<std::int32_t> &sampleGraph() {
  static const PreparedGraph<std::int32_t> graph(
      withRandomWeights(
          buildCsr(generateKronecker({.scale = 18, .edgesPerVertex = 16}),
                   {.directed = false})),
      {.batchVertices = ooc::BatchUnit});
  return graph;
}

/// Within 15 %, if anything was moved.
void expectAbout(std::uint64_t measured, std::uint64_t predicted) {
  EXPECT_NEAR(static_cast<double>(measured), static_cast<double>(predicted),
              0.15 * static_cast<double>(predicted));
}

/// Runs with memory for everything, for vertex data and some of the edges, and
/// for hardly anything.
template <EdgeWeight Weight, typename Program>
void expectPredicted(Program program) {
  const PreparedGraph<std::int32_t> &graph = sampleGraph();
  // With several threads, the order of batches cannot be predicted.
  const int threads = omp_get_max_threads();
  omp_set_num_threads(1);
  const std::uint64_t least = std::same_as<Weight, Unweighted> ? 36 : 40;
  for (const std::uint64_t megabytes : {least, least + 16, std::uint64_t(512)})
    for (const bool checkpoints :
         fewOrAll<bool>({megabytes == least}, {false, true})) {
      SCOPED_TRACE(std::to_string(megabytes) + " MiB");
      Engine<Weight> engine(graph.path(), {.memoryBytes = megabytes << 20,
                                           .checkpoints = checkpoints});
      program(engine);
      const EngineCounts counts = engine.counts();
      EXPECT_GT(counts.predicted.read, 0);
      expectAbout(counts.bytes.read, counts.predicted.read);
      expectAbout(counts.bytes.written, counts.predicted.written);
    }
  omp_set_num_threads(threads);
}

TEST(Prediction, IsWhatPageRankMoves) {
  expectPredicted<Unweighted>([](auto &engine) {
    pageRankByMessages(engine, {.tolerance = 0, .iterations = 5});
  });
}

TEST(Prediction, IsWhatBreadthFirstSearchMoves) {
  expectPredicted<Unweighted>(
      [](auto &engine) { breadthFirstByMessages(engine, 1); });
}

TEST(Prediction, IsWhatComponentsMove) {
  expectPredicted<Unweighted>(
      [](auto &engine) { connectedComponentsByMessages(engine); });
}

TEST(Prediction, IsWhatShortestPathsMove) {
  expectPredicted<std::int32_t>(
      [](auto &engine) { shortestPathsByMessages(engine, 1); });
}

/// Graphs of a few megabytes, which are read in segments and blocks, and
/// thousands of steps of few vertices each.
TEST(Prediction, IsWhatSearchesOfSmallGraphsMove) {
  const int threads = omp_get_max_threads();
  omp_set_num_threads(1);
  const PreparedGraph<> graph(buildCsr(generateGrid(150, 900)),
                              {.batchVertices = ooc::BatchUnit});
  const auto run = [&](std::uint64_t bytes) {
    Engine<> engine(graph.path(), {.memoryBytes = bytes});
    breadthFirstByMessages(engine, 1);
    const EngineCounts counts = engine.counts();
    expectAbout(counts.bytes.read, counts.predicted.read);
    expectAbout(counts.bytes.written, counts.predicted.written);
  };
  run(std::uint64_t(1) << 30);
  const std::string problem = errorOf([&] { run(1); });
  ASSERT_NE(memoryNamedBy(problem), 0u) << problem;
  // The memory that a search needs, and hardly any room for edges.
  run(memoryNamedBy(problem) + (2 << 20));
  omp_set_num_threads(threads);
}

/// Runs on two ranks within 70 and 512 MB, on `partitions` partitions. Vertex
/// data are in memory: otherwise the transfers depend on when messages arrive.
void expectWhatEachRankMoves(unsigned partitions) {
  SCOPED_TRACE(partitions);
  const PreparedGraph<> graph(
      buildCsr(generateKronecker({.scale = 17, .edgesPerVertex = 8}),
               {.directed = false}),
      {.partitions = partitions, .batchVertices = ooc::BatchUnit});
  const auto run = [&](std::uint64_t bytes, auto program) {
    LocalRanks(2).run([&](ooc::Communicator &communicator) {
      omp_set_num_threads(1); // of this thread
      Engine<> engine(graph.path(), {.memoryBytes = bytes,
                                     .checkpoints = true,
                                     .communicator = &communicator});
      program(engine);
      const EngineCounts counts = engine.counts();
      EXPECT_GT(counts.predictedPassedBytes, 0u);
      expectAbout(counts.bytes.read, counts.predicted.read);
      expectAbout(counts.bytes.written, counts.predicted.written);
      expectAbout(counts.passedBytes, counts.predictedPassedBytes);
    });
  };
  for (const std::uint64_t megabytes : {70, 512}) {
    SCOPED_TRACE(megabytes);
    run(megabytes << 20, [](auto &engine) {
      pageRankByMessages(engine, {.tolerance = 0, .iterations = 4});
    });
    run(megabytes << 20,
        [](auto &engine) { breadthFirstByMessages(engine, 1); });
    run(megabytes << 20,
        [](auto &engine) { connectedComponentsByMessages(engine); });
  }
}

TEST(Prediction, IsWhatEachRankMoves) { expectWhatEachRankMoves(2); }

/// The two partitions of a rank often need the same messages.
TEST(Prediction, IsWhatEachRankMovesForSeveralPartitions) {
  expectWhatEachRankMoves(4);
}

TEST(Prediction, TellsWhatHasNotChanged) {
  Engine<> engine(sampleGraph().path(), {.checkpoints = true});
  auto &value = engine.vertexArray<int>("value");
  const auto call = [&](int number) {
    engine.processVertices([&](std::uint32_t v) { return value[v] = number; },
                           {value});
  };
  call(1);
  const EngineCounts before = engine.counts();
  call(1); // writes the previous data
  const EngineCounts after = engine.counts();
  EXPECT_EQ(after.unchangedBytes - before.unchangedBytes,
            engine.vertexCount() * sizeof(int));
  EXPECT_EQ(after.bytes.written, before.bytes.written);
  EXPECT_EQ(after.predicted.written, before.predicted.written);
}

} // namespace
