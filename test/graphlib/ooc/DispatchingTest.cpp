//===- DispatchingTest.cpp - Messages dispatched to batches ---------------===//

#include "../../support/FewOrAll.h"
#include "LocalRanks.h"
#include "PreparedGraph.h"

#include "../support/Mutation.h"
#include "heddle/graph/messages/BreadthFirstSearch.h"
#include "heddle/graph/messages/ConnectedComponents.h"
#include "heddle/graph/messages/PageRank.h"
#include "heddle/graph/messages/ShortestPaths.h"
#include "heddle/graph/ooc/CheckGraph.h"

#include <array>
#include <bit>

namespace {

using namespace heddle::graph;
using namespace heddle::test;
using ooc::Dispatching;
using ooc::DispatchingCosts;
using ooc::Engine;
using ooc::EngineCounts;
using ooc::EngineOptions;

constexpr Dispatching All[] = {Dispatching::None, Dispatching::Push,
                               Dispatching::Pull};

TEST(Dispatching, IsChosenByWhatMovesLess) {
  const auto choose = [](const DispatchingCosts &costs) {
    return std::pair(chooseDispatching(costs, false),
                     chooseDispatching(costs, true));
  };
  using enum Dispatching;
  EXPECT_EQ(choose({}), std::pair(None, None));
  // The pass costs 100 + 10, and each copy is written and read.
  const auto of = [&](std::uint64_t scanned, std::uint64_t dispatched) {
    return choose({.scanned = scanned,
                   .messages = 100,
                   .graph = 10,
                   .dispatched = dispatched});
  };
  EXPECT_EQ(of(1000, 100), std::pair(Push, Push));
  EXPECT_EQ(of(311, 100), std::pair(Push, Push));
  EXPECT_EQ(of(310, 100), std::pair(None, Pull));
  EXPECT_EQ(of(201, 100), std::pair(None, Pull));
  EXPECT_EQ(of(200, 100), std::pair(None, None));
  // One batch needs all messages.
  EXPECT_EQ(of(100, 100), std::pair(None, None));
}

TEST(Dispatching, CostsAreThoseOfTheBlocksOnDisk) {
  // Two batches. A source block has edges from 1000 vertices to the first, and
  // from 500 of these to the second; another block has none to the second.
  ooc::GraphLayout layout;
  layout.vertices = 2 * ooc::BatchUnit;
  layout.batchVertices = ooc::BatchUnit;
  layout.partitionBegins = {0, layout.vertices};
  layout.files.resize(1);
  layout.deriveBatches();
  layout.deriveGroups();
  ASSERT_EQ(layout.groups.size(), 1u);
  layout.dispatchingGraphs = {{.edges = 1600, .sources = 1100, .hasRows = 1}};
  const ooc::SourceIndex index = {
      .ofChunks = {{{0, 0}, {1000, 2000}, {1100, 2200}},
                   {{0, 0}, {500, 900}, {500, 900}}},
      .ofDispatching = {{{0, 0}, {1000, 1500}, {1100, 1600}}}};
  const auto costs = [&](std::vector<ooc::MessagesOnDisk> blocks,
                         std::uint64_t seekBytes) {
    return costsOfDispatching(layout, index, 0, 0, blocks, 6, seekBytes);
  };
  const DispatchingCosts both = costs({{0, 2000}, {1, 50}}, 4096);
  EXPECT_EQ(both.messages, 16384u + 4096u);
  EXPECT_EQ(both.scanned, 2 * 16384u + 4096u);
  // All sources of one block have sent a message, and half of the other's.
  EXPECT_EQ(both.dispatched, (1500u + 50u) * 8);
  EXPECT_EQ(both.graph, 1500u + 1000u * 6 + 100u + 100u * 6);
  // If few sources have sent one, they are sought.
  EXPECT_EQ(costs({{0, 3}}, 100).graph, 600u);
  EXPECT_EQ(costs({}, 100).scanned, 0u);
}

/// A value that all edges change, and in which their order shows.
template <typename Message, typename Engine>
std::vector<std::uint64_t> mixValues(Engine &engine, unsigned sendersOf) {
  auto &values = engine.template vertexArray<std::uint64_t>("values");
  const std::uint64_t slots = engine.processEdges(
      [&](std::uint32_t v) {
        Message message = {};
        message[0] = static_cast<typename Message::value_type>(v * 7 + 1);
        message.back() ^= static_cast<typename Message::value_type>(v);
        // All vertices of some blocks, too.
        return v % 8 < sendersOf || v / 32768 == 2 ? std::optional(message)
                                                   : std::nullopt;
      },
      {},
      [&](const Message &message, std::uint32_t from, std::uint32_t to, auto) {
        std::uint64_t &value = values[to];
        value = std::rotl(value * 0x9e3779b97f4a7c15 + from, 7);
        for (const auto part : message)
          value = value * 31 + static_cast<std::uint64_t>(part);
        return std::uint64_t(1);
      },
      {values});
  std::vector<std::uint64_t> result = {slots};
  engine.forEachValue(values, [&](std::uint32_t, std::uint64_t value) {
    result.push_back(value);
  });
  return result;
}

template <typename Message> void expectSame() {
  const PreparedGraph<> graph(skewedGraph(true), {.batchVertices = 1});
  for (const unsigned senders : {8u, 3u, 0u}) {
    const auto run = [&](EngineOptions options, EngineCounts &counts) {
      Engine<> engine(graph.path(), options);
      const auto values = mixValues<Message>(engine, senders);
      counts = engine.counts();
      return values;
    };
    EngineCounts counts;
    const auto expected = run({}, counts);
    EXPECT_EQ(counts.dispatching.messages, 0u);
    for (const Dispatching dispatching : All) {
      const std::uint64_t least = leastMemory([&](std::uint64_t bytes) {
        run({.memoryBytes = bytes, .dispatching = dispatching}, counts);
      });
      for (const std::uint64_t bytes : {least, std::uint64_t(1) << 30}) {
        const auto found =
            run({.memoryBytes = bytes, .dispatching = dispatching}, counts);
        EXPECT_TRUE(found == expected)
            << int(dispatching) << ' ' << senders << ' ' << bytes;
        EXPECT_EQ(counts.dispatching.pushes,
                  dispatching == Dispatching::Push ? 1u : 0u);
        EXPECT_EQ(counts.dispatching.pulls, dispatching == Dispatching::Pull
                                                ? graph.layout.batches()
                                                : 0u);
        EXPECT_EQ(counts.dispatching.messages > 0,
                  dispatching != Dispatching::None);
        // If there are few messages, copies are in memory, too.
        if (bytes > least && senders == 0)
          EXPECT_EQ(counts.bytes.written, 0u);
      }
    }
  }
}

TEST(Dispatching, ChangesNoResult) {
  expectSame<std::array<std::uint8_t, 3>>();
  expectSame<std::array<std::uint16_t, 37>>();
  if (isLongRun()) {
    expectSame<std::array<std::uint32_t, 1>>();
    expectSame<std::array<std::uint64_t, 1>>();
  }
}

/// Returns the final values of vertices in all programs.
template <typename Weight>
std::vector<std::uint64_t> runAll(const std::string &path,
                                  const EngineOptions &options) {
  std::vector<std::uint64_t> values;
  const auto add = [&]<typename T>(auto &engine, const char *name, T) {
    engine.forEachValue(engine.template vertexArray<T>(name),
                        [&](std::uint32_t, const T &value) {
                          values.push_back(std::bit_cast<std::uint32_t>(value));
                        });
  };
  {
    Engine<> engine(path, options);
    pageRankByMessages(engine, {.iterations = 2});
    add(engine, "rank", 0.0f);
    connectedComponentsByMessages(engine);
    add(engine, "component", std::uint32_t(0));
    breadthFirstByMessages(engine, engine.vertexCount() / 3);
    add(engine, "parent", std::uint32_t(0));
  }
  Engine<Weight> engine(path, options);
  shortestPathsByMessages(engine, engine.vertexCount() / 3);
  add(engine, "distance", Weight(0));
  return values;
}

TEST(Dispatching, ChangesNothingOnSeveralRanks) {
  const PreparedGraph<std::int32_t> graph(
      withRandomWeights(skewedGraph(false)),
      {.partitions = 2, .batchVertices = 1});
  const auto expected = runAll<std::int32_t>(graph.path(), {});
  for (const Dispatching dispatching : All)
    for (const unsigned count : {1u, 2u}) {
      LocalRanks(count).run([&](ooc::Communicator &communicator) {
        EngineOptions options = {.communicator = &communicator,
                                 .dispatching = dispatching};
        const auto found = runAll<std::int32_t>(graph.path(), options);
        if (communicator.rank() == 0)
          EXPECT_TRUE(found == expected) << int(dispatching) << ' ' << count;
      });
    }
}

/// Edges between any vertices, few of each, so that a batch needs few of the
/// messages.
const PreparedGraph<> &sparseGraph() {
  static const PreparedGraph<> graph(
      buildCsr(generateUniform({.vertices = 1 << 20, .edges = 2 << 20}),
               {.directed = true}),
      {.batchVertices = 1});
  return graph;
}

using Wide = std::array<std::uint32_t, 4>;

/// Each vertex sends a message of 16 bytes, with little memory.
EngineCounts sendWide(std::optional<Dispatching> dispatching,
                      std::vector<std::uint64_t> &values) {
  EngineCounts counts;
  std::uint64_t memoryBytes = 0;
  const auto run = [&](std::uint64_t bytes) {
    Engine<> engine(sparseGraph().path(),
                    {.memoryBytes = bytes, .dispatching = dispatching});
    values = mixValues<Wide>(engine, 7);
    counts = engine.counts();
  };
  // The budget is the same for all runs, and large enough to dispatch messages.
  std::optional<Dispatching> wanted = dispatching;
  dispatching = Dispatching::Push;
  memoryBytes = leastMemory(run) + (std::uint64_t(16) << 20);
  dispatching = wanted;
  run(memoryBytes);
  return counts;
}

TEST(Dispatching, MovesLessWhereBatchesNeedFewMessages) {
  std::vector<std::uint64_t> expected, found;
  const EngineCounts none = sendWide(Dispatching::None, expected);
  const EngineCounts chosen = sendWide(std::nullopt, found);
  EXPECT_TRUE(found == expected);
  EXPECT_EQ(none.dispatching.messages, 0u);
  EXPECT_EQ(chosen.dispatching.pushes, 1u);
  EXPECT_GT(chosen.dispatching.messages, 0u);
  EXPECT_LT(3 * chosen.bytes.read, 2 * none.bytes.read);
  // The choice between the two is known in advance, and so are its transfers.
  EXPECT_NEAR(static_cast<double>(chosen.bytes.read),
              static_cast<double>(chosen.predicted.read),
              0.15 * static_cast<double>(chosen.predicted.read));
  EXPECT_NEAR(static_cast<double>(chosen.bytes.written),
              static_cast<double>(chosen.predicted.written),
              0.15 * static_cast<double>(chosen.predicted.written));
  EXPECT_LT(chosen.bytes.read + chosen.bytes.written,
            none.bytes.read + none.bytes.written);
}

TEST(Dispatching, WaitingBatchesPull) {
  // Three partitions of two batches; edges lead from all to all of the first.
  ooc::GraphLayout layout;
  layout.vertices = 6 * ooc::BatchUnit;
  layout.batchVertices = ooc::BatchUnit;
  layout.partitionBegins = {0, layout.vertices / 3, 2 * layout.vertices / 3,
                            layout.vertices};
  layout.files.resize(3);
  layout.deriveBatches();
  layout.deriveGroups();
  layout.chunks.resize(layout.batches() * 3);
  layout.dispatchingGraphs.resize(layout.groups.size() * 3);
  for (std::size_t part = 0; part < 3; ++part) {
    layout.chunk(part, 0).edges = layout.chunk(part, 1).edges = 1;
    layout.dispatchingGraph(part, 0).edges = 2;
  }
  using Work = ooc::BatchQueue::Work;
  ooc::BatchQueue queue(layout, shareOf(layout, 0, 3), true);
  using Partitions = std::vector<std::size_t>;
  const auto expectTurn = [&](Work work, std::size_t batch,
                              const Partitions &partitions) {
    const auto turn = queue.take(false);
    EXPECT_EQ(turn->work, work);
    EXPECT_EQ(turn->batch, batch);
    EXPECT_EQ(turn->partitions, partitions);
    return *turn;
  };
  queue.finish(expectTurn(Work::Dispatch, 0, {0}), Dispatching::None);
  queue.finish(expectTurn(Work::Follow, 0, {0}));
  queue.finish(expectTurn(Work::Follow, 1, {0}));
  // The batches wait for the third, after which the second is followed.
  queue.arrive(1, 2);
  queue.finish(expectTurn(Work::Dispatch, 0, {1}), Dispatching::Pull);
  const auto first = expectTurn(Work::Pull, 0, {1});
  const auto second = expectTurn(Work::Pull, 1, {1});
  queue.arrive(2, 3);
  const auto last = expectTurn(Work::Dispatch, 0, {2});
  EXPECT_FALSE(queue.finish(first));
  EXPECT_FALSE(queue.finish(second));
  EXPECT_FALSE(queue.finish(last, Dispatching::Push));
  EXPECT_TRUE(queue.finish(expectTurn(Work::Follow, 0, {2, 1})));
  EXPECT_TRUE(queue.finish(expectTurn(Work::Follow, 1, {2, 1})));
  EXPECT_FALSE(queue.take(false).has_value());
}

TEST(Dispatching, DamagedGraphsAreFound) {
  const PreparedGraph<> graph(evenGraph(true), {.batchVertices = 1});
  const ooc::Chunk &chunk = graph.layout.dispatchingGraph(0, 0);
  ASSERT_GT(chunk.edges, 0u);
  ASSERT_TRUE(chunk.hasRows);
  const ooc::ChunkPlaces places = graph.layout.placesOfDispatching(0, chunk);
  const std::string path = graph.path() + "/part-0.edges";
  const auto run = [&](Dispatching dispatching, unsigned senders) {
    const auto call = [&](std::uint64_t bytes) {
      Engine<> engine(graph.path(),
                      {.memoryBytes = bytes, .dispatching = dispatching});
      auto &sums = engine.vertexArray<std::uint32_t>("sums");
      engine.processEdges(
          [&](std::uint32_t v) {
            return v < senders ? std::optional(v) : std::nullopt;
          },
          {},
          [&](std::uint32_t message, std::uint32_t, std::uint32_t to, auto) {
            return sums[to] += message;
          },
          {sums});
    };
    static const std::uint64_t least = leastMemory(call);
    return errorOf([&] { call(least); });
  };
  EXPECT_EQ(run(Dispatching::Push, 1 << 20), "nothing");
  EXPECT_EQ(run(Dispatching::Push, 4), "nothing");
  for (const std::uint64_t byte : {places.targets, places.sources,
                                   places.begins, places.blocks, places.rows}) {
    flipBit(path, byte);
    // If few messages are sent, their rows are sought.
    const unsigned senders = byte == places.rows ? 4 : 1 << 20;
    const std::string problem = run(Dispatching::Push, senders);
    EXPECT_TRUE(problem.starts_with(path + ": byte ")) << problem;
    EXPECT_NE(errorOf([&] { ooc::checkGraph(graph.path()); }), "nothing");
    flipBit(path, byte);
  }
  EXPECT_EQ(run(Dispatching::Push, 1 << 20), "nothing");
}

TEST(Dispatching, MutatedLayoutsAreRefused) {
  const PreparedGraph<> graph(evenGraph(true), {.batchVertices = 1});
  const std::string path = graph.path() + "/graph";
  const std::string good = readText(path);
  for (unsigned round = 0; round < 300; ++round) {
    const std::string bad = Mutation(round)(good);
    std::ofstream(path, std::ios::binary) << bad;
    const std::string problem = errorOf([&] { ooc::readLayout(graph.path()); });
    if (bad == good)
      EXPECT_EQ(problem, "nothing");
    else
      EXPECT_TRUE(problem.starts_with(path + ": ")) << problem;
  }
}

} // namespace
