//===- DispatchingOnRanksTest.cpp - Ranks that dispatch messages ----------===//
//
// Nothing is forced here: ranks push and pull since that moves less, or while
// they wait.
//
//===----------------------------------------------------------------------===//

#include "../../support/FewOrAll.h"
#include "LocalRanks.h"
#include "PreparedGraph.h"

#include <array>
#include <atomic>
#include <bit>
#include <functional>
#include <omp.h>
#include <thread>

namespace {

using namespace heddle::graph;
using namespace heddle::test;
using ooc::Dispatching;
using ooc::EngineCounts;
using ooc::EngineOptions;

constexpr unsigned Steps = 4;

/// A message so large that messages go to the disk if little memory is left.
using Message = std::array<std::uint64_t, 8>;

/// Makes a rank wait before it sends anything in a step.
using BeforeSending = std::function<void(unsigned step)>;

/// Values in which the order of all messages shows. `beforeSending` is called
/// for many of the vertices that send one, `afterSlot` for each message that is
/// delivered.
template <typename AfterSlot>
std::vector<std::uint64_t> mixValues(ooc::Engine<> &engine,
                                     const BeforeSending &beforeSending,
                                     AfterSlot afterSlot) {
  auto &values = engine.vertexArray<std::uint64_t>("values");
  std::vector<std::uint64_t> result;
  for (unsigned step = 0; step < Steps; ++step) {
    // After an odd number of phases the next one begins with other batches.
    result.push_back(engine.processVertices(
        [&](std::uint32_t v) { return values[v] += v; }, {values}));
    result.push_back(engine.processEdges(
        [&](std::uint32_t v) {
          if (v % 64 == 0)
            beforeSending(step);
          return std::optional(
              Message{values[v], v, step, ~values[v], 1, 2, 3, 4 + v});
        },
        {std::as_const(values)},
        [&](const Message &message, std::uint32_t from, std::uint32_t to,
            auto) {
          std::uint64_t &value = values[to];
          value = std::rotl(value * 0x9e3779b97f4a7c15 + from, 7);
          for (const std::uint64_t part : message)
            value = value * 31 + part;
          afterSlot(step, from, to);
          return std::uint64_t(1);
        },
        {values}));
  }
  engine.forEachValue(values, [&](std::uint32_t, std::uint64_t value) {
    result.push_back(value);
  });
  return result;
}

/// A step of the same size in which no vertex sends anything.
std::vector<std::uint64_t> sendNothing(ooc::Communicator &,
                                       ooc::Engine<> &engine) {
  auto &values = engine.vertexArray<std::uint64_t>("values");
  return {engine.processEdges(
      [](std::uint32_t) { return std::optional<Message>(); },
      {std::as_const(values)},
      [](const Message &, std::uint32_t, std::uint32_t, auto) {
        return std::uint64_t(1);
      },
      {values})};
}

void doNothing(unsigned, std::uint32_t, std::uint32_t) {}

/// Returns the result of one rank that has all messages in memory.
std::vector<std::uint64_t> expectedValues(const std::string &path) {
  ooc::Engine<> engine(path);
  const auto values = mixValues(engine, [](unsigned) {}, doNothing);
  EXPECT_EQ(engine.counts().dispatching.messages, 0u);
  return values;
}

/// The results of the first rank.
struct RunOfRanks {
  std::vector<std::uint64_t> values;
  std::vector<EngineCounts> counts; ///< of each rank
};

/// Runs `work(communicator, engine)` on `count` ranks.
template <typename Work>
RunOfRanks runOn(unsigned count, int threadsOfRank, const std::string &path,
                 const EngineOptions &options, Work work) {
  RunOfRanks result;
  result.counts.resize(count);
  LocalRanks ranks(count);
  ranks.run([&](ooc::Communicator &communicator) {
    omp_set_num_threads(threadsOfRank); // of this rank
    EngineOptions own = options;
    own.communicator = &communicator;
    ooc::Engine<> engine(path, own);
    auto values = work(communicator, engine);
    if (communicator.rank() == 0)
      result.values = std::move(values);
    result.counts[communicator.rank()] = engine.counts();
  });
  return result;
}

/// Returns a budget that is large enough for dispatching messages, for which a
/// quarter of the rest must be enough, and too small to keep all of them in
/// memory.
std::uint64_t littleMemory(unsigned count, int threadsOfRank,
                           const std::string &path) {
  const std::uint64_t least = leastMemory([&](std::uint64_t bytes) {
    runOn(count, threadsOfRank, path,
          {.memoryBytes = bytes, .dispatching = Dispatching::Push},
          sendNothing);
  });
  return least +
         static_cast<unsigned>(threadsOfRank) * (std::uint64_t(12) << 20);
}

std::uint64_t bytesMoved(const RunOfRanks &run) {
  std::uint64_t bytes = 0;
  for (const EngineCounts &counts : run.counts)
    bytes += counts.bytes.read + counts.bytes.written;
  return bytes;
}

TEST(DispatchingOnRanks, PushesWhatBatchesNeedLittleOf) {
  // Four batches of each partition.
  const PreparedGraph<> graph(
      buildCsr(generateUniform({.vertices = 512000, .edges = 1000000}),
               {.directed = true}),
      {.partitions = 4, .batchVertices = 1});
  const std::vector<std::uint64_t> expected = expectedValues(graph.path());
  const auto work = [](ooc::Communicator &, ooc::Engine<> &engine) {
    return mixValues(engine, [](unsigned) {}, doNothing);
  };
  for (const unsigned count : fewOrAll<unsigned>({4}, {2, 4})) {
    EngineOptions options = {.memoryBytes =
                                 littleMemory(count, 2, graph.path())};
    const RunOfRanks chosen = runOn(count, 2, graph.path(), options, work);
    EXPECT_TRUE(chosen.values == expected) << count;
    for (const EngineCounts &counts : chosen.counts) {
      // Once in each step from each partition, at most.
      EXPECT_GE(counts.dispatching.pushes, Steps);
      EXPECT_LE(counts.dispatching.pushes, Steps * 4u * (4 / count));
      EXPECT_GT(counts.dispatching.messages, 0u);
    }
    options.dispatching = Dispatching::None;
    const RunOfRanks none = runOn(count, 2, graph.path(), options, work);
    EXPECT_TRUE(none.values == expected) << count;
    // On more ranks the gain of pushes may be less than the cost of windows
    // that are loaded again, which depends on when messages arrive.
    if (count == 2)
      EXPECT_LT(bytesMoved(chosen), bytesMoved(none));
  }
}

TEST(DispatchingOnRanks, PullsWhileItWaitsForOthers) {
  // Eight partitions of two batches each, which need two fifths of the messages
  // from a partition: too much for a push.
  constexpr std::uint32_t Partitions = 8;
  const PreparedGraph<> graph(
      buildCsr(generateUniform({.vertices = 512000, .edges = 4000000}),
               {.directed = true}),
      {.partitions = Partitions, .batchVertices = 1});
  ASSERT_EQ(graph.layout.batches(), 2 * Partitions);
  const std::vector<std::uint64_t> expected = expectedValues(graph.path());
  const auto partitionOf = [&](std::uint32_t v) {
    return std::ranges::upper_bound(graph.layout.partitionBegins, v) -
           graph.layout.partitionBegins.begin() - 1;
  };
  for (const unsigned count : fewOrAll<unsigned>({4}, {2, 4})) {
    // The first rank can follow edges from its own partitions up to that of the
    // target; for the others it has to wait until the other ranks have sent
    // messages, which they do afterwards.
    const std::uint32_t end =
        graph.layout.partitionBegins[Partitions / count]; // of its vertices
    std::uint64_t first = 0;
    for (std::uint32_t v = 0; v < end; ++v)
      for (const auto [target, weight] : graph.csr.outEdges(v))
        first += target < end && partitionOf(v) <= partitionOf(target);
    std::array<std::atomic<std::uint64_t>, Steps> followed = {};
    const auto work = [&](ooc::Communicator &communicator,
                          ooc::Engine<> &engine) {
      const bool isFirst = communicator.rank() == 0;
      const auto mix = [&, isFirst] {
        return mixValues(
            engine,
            [&, isFirst](unsigned step) {
              if (isFirst)
                return;
              for (std::uint64_t count = followed[step]; count < first;
                   count = followed[step]) {
                followed[step].wait(count);
                std::this_thread::yield();
              }
            },
            [&, isFirst](unsigned step, std::uint32_t, std::uint32_t) {
              if (isFirst && ++followed[step] == first)
                followed[step].notify_all();
            });
      };
      try {
        return mix();
      } catch (...) {
        // No rank waits for one that has failed.
        if (isFirst)
          for (std::atomic<std::uint64_t> &count : followed) {
            count = first;
            count.notify_all();
          }
        throw;
      }
    };
    const EngineOptions options = {.memoryBytes =
                                       littleMemory(count, 1, graph.path())};
    // The scheduler may let others send before the first rank waits.
    constexpr unsigned MostRuns = 30;
    ooc::DispatchingCounts ofFirst;
    for (unsigned run = 0; run < MostRuns && ofFirst.pulls == 0; ++run) {
      for (std::atomic<std::uint64_t> &ofStep : followed)
        ofStep = 0;
      const RunOfRanks outcome = runOn(count, 1, graph.path(), options, work);
      EXPECT_TRUE(outcome.values == expected) << count;
      for (const EngineCounts &counts : outcome.counts)
        EXPECT_EQ(counts.dispatching.pushes, 0u) << count;
      ofFirst = outcome.counts[0].dispatching;
    }
    EXPECT_GT(ofFirst.pulls, 0u) << count;
    EXPECT_GT(ofFirst.messages, 0u) << count;
  }
}

} // namespace
