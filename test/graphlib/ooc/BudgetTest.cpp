//===- BudgetTest.cpp - Calls within a budget -----------------------------===//

#include "../support/Threads.h"
#include "PreparedGraph.h"
#include "heddle/graph/detail/ooc/memory/MemoryBudget.h"
#include "heddle/graph/detail/ooc/memory/ProgramMemory.h"

namespace {

using namespace heddle::graph;
using namespace heddle::test;
using ooc::PieceBuffers;

constexpr std::uint64_t MiB = std::uint64_t(1) << 20;

TEST(Budget, FewPiecesAreReadAheadWhereManyWouldTakeMuch) {
  const auto within = [](std::uint64_t budgetBytes, std::size_t threads) {
    return PieceBuffers::within(budgetBytes, threads, 2, ooc::WeightKind::None);
  };
  const PieceBuffers many = within(1024 * MiB, 2), few = within(0, 2);
  EXPECT_EQ(many.count, 4u);
  EXPECT_EQ(few.count, 2u);
  EXPECT_EQ(2 * few.bytes(), many.bytes());
  // An eighth, without the program itself.
  const std::uint64_t enough = ooc::ProgramBytes + 8 * 2 * many.bytes();
  EXPECT_EQ(within(enough, 2).count, 4u);
  EXPECT_EQ(within(enough - 8, 2).count, 2u);
  EXPECT_EQ(within(enough, 3).count, 2u);
  // Targets and weights take the bytes of their types.
  EXPECT_EQ(PieceBuffers::within(0, 1, 3, ooc::WeightKind::Int32).pieceBytes() -
                few.pieceBytes(),
            5 * ooc::ChunkScan::PieceEdges);
}

/// The least budget of a program may be above the threshold from which more
/// pieces are read ahead. These take more memory than under the failed budget,
/// and the named budget includes that.
TEST(Budget, WhatIsNamedWillDo) {
  struct Wide {
    std::uint64_t values[64];
  };
  const PreparedGraph<> graph(skewedGraph(true), {.batchVertices = 150000});
  const auto edgesInto = [&](std::uint64_t memoryBytes) {
    ooc::Engine<> engine(graph.path(), {.memoryBytes = memoryBytes});
    auto &value = engine.vertexArray<Wide>("value");
    return engine.processEdges(
        [](std::uint32_t v) { return std::optional(v); }, {},
        [&](std::uint32_t message, std::uint32_t, std::uint32_t to, auto) {
          value[to].values[message % 64] += message;
          return std::uint64_t(message ^ to);
        },
        {value});
  };
  const std::uint64_t expected = edgesInto(1024 * MiB);
  for (const int threads : {1, 2}) {
    const ThreadCount count(threads);
    const std::string problem = errorOf([&] { edgesInto(1); });
    const std::uint64_t named = memoryNamedBy(problem);
    ASSERT_NE(named, 0u) << problem;
    const auto piecesOf = [&](std::uint64_t budgetBytes) {
      return PieceBuffers::within(budgetBytes, threads,
                                  graph.layout.targetBytes(),
                                  ooc::WeightKind::None)
          .count;
    };
    EXPECT_NE(piecesOf(1), piecesOf(named));
    EXPECT_EQ(edgesInto(named), expected) << threads;
  }
}

/// The memory of a run: 10 MiB for any budget, and a tenth of the budget.
ooc::FixedMemory tenthOfBudget(std::uint64_t budgetBytes) {
  return {.constant = 10 * MiB,
          .scaled = budgetBytes / 10,
          .scaledWithin = [](std::uint64_t bytes) { return bytes / 10; }};
}

TEST(Budget, MessagesThenVertexDataThenEdgesGetTheRest) {
  ooc::MemoryBudget budget(100 * MiB, false);
  ASSERT_TRUE(budget.reserve(tenthOfBudget(100 * MiB)));
  const auto divide = [&](std::uint64_t messages, std::uint64_t windows) {
    return *budget.divide(
        {.windowsInUse = 5 * MiB,
         .allWindows = windows,
         .messages = {.buffers = 5 * MiB, .messages = messages}});
  };
  // Half of the other 70 MiB at most are for messages.
  const ooc::MemoryDivision few = divide(10 * MiB, 20 * MiB);
  EXPECT_EQ(few.messages, 10 * MiB);
  EXPECT_EQ(few.windows, 20 * MiB);
  EXPECT_EQ(few.edges, 45 * MiB);
  EXPECT_EQ(budget.current().edges, few.edges);
  const ooc::MemoryDivision many = divide(1024 * MiB, 1024 * MiB);
  EXPECT_EQ(many.messages, 35 * MiB);
  EXPECT_EQ(many.windows, 40 * MiB);
  EXPECT_EQ(many.edges, 0u);
  EXPECT_FALSE(many.dispatches);
}

TEST(Budget, MessagesAreDispatchedWhereTheyDoNotFitAndThatTakesLittle) {
  const auto dispatches = [&](std::uint64_t messages, std::uint64_t dispatching,
                              bool always = false) {
    ooc::MemoryBudget budget(100 * MiB, always);
    EXPECT_TRUE(budget.reserve(tenthOfBudget(100 * MiB)));
    return budget
        .divide(
            {.messages = {.messages = messages, .dispatching = dispatching}})
        ->dispatches;
  };
  EXPECT_TRUE(dispatches(41 * MiB, 20 * MiB));
  EXPECT_FALSE(dispatches(40 * MiB, 20 * MiB));
  EXPECT_FALSE(dispatches(41 * MiB, 21 * MiB));
  EXPECT_TRUE(dispatches(1 * MiB, 21 * MiB, true));
  EXPECT_FALSE(dispatches(1024 * MiB, 0, true));
}

TEST(Budget, WhatIsNamedHasRoomForWhatGrowsWithIt) {
  const ooc::CallMemory call = {.windowsInUse = 80 * MiB, .messages = {}};
  ooc::MemoryBudget small(50 * MiB, false);
  EXPECT_TRUE(small.reserve(tenthOfBudget(50 * MiB)));
  EXPECT_EQ(errorOf([&] { small.divide(call); }),
            "expected a memory budget of at least 100 MiB, found 50 MiB; "
            "smaller batches or fewer threads take less");
  small.beginRehearsal();
  EXPECT_FALSE(small.divide(call));
  EXPECT_NE(errorOf([&] { small.endRehearsal(); }).find("at least 100 MiB"),
            std::string::npos);
  ooc::MemoryBudget enough(100 * MiB, false);
  EXPECT_TRUE(enough.reserve(tenthOfBudget(100 * MiB)));
  EXPECT_TRUE(enough.divide(call));
  EXPECT_FALSE(ooc::MemoryBudget(5 * MiB, false).reserve(tenthOfBudget(0)));
}

/// A call that needs little comes first, and one that needs much is not known
/// before the program has been gone through.
TEST(Budget, ARehearsalKnowsWhatAllCallsNeed) {
  const PreparedGraph<> graph(skewedGraph(true), {.batchVertices = 150000});
  std::uint64_t done = 0;
  const auto program = [&](ooc::Engine<> &engine) {
    auto &value = engine.vertexArray<std::uint32_t>("value");
    done += engine.processVertices(
        [&](std::uint32_t v) -> std::uint64_t { return value[v] = 1; },
        {value});
    return engine.processEdges(
        [](std::uint32_t v) { return std::optional(v); }, {},
        [&](std::uint32_t, std::uint32_t, std::uint32_t to, auto) {
          return std::uint64_t(value[to]++ > 0);
        },
        {value});
  };
  const auto rehearsed = [&](std::uint64_t memoryBytes) {
    ooc::Engine<> engine(graph.path(),
                         {.memoryBytes = memoryBytes, .checkpoints = true});
    std::uint64_t result = 1;
    engine.rehearse([&] { result = program(engine); });
    EXPECT_EQ(result + done, 0u);
    return program(engine);
  };
  {
    ooc::Engine<> earlier(graph.path(), {.checkpoints = true});
    earlier.processVertices([](std::uint32_t) { return 0; }, {});
  }
  const std::string problem = errorOf([&] { rehearsed(1); });
  ASSERT_NE(memoryNamedBy(problem), 0u) << problem;
  // The one before is still there.
  EXPECT_EQ(ooc::Engine<>(graph.path(), {.resume = true})
                .processVertices([](std::uint32_t) { return 7; }, {}),
            0);
  EXPECT_GT(rehearsed(memoryNamedBy(problem)), 0u);
  EXPECT_EQ(done, graph.layout.vertices);
}

/// If the graph's checksums alone, or the index of its edges, take more than
/// the budget, neither is read.
TEST(Budget, WhatTheGraphTakesIsKnownBeforeItIsRead) {
  const TemporaryDirectory directory;
  std::filesystem::create_directory(directory / "graph");
  const auto problemOf = [&](const ooc::GraphLayout &layout,
                             std::uint64_t memoryBytes) {
    ooc::writeLayout(directory / "graph", layout);
    return errorOf([&] {
      ooc::Engine<> engine(directory / "graph", {.memoryBytes = memoryBytes});
      engine.processVertices([](std::uint32_t) { return 0; }, {});
    });
  };
  ooc::GraphLayout large;
  large.vertices = 100'000'000;
  large.batchVertices = ooc::BatchUnit;
  large.partitionBegins = {0, large.vertices};
  large.deriveBatches();
  large.deriveGroups();
  large.dispatchingGraphs.resize(large.groups.size());
  ooc::GraphLayout many = large, full = large;
  many.files = {{.bytes = std::uint64_t(1) << 20}};
  many.chunks.resize(many.batches(), {.edges = 1, .sources = 1});
  many.edges = many.chunks.size();
  full.files = {{.bytes = std::uint64_t(1) << 36}};
  full.chunks.resize(full.batches());
  const std::uint64_t starts = (many.sourceBlocks(0) + 1) * many.batches();
  for (const auto &[layout, bytes] :
       {std::pair(many, starts * sizeof(ooc::SourceBlock)),
        std::pair(full, std::uint64_t(1) << 26)}) {
    const std::string problem = problemOf(layout, 64 * MiB);
    const std::uint64_t named = memoryNamedBy(problem);
    ASSERT_NE(named, 0u) << problem;
    EXPECT_GT(named, ooc::ProgramBytes + bytes);
    // With this budget, the graph would be read, but does not exist.
    EXPECT_NE(problemOf(layout, named).find("/part-0.edges: No such file"),
              std::string::npos);
  }
}

} // namespace
