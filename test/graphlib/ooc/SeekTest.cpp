//===- SeekTest.cpp - The edges of few vertices ---------------------------===//

#include "PreparedGraph.h"

#include "heddle/far.h"

#include <cstdlib>
#include <map>
#include <random>
#include <set>
#include <xxhash.h>

namespace {

using namespace heddle::graph;
using namespace heddle::test;

/// Before the first engine uses far memory: pages come and go, and budgets do
/// not depend on which test was first.
[[maybe_unused]] const int HasSmallCache = setenv("HEDDLE_FAR_CACHE", "1M", 1);

/// The sum of a vertex's messages, and a value that depends on their order.
struct Sums {
  std::uint64_t all = 0, inOrder = 0;

  void add(std::uint64_t message, std::uint32_t from, std::int32_t weight) {
    all += (message * 31 + from) * 0x9e3779b97f4a7c15 +
           static_cast<std::uint64_t>(weight);
    inOrder = inOrder * 31 + from;
  }
  bool operator==(const Sums &) const = default;
};

/// Returns a graph with edges between random vertices, several between some,
/// and a vertex that leads to all others: more edges than are read at once.
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

  /// Lets these vertices send messages, and compares the results. Returns the
  /// number of bytes read.
  static std::uint64_t send(Engine &engine,
                            const std::set<std::uint32_t> &active) {
    auto &sums = engine.vertexArray<Sums>("sums");
    auto &sends = engine.vertexArray<bool>("sends");
    engine.processVertices(
        [&](std::uint32_t v) {
          sums[v] = {};
          sends[v] = active.contains(v);
          return 0;
        },
        {sums, sends});
    const std::uint64_t before = engine.counts().bytes.read;
    engine.processEdges(
        [](std::uint32_t v) { return std::optional<std::uint64_t>(v * 7); }, {},
        [&](std::uint64_t message, std::uint32_t from, std::uint32_t to,
            std::int32_t weight) {
          sums[to].add(message, from, weight);
          return 0;
        },
        {sums}, &sends);
    const std::uint64_t read = engine.counts().bytes.read - before;
    std::map<std::uint32_t, Sums> expected;
    for (const std::uint32_t v : active)
      for (const auto [to, weight] : graph->csr.outEdges(v))
        expected[to].add(std::uint64_t(v) * 7, v, weight);
    auto next = expected.begin();
    engine.forEachValue(sums, [&](std::uint32_t v, const Sums &value) {
      const bool isNext = next != expected.end() && next->first == v;
      if (value != (isNext ? next->second : Sums()))
        ADD_FAILURE() << "vertex " << v;
      next = isNext ? std::next(next) : next;
    });
    EXPECT_EQ(next, expected.end());
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

  /// Returns a budget with memory for required data only.
  static ooc::EngineOptions tight() {
    const std::string problem = errorOf([] {
      Engine engine(graph->path(), {.memoryBytes = 1});
      send(engine, {0});
    });
    EXPECT_NE(memoryNamedBy(problem), 0u) << problem;
    // processEdges, which takes more than processVertices, set this limit.
    return {.memoryBytes = memoryNamedBy(problem) + (8 << 20)};
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

TEST_F(SeekTest, LittleIsReadAndStays) {
  Engine engine(graph->path(), tight());
  send(engine, {0});
  // Rows, targets and weights in a block or two each, for each batch.
  const std::uint64_t once = send(engine, {3});
  EXPECT_GT(once, 0u);
  EXPECT_LE(once, graph->layout.batches() * 6 * ooc::BlockBytes);
  EXPECT_EQ(send(engine, {3}), 0u);
  std::set<std::uint32_t> many;
  for (std::uint32_t v = 0; v < 30000; ++v)
    many.insert(v);
  EXPECT_GT(send(engine, many), std::uint64_t(300) << 10);
}

/// Appends zeros to the edges of a graph, until the file is so long that the
/// cost of seeks in it can be measured.
ooc::GraphLayout lengthen(const std::string &path) {
  constexpr std::uint64_t Bytes = std::uint64_t(1) << 29;
  ooc::GraphLayout layout = ooc::readLayout(path);
  ooc::PartFileInfo &file = layout.files[0];
  std::string sums = readText(ooc::sumsPath(path, 0));
  sums.resize(file.bytes / ooc::BlockBytes * sizeof(std::uint32_t));
  const std::vector<std::byte> zeros(ooc::BlockBytes);
  const std::uint32_t sum = ooc::blockChecksum(zeros.data());
  for (; file.bytes < Bytes; file.bytes += ooc::BlockBytes)
    sums.append(reinterpret_cast<const char *>(&sum), sizeof(sum));
  file.checksum = XXH3_64bits(sums.data(), sums.size());
  std::ofstream(ooc::sumsPath(path, 0), std::ios::binary) << sums;
  std::filesystem::resize_file(ooc::sumsPath(path, 0),
                               ooc::roundUpToBlock(sums.size()));
  std::filesystem::resize_file(ooc::edgesPath(path, 0), file.bytes);
  return layout;
}

TEST(SeekCache, IsThereWhereSomethingMayBeSought) {
  const PreparedGraph<> graph(evenGraph(true), {.batchVertices = 1});
  const ooc::GraphLayout all = lengthen(graph.path());
  const auto run = [&](std::uint64_t memoryBytes) {
    ooc::Engine<> engine(graph.path(), {.memoryBytes = memoryBytes});
    engine.processVertices([](std::uint32_t) { return 0; }, {});
  };
  std::map<std::pair<bool, bool>, std::uint64_t> least;
  for (const bool inChunks : {false, true})
    for (const bool inGraphs : {false, true}) {
      // Rows are the last array of a chunk.
      ooc::GraphLayout layout = all;
      for (ooc::Chunk &chunk : layout.chunks)
        EXPECT_TRUE(std::exchange(chunk.hasRows, inChunks));
      for (ooc::Chunk &chunk : layout.dispatchingGraphs)
        EXPECT_TRUE(std::exchange(chunk.hasRows, inGraphs));
      ooc::writeLayout(graph.path(), layout);
      const std::uint64_t before = heddle_far_counts().misses;
      least[{inChunks, inGraphs}] = leastMemory(run);
      EXPECT_EQ(heddle_far_counts().misses > before, inChunks || inGraphs);
    }
  const std::uint64_t withCache = least[{true, true}];
  EXPECT_EQ((least[{false, true}]), withCache);
  EXPECT_EQ((least[{true, false}]), withCache);
  EXPECT_GE(withCache, (least[{false, false}]) + (std::uint64_t(1) << 20));
}

/// Damages a block of a file in which nothing else is sought.
TEST_F(SeekTest, DamageIsNamed) {
  constexpr std::uint32_t Vertex = 150000;
  ASSERT_GT(graph->csr.outDegree(Vertex), 0u);
  const std::string path = graph->path() + "/part-0.edges";
  const ooc::ChunkPlaces places =
      graph->layout.places(0, graph->layout.chunk(0, 0));
  const std::uint64_t row = places.rows + Vertex * sizeof(std::uint32_t);
  std::uint32_t firstEdge;
  std::memcpy(&firstEdge, readText(path).data() + row, sizeof(firstEdge));
  const std::uint64_t edge = firstEdge;
  for (const std::uint64_t byte :
       {row, places.targets + edge * graph->layout.targetBytes(),
        places.weights + edge * sizeof(std::int32_t)}) {
    flipBit(path, byte);
    Engine engine(graph->path(), tight());
    send(engine, {3});
    EXPECT_EQ(errorOf([&] { send(engine, {Vertex}); }),
              path + ": byte " +
                  std::to_string(byte / ooc::BlockBytes * ooc::BlockBytes) +
                  ": expected 4096 bytes with another checksum: the file is "
                  "damaged");
    flipBit(path, byte);
  }
}

TEST_F(SeekTest, AFileThatHasBecomeShorterIsNamed) {
  const PreparedGraph<std::int32_t> copy(
      graphWithHub(), {.build = {.parallelEdges = ParallelEdges::KeepAll},
                       .batchVertices = 100000});
  const std::string path = copy.path() + "/part-0.edges";
  Engine engine(copy.path(), tight());
  send(engine, {3});
  const ooc::ChunkPlaces places =
      copy.layout.places(0, copy.layout.chunk(0, 0));
  const std::uint64_t row = places.rows + 150000 * sizeof(std::uint32_t);
  const std::uint64_t page = row / ooc::BlockBytes * ooc::BlockBytes;
  std::filesystem::resize_file(path, page);
  // Which of the batches is first to miss something is up to their threads.
  const std::string error = errorOf([&] { send(engine, {150000}); });
  const std::string begin = path + ": byte ";
  ASSERT_TRUE(error.starts_with(begin)) << error;
  EXPECT_GE(std::stoull(error.substr(begin.size())), page);
  EXPECT_TRUE(error.ends_with(": the file has become shorter")) << error;
}

} // namespace
