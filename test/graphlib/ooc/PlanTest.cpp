//===- PlanTest.cpp - The cost of an iteration ----------------------------===//

#include "PreparedGraph.h"

#include "heddle/graph/ooc/Plan.h"

#include <cmath>
#include <omp.h>

namespace {

using namespace heddle::graph;
using namespace heddle::graph::ooc;
using namespace heddle::test;

constexpr double GiB = 1 << 30;

PlanOptions kron38(unsigned ranks) {
  return {.vertices = 0x1p38,
          .edges = 0x1p40,
          .vertexBytes = 12,
          .ranks = ranks,
          .threads = 12,
          .memoryBytes = std::uint64_t(88) << 30};
}

/// Returns the number of pairs of a vertex and a possible target of its edges,
/// out of `pairs`, that have edges.
double pairsWithEdges(double edges, double pairs) {
  return pairs * (1 - std::pow(1 - 1 / pairs, edges));
}

TEST(Plan, HasTheTermsOfTable2) {
  // Few edges for each vertex, and hardly any memory.
  const PlanOptions options = {.vertices = 0x1p30,
                               .edges = 0x1p28,
                               .vertexBytes = 8,
                               .messageBytes = 6,
                               .ranks = 4,
                               .memoryBytes = 1};
  const IterationPlan plan = planIteration(options);
  const double ranks = 4, vertices = 0x1p28, edges = 0x1p26, record = 8;
  const double ofVertices = vertices * 8 * (1 - plan.verticesInMemory);
  EXPECT_LT(plan.verticesInMemory, 0.001);
  EXPECT_TRUE(plan.dispatches);
  const auto &[generate, pass, dispatch, process] = plan.phases;
  EXPECT_DOUBLE_EQ(generate.readBytes, ofVertices);
  EXPECT_DOUBLE_EQ(generate.writtenBytes,
                   vertices * record + plan.verticesInMemory * vertices * 8);
  // A filter has a bit for each vertex.
  EXPECT_DOUBLE_EQ(pass.readBytes, (ranks - 1) * vertices * (record + 0.125));
  EXPECT_DOUBLE_EQ(pass.writtenBytes, 0);
  const double passed = (ranks - 1) * pairsWithEdges(edges / ranks, vertices);
  EXPECT_NEAR(pass.sentBytes, passed * record, 1e-6 * pass.sentBytes);
  // All messages for every 256 of the batches, and for each edge of a
  // dispatching graph its target, its source, and the beginning of that
  // source's edges.
  const double dispatched =
      pairsWithEdges(edges, ranks * vertices * plan.batches);
  const double groups = plan.batches / 256;
  EXPECT_NEAR(dispatch.readBytes,
              (vertices + passed) * groups * record + dispatched * 1 +
                  pairsWithEdges(edges, ranks * vertices * groups) * (2 + 4),
              1e-6 * dispatch.readBytes);
  // Messages from other ranks, and dispatched ones.
  EXPECT_NEAR(dispatch.writtenBytes, (passed + dispatched) * record,
              1e-6 * dispatch.writtenBytes);
  // The target of an edge in a batch of up to 2^16 vertices, its source, and
  // where the edges of that begin.
  EXPECT_NEAR(process.readBytes,
              ranks * ofVertices + dispatched * (record + 2 + 4) + edges * 2,
              1e-6 * process.readBytes);
  EXPECT_DOUBLE_EQ(process.writtenBytes, ranks * ofVertices);
}

TEST(Plan, AVertexSendsOneMessageToARankAndABatch) {
  // There are enough edges that all vertices have some to all batches.
  const IterationPlan plan = planIteration({.vertices = 0x1p20,
                                            .edges = 0x1p34,
                                            .messageBytes = 6,
                                            .ranks = 2,
                                            .memoryBytes = 1});
  EXPECT_DOUBLE_EQ(plan.phases[1].sentBytes, 0x1p19 * 8);
  EXPECT_DOUBLE_EQ(plan.batches, 16);
  // If all batches need all messages, they read them directly.
  EXPECT_FALSE(plan.dispatches);
  EXPECT_DOUBLE_EQ(plan.phases[3].writtenBytes,
                   2 * 0x1p19 * 16 * (1 - plan.verticesInMemory));
  EXPECT_NEAR(plan.phases[3].readBytes,
              plan.phases[3].writtenBytes + 16 * 0x1p20 * 8 + 0x1p33 * 2 +
                  16 * 0x1p20 * 6,
              1);
}

TEST(Plan, HoldsForATrillionEdgesAndMore) {
  const IterationPlan plan = planIteration(kron38(8));
  EXPECT_TRUE(plan.memorySuffices(kron38(8)));
  EXPECT_GT(plan.graphBytes, 0x1p37 * 4);
  // Each edge is in a chunk and, at most, in a dispatching graph.
  EXPECT_LT(plan.graphBytes, 0x1p37 * 32);
  // Batches must have fewer than 2^32 edges.
  EXPECT_LT(static_cast<double>(plan.batchVertices) * 8, 0x1p32);
  EXPECT_GT(plan.phases[3].readBytes, 0x1p37 * 4);
  EXPECT_GT(plan.seconds(), 1800);
  EXPECT_LT(plan.seconds(), 7.36 * 3600) << "what the paper's iteration took";
  const PlanOptions most = {.vertices = 1e18, .edges = 1e18};
  EXPECT_GT(planIteration(most).total().readBytes, 1e19);
  EXPECT_TRUE(std::isfinite(planIteration(most).seconds()));
  EXPECT_FALSE(planIteration(most).memorySuffices(most));
}

TEST(Plan, MoreMemoryNeverCostsMore) {
  double before = INFINITY;
  PlanOptions options = {.vertices = 1e9, .edges = 3e10};
  // The batches must be the same: larger ones have other messages.
  for (options.memoryBytes = std::uint64_t(22) << 30;
       options.memoryBytes < std::uint64_t(1) << 40;
       options.memoryBytes += std::uint64_t(8) << 30) {
    const PhaseCost cost = planIteration(options).total();
    EXPECT_LE(cost.readBytes + cost.writtenBytes, before);
    before = cost.readBytes + cost.writtenBytes;
  }
  EXPECT_EQ(before, 0) << "what fits in memory stays there";
}

TEST(Plan, TimeIsThatOfTheSlowerOfDiskAndNetwork) {
  PlanOptions options = kron38(8);
  const double before = planIteration(options).seconds();
  options.diskBytesPerSecond /= 2;
  EXPECT_DOUBLE_EQ(planIteration(options).seconds(), 2 * before);
  options.networkBytesPerSecond = 1e6;
  EXPECT_DOUBLE_EQ(planIteration(options).seconds(),
                   planIteration(options).total().sentBytes / 1e6);
}

TEST(Plan, NothingIsSentByOneRank) {
  const PhaseCost pass = planIteration(kron38(1)).phases[1];
  EXPECT_EQ(pass.readBytes, 0);
  EXPECT_EQ(pass.sentBytes, 0);
}

TEST(Plan, OfNothingIsNothing) {
  const IterationPlan plan = planIteration({.memoryBytes = 1 << 30});
  EXPECT_EQ(plan.total().readBytes, 0);
  EXPECT_EQ(plan.graphBytes, 0);
  EXPECT_LT(plan.leastMemoryBytes, GiB);
}

TEST(Plan, FailsForWhatCannotBe) {
  EXPECT_EQ(errorOf([] { planIteration({.vertices = 0, .edges = 1}); }),
            "expected vertices for the edges, found none");
  EXPECT_EQ(errorOf([] {
              planIteration({.vertices = 65536, .edges = 1, .ranks = 3});
            }),
            "expected at most 2 ranks for so few vertices, found 3");
}

void expectAbout(std::uint64_t measured, double planned) {
  EXPECT_NEAR(static_cast<double>(measured), planned, 0.15 * planned);
}

/// Edges whose ends are random vertices, as a plan assumes, in little memory.
TEST(Plan, IsWhatAnIterationMoves) {
  PlanOptions options = {.vertices = 1 << 19,
                         .vertexBytes = sizeof(double),
                         .messageBytes = sizeof(double),
                         .threads =
                             static_cast<unsigned>(omp_get_max_threads())};
  const PreparedGraph<> graph(
      buildCsr(generateUniform({.vertices = 1 << 19, .edges = 8 << 19}),
               {.directed = true}),
      {.threads = options.threads, .vertexBytes = options.vertexBytes});
  options.edges = static_cast<double>(graph.layout.edges);
  const double least = planIteration(options).leastMemoryBytes;
  options.memoryBytes = static_cast<std::uint64_t>(least) + (1 << 20);
  const IterationPlan plan = planIteration(options);
  ASSERT_EQ(plan.batchVertices, graph.layout.batchVertices);
  expectAbout(graph.layout.files[0].bytes, plan.graphBytes);

  Engine<> engine(graph.path(), {.memoryBytes = options.memoryBytes});
  auto &value = engine.vertexArray<double>("value");
  const auto iterate = [&] {
    engine.processEdges(
        [&](std::uint32_t v) -> std::optional<double> {
          if (v % 64 == 0) // or else no list of senders is needed
            return std::nullopt;
          return value[v];
        },
        {std::as_const(value)},
        [&](double message, std::uint32_t, std::uint32_t to, Unweighted) {
          value[to] += message + 1;
          return 0;
        },
        {value});
  };
  iterate();
  const TransferCounts before = engine.counts().bytes;
  iterate();
  const TransferCounts after = engine.counts().bytes;
  expectAbout(after.read - before.read, plan.total().readBytes);
  expectAbout(after.written - before.written, plan.total().writtenBytes);
}

} // namespace
