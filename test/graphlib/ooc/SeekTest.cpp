//===- SeekTest.cpp - The edges of few vertices ---------------------------===//

#include "PreparedGraph.h"

#include <map>
#include <random>
#include <set>

namespace {

using namespace heddle::graph;
using namespace heddle::test;

std::uint64_t mixed(std::uint64_t message, std::uint32_t from,
                    std::int32_t weight) {
  return (message * 31 + from) * 0x9e3779b97f4a7c15 +
         static_cast<std::uint64_t>(weight);
}

/// Edges between any vertices, several between some, and all those of one that
/// leads everywhere: more than are read at once.
Csr<std::uint32_t, std::int32_t> graphWithHub() {
  constexpr std::uint32_t Vertices = 300000, Edges = 900000, Hub = 70000;
  EdgeList<> list;
  list.vertexCount = Vertices;
  list.edges = Array<Edge<std::uint32_t>>(Edges + Vertices);
  std::minstd_rand random(3);
  for (std::size_t i = 0; i < Edges; ++i) {
    const auto from = static_cast<std::uint32_t>(random() % Vertices);
    list.edges[i] = {from - from % 3, // two of three have none
                     static_cast<std::uint32_t>(random() % Vertices),
                     {}};
  }
  for (std::uint32_t v = 0; v < Vertices; ++v)
    list.edges[Edges + v] = {Hub, v, {}};
  return withRandomWeights(
      buildCsr(list, {.parallelEdges = ParallelEdges::KeepAll}));
}

class SeekTest : public testing::Test {
protected:
  static void SetUpTestSuite() {
    graph = new PreparedGraph<std::int32_t>(
        graphWithHub(), {.build = {.parallelEdges = ParallelEdges::KeepAll},
                         .batchVertices = 100000});
  }
  static void TearDownTestSuite() { delete graph; }

  using Engine = ooc::Engine<std::int32_t>;

  /// Has these vertices send messages, and compares what comes of them. Returns
  /// how many bytes were read.
  static std::uint64_t send(Engine &engine,
                            const std::set<std::uint32_t> &active) {
    auto &sums = engine.vertexArray<std::uint64_t>("sums");
    auto &sends = engine.vertexArray<bool>("sends");
    engine.processVertices(
        [&](std::uint32_t v) {
          sums[v] = 0;
          sends[v] = active.contains(v);
          return 0;
        },
        {sums, sends});
    const std::uint64_t before = engine.counts().bytes.read;
    engine.processEdges(
        [](std::uint32_t v) { return std::optional<std::uint64_t>(v * 7); }, {},
        [&](std::uint64_t message, std::uint32_t from, std::uint32_t to,
            std::int32_t weight) {
          sums[to] += mixed(message, from, weight);
          return 0;
        },
        {sums}, &sends);
    const std::uint64_t read = engine.counts().bytes.read - before;
    std::map<std::uint32_t, std::uint64_t> expected;
    for (const std::uint32_t v : active)
      for (const auto [to, weight] : graph->csr.outEdges(v))
        expected[to] += mixed(std::uint64_t(v) * 7, v, weight);
    engine.forEachValue(sums, [&](std::uint32_t v, std::uint64_t value) {
      const auto found = expected.find(v);
      ASSERT_EQ(value, found == expected.end() ? 0 : found->second) << v;
    });
    return read;
  }

  /// Sets of all sizes, and neighbours.
  static void sendAll(Engine &engine) {
    std::mt19937 random(7);
    for (const std::size_t count : {1u, 2u, 5u, 40u, 300u, 3000u}) {
      std::set<std::uint32_t> active = {70000};
      while (active.size() < count)
        active.insert(static_cast<std::uint32_t>(random() % 300000));
      send(engine, active);
      active.erase(70000);
      send(engine, active);
    }
    send(engine, {69999, 70000, 70001, 70002, 70003});
    send(engine, {0, 32766, 32767, 32768, 299999});
    send(engine, {1, 2, 4, 5}); // none of them has edges
  }

  /// Memory for what must be there, and for nothing else.
  static ooc::EngineOptions tight() {
    const std::string problem = errorOf([] {
      Engine engine(graph->path(), {.memoryBytes = 1});
      send(engine, {0});
    });
    const std::string prefix = "expected a memory budget of at least ";
    EXPECT_TRUE(problem.starts_with(prefix)) << problem;
    // processEdges takes more than processVertices, of which that is.
    return {.memoryBytes = (std::stoull(problem.substr(prefix.size())) + 8)
                           << 20};
  }

  static PreparedGraph<std::int32_t> *graph;
};

PreparedGraph<std::int32_t> *SeekTest::graph = nullptr;

TEST_F(SeekTest, OnDisk) {
  Engine engine(graph->path(), tight());
  sendAll(engine);
}

TEST_F(SeekTest, InMemory) {
  Engine engine(graph->path());
  std::set<std::uint32_t> all;
  for (std::uint32_t v = 0; v < 300000; v += 2)
    all.insert(v);
  send(engine, all);
  sendAll(engine);
}

TEST_F(SeekTest, AnIndexOfAllVerticesIsNotNeeded) {
  const PreparedGraph<std::int32_t> without(
      graphWithHub(), {.build = {.parallelEdges = ParallelEdges::KeepAll},
                       .batchVertices = 100000,
                       .inflateRatio = 0});
  Engine engine(without.path(), tight());
  sendAll(engine);
}

TEST_F(SeekTest, LittleIsRead) {
  Engine engine(graph->path(), tight());
  send(engine, {0});
  // Rows, targets and weights in a block or two each, for each batch.
  EXPECT_LE(send(engine, {3}), graph->layout.batches() * 6 * ooc::BlockBytes);
  EXPECT_GT(send(engine, {3}), 0u);
  std::set<std::uint32_t> many;
  for (std::uint32_t v = 0; v < 30000; ++v)
    many.insert(v);
  EXPECT_GT(send(engine, many), std::uint64_t(300) << 10);
}

} // namespace
