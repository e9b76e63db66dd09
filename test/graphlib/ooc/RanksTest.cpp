//===- RanksTest.cpp - One graph on several ranks -------------------------===//

#include "../../support/FewOrAll.h"
#include "CutOff.h"
#include "LocalRanks.h"
#include "PreparedGraph.h"

#include "heddle/graph/messages/BreadthFirstSearch.h"
#include "heddle/graph/messages/ConnectedComponents.h"
#include "heddle/graph/messages/PageRank.h"
#include "heddle/graph/messages/ShortestPaths.h"

#include <array>
#include <map>
#include <mutex>
#include <omp.h>

namespace {

using namespace heddle::graph;
using namespace heddle::test;
using ooc::Communicator;

/// Results of all programs, as bytes.
using Values = std::map<std::string, std::string>;

/// Runs all programs for a graph with weights whose edges lead both ways, on
/// this rank.
Values runAll(const std::string &path, ooc::EngineOptions options,
              ooc::EngineCounts &counts) {
  Values values;
  {
    ooc::Engine<> engine(path, options);
    pageRankByMessages(engine, {.iterations = 3});
    values["rank"] = bytesOf<float>(engine, "rank");
    connectedComponentsByMessages(engine);
    values["component"] = bytesOf<std::uint32_t>(engine, "component");
    breadthFirstByMessages(engine, engine.vertexCount() / 3);
    values["parent"] = bytesOf<std::uint32_t>(engine, "parent");
    counts = engine.counts();
  }
  ooc::Engine<std::int32_t> engine(path, options);
  shortestPathsByMessages(engine, engine.vertexCount() / 3);
  values["distance"] = bytesOf<std::int32_t>(engine, "distance");
  return values;
}

PreparedGraph<std::int32_t> sampleGraph(unsigned partitions) {
  return PreparedGraph(withRandomWeights(skewedGraph(false)),
                       {.partitions = partitions, .batchVertices = 1});
}

/// Returns the values of the first of several ranks.
Values valuesOn(unsigned count, const std::string &path,
                const ooc::EngineOptions &common = {}) {
  Values values;
  LocalRanks ranks(count);
  ranks.run([&](Communicator &communicator) {
    ooc::EngineOptions options = common;
    options.communicator = &communicator;
    ooc::EngineCounts counts;
    Values own = runAll(path, options, counts);
    if (communicator.rank() == 0)
      values = std::move(own);
    else
      EXPECT_GT(counts.passedMessages, 0u);
  });
  return values;
}

TEST(Ranks, ResultsAreThoseOfOne) {
  for (const unsigned partitions : {2u, 4u}) {
    const auto graph = sampleGraph(partitions);
    ooc::EngineCounts counts;
    const Values expected = runAll(graph.path(), {}, counts);
    EXPECT_EQ(counts.passedMessages, 0u);
    for (unsigned count = 1; count <= partitions; ++count) {
      SCOPED_TRACE(count);
      if (count > 1)
        EXPECT_TRUE(valuesOn(count, graph.path()) == expected);
    }
  }
}

/// The results of a step with messages of 64 bytes, on each rank: a checksum of
/// the sums, and the number of bytes written.
using Wide = std::array<std::uint32_t, 16>;
std::pair<std::uint64_t, std::uint64_t>
sendWide(const std::string &path, const ooc::EngineOptions &options) {
  ooc::Engine<> engine(path, options);
  auto &sums = engine.vertexArray<std::uint32_t>("sums");
  engine.processEdges(
      [](std::uint32_t v) {
        Wide wide;
        for (std::uint32_t i = 0; i < wide.size(); ++i)
          wide[i] = v * i;
        return v % 3 == 1 ? std::nullopt : std::optional(wide);
      },
      {},
      [&](const Wide &message, std::uint32_t, std::uint32_t to, auto) {
        for (const std::uint32_t value : message)
          sums[to] = sums[to] * 31 + value;
        return 0;
      },
      {sums});
  const std::uint64_t sum = engine.processVertices(
      [&](std::uint32_t v) { return std::uint64_t(sums[v]) * (v + 1); },
      {sums});
  return {sum, engine.counts().bytes.written};
}

TEST(Ranks, MessagesOnDisk) {
  const auto graph = sampleGraph(3);
  const std::uint64_t expected = sendWide(graph.path(), {}).first;
  const auto sendOnThree = [&](std::uint64_t memoryBytes) {
    std::mutex mutex;
    std::uint64_t written = 0;
    LocalRanks(3).run([&](Communicator &communicator) {
      omp_set_num_threads(1); // of this rank
      const auto [sum, bytes] =
          sendWide(graph.path(),
                   {.memoryBytes = memoryBytes, .communicator = &communicator});
      EXPECT_EQ(sum, expected);
      const std::lock_guard lock(mutex);
      written += bytes;
    });
    return written;
  };
  EXPECT_EQ(sendOnThree(std::uint64_t(1) << 30), 0u);
  // The memory of the buffers, and little more.
  const std::uint64_t least = leastMemory(sendOnThree);
  EXPECT_GT(sendOnThree(least), std::uint64_t(4) << 20);
}

/// Counts the messages of each rank in a step in which active vertices send.
std::vector<std::uint64_t>
messagesPassed(const std::string &path, unsigned count,
               const std::function<bool(std::uint32_t)> &isActive) {
  std::vector<std::uint64_t> passed(count);
  LocalRanks ranks(count);
  ranks.run([&](Communicator &communicator) {
    ooc::Engine<> engine(path, {.communicator = &communicator});
    auto &sums = engine.vertexArray<std::uint64_t>("sums");
    engine.processEdges(
        [&](std::uint32_t v) {
          return isActive(v) ? std::optional<std::uint32_t>(v) : std::nullopt;
        },
        {},
        [&](std::uint32_t message, std::uint32_t, std::uint32_t to, auto) {
          sums[to] += message;
          return 0;
        },
        {sums});
    passed[communicator.rank()] = engine.counts().passedMessages;
  });
  return passed;
}

TEST(Ranks, PassOnlyWhatOthersNeed) {
  // Three partitions of a block each. In the first, the even vertices lead to
  // the second and one leads to the third; in the second, all lead to the
  // first.
  constexpr std::uint32_t Block = ooc::SourceBlockVertices;
  EdgeList<> list;
  list.vertexCount = 3 * Block;
  list.edges = Array<Edge<std::uint32_t>>(Block / 2 + 1 + Block);
  std::size_t i = 0;
  for (std::uint32_t v = 0; v < Block; v += 2)
    list.edges[i++] = {v, Block + v, {}};
  list.edges[i++] = {7, 2 * Block, {}};
  for (std::uint32_t v = 0; v < Block; ++v)
    list.edges[i++] = {Block + v, v, {}};
  const PreparedGraph graph(buildCsr(list),
                            {.partitions = 3, .alpha = 9, .batchVertices = 1});
  ASSERT_EQ(graph.layout.partitionBegins[1], Block);
  const auto passed = [&](unsigned count, auto isActive) {
    return messagesPassed(graph.path(), count, isActive);
  };
  using Counts = std::vector<std::uint64_t>;
  EXPECT_EQ(passed(3, [](std::uint32_t) { return true; }),
            (Counts{Block / 2 + 1, Block, 0}));
  // The first rank of two has one partition: the others need the even vertices
  // and an odd one.
  EXPECT_EQ(passed(2, [](std::uint32_t) { return true; }),
            (Counts{Block / 2 + 1, Block}));
  // Few messages go to all that have some use for the block.
  EXPECT_EQ(passed(3, [](std::uint32_t v) { return v < 10; }),
            (Counts{10 + 1, 0, 0}));
  EXPECT_EQ(passed(3, [](std::uint32_t) { return false; }), (Counts{0, 0, 0}));
}

TEST(Ranks, OthersGoOnWhereSomeWereCutOff) {
  const PreparedGraph graph(evenGraph(false),
                            {.partitions = 3, .batchVertices = 1});
  std::string expected;
  {
    ooc::Engine<> engine(graph.path());
    connectedComponentsByMessages(engine);
    expected = bytesOf<std::uint32_t>(engine, "component");
  }
  const int trials = isLongRun() ? 8 : 3;
  int cuts = 0;
  std::minstd_rand random;
  for (int trial = 0; trial < trials; ++trial)
    cuts += cutsUntilDone([&](bool resume) {
      const unsigned count = 1 + static_cast<unsigned>(random()) % 3;
      const unsigned victim = static_cast<unsigned>(random()) % count;
      const int steps = 5 + static_cast<int>(random() % 20);
      LocalRanks(count).run([&](Communicator &communicator) {
        ooc::EngineOptions options = {.checkpoints = true,
                                      .resume = resume,
                                      .communicator = &communicator};
        if (communicator.rank() == victim)
          options.progress = cutOffAfter(steps);
        ooc::Engine<> engine(graph.path(), options);
        connectedComponentsByMessages(engine);
        const auto found = bytesOf<std::uint32_t>(engine, "component");
        if (communicator.rank() == 0)
          EXPECT_TRUE(found == expected);
      });
    });
  EXPECT_GT(cuts, trials);
}

/// Returns the error that ends an engine on `count` ranks.
std::string problemOn(unsigned count,
                      const std::function<std::string(unsigned)> &pathOf,
                      bool resume = false) {
  LocalRanks ranks(count);
  return errorOf([&] {
    ranks.run([&](Communicator &communicator) {
      ooc::Engine<> engine(pathOf(communicator.rank()),
                           {.checkpoints = true,
                            .resume = resume,
                            .communicator = &communicator});
      pageRankByMessages(engine, {.iterations = 1});
    });
  });
}

TEST(Ranks, AreToldWhatIsWrong) {
  const PreparedGraph graph(evenGraph(true),
                            {.partitions = 2, .batchVertices = 1});
  const PreparedGraph other(evenGraph(false),
                            {.partitions = 2, .batchVertices = 1});
  const auto same = [&](unsigned) { return graph.path(); };
  EXPECT_EQ(problemOn(3, same),
            graph.path() + ": prepared for 2 ranks, but run with 3; run it "
                           "with fewer ranks, or prepare it again");
  const std::string problem = problemOn(2, [&](unsigned rank) {
    return rank == 0 ? graph.path() : other.path();
  });
  EXPECT_NE(problem.find(": expected the same graph on all ranks"),
            std::string::npos)
      << problem;

  // Checkpoints of two runs.
  ASSERT_EQ(problemOn(2, same), "nothing");
  namespace fs = std::filesystem;
  const std::string part = graph.path() + "/run/part-1";
  fs::copy(part, graph.path() + "/saved");
  ASSERT_EQ(problemOn(2, same), "nothing");
  EXPECT_EQ(problemOn(2, same, true), "nothing");
  fs::remove_all(part);
  fs::rename(graph.path() + "/saved", part);
  for (const unsigned count : {1u, 2u}) {
    const std::string runs = problemOn(count, same, true);
    EXPECT_NE(runs.find("expected checkpoints of one run in all partitions, "
                        "found checkpoints of several; start the run again"),
              std::string::npos)
        << runs;
  }
}

} // namespace
