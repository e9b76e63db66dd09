//===- DamagedInputTest.cpp - Bad files, read piece by piece --------------===//
//
// A bad file gives one error, which names the file and the position, and leaves
// no graph. The accepted files are those that readGraph() accepts.
//
//===----------------------------------------------------------------------===//

#include "PreparedGraph.h"

#include "../support/Mutation.h"
#include "heddle/graph/WriteGraph.h"

#include <cmath>
#include <cstring>
#include <tuple>
#include <vector>

namespace {

using namespace heddle::graph;
using namespace heddle::graph::ooc;
using namespace heddle::test;

constexpr std::size_t ChunkSizes[] = {1, 5, 1 << 18};

/// Returns the error of preparing such a file, without the path.
template <EdgeWeight Weight = Unweighted>
std::string problemOf(const std::string &name, const std::string &bytes,
                      const ReadOptions &text = {}) {
  const TemporaryDirectory directory;
  const std::string file = directory / name, graph = directory / "graph";
  std::ofstream(file, std::ios::binary) << bytes;
  const std::string problem = errorOf(
      [&] { prepare(*openEdgeSource<Weight>(file, {.text = text}), graph); });
  if (problem == "nothing")
    return problem;
  EXPECT_NE(
      errorOf([&] { readGraph<std::uint32_t, Weight>(file, {.text = text}); }),
      "nothing");
  // No file of the graph exists; the lock of a run may.
  if (std::filesystem::exists(graph))
    for (const auto &entry : std::filesystem::directory_iterator(graph))
      EXPECT_EQ(entry.path().filename(), "run");
  EXPECT_TRUE(problem.starts_with(file)) << problem;
  return problem.substr(std::min(file.size(), problem.size()));
}

/// Expects the problem in a text for all sizes of chunks.
template <EdgeWeight Weight = Unweighted>
void expectProblem(const std::string &name, const std::string &text,
                   const std::string &expected) {
  for (const std::size_t chunkBytes : ChunkSizes)
    EXPECT_EQ(problemOf<Weight>(name, text, {.chunkBytes = chunkBytes}),
              expected)
        << text << chunkBytes;
}

/// A file of numbers.
template <typename... Numbers> std::string bytesOf(Numbers... numbers) {
  std::string bytes;
  const auto add = [&](auto number) {
    char raw[sizeof(number)];
    std::memcpy(raw, &number, sizeof(number));
    bytes.append(raw, sizeof(number));
  };
  (add(numbers), ...);
  return bytes;
}

TEST(DamagedInput, MistakesInPairsAreNamed) {
  const std::string good = bytesOf(0u, 1u, 1u, 2u);
  EXPECT_EQ(problemOf("a.pairs", good), "nothing");
  EXPECT_EQ(problemOf("a.pairs", ""), "nothing");
  for (const std::size_t size : {9, 12, 15})
    EXPECT_EQ(problemOf("a.pairs", good.substr(0, size)),
              ": byte 8: expected edges of 8 bytes, found the end of the file "
              "after " +
                  std::to_string(size - 8) + " bytes of one");
  EXPECT_EQ(problemOf<std::int32_t>("a.pairs", good),
            ": byte 12: expected edges of 12 bytes, found the end of the file "
            "after 4 bytes of one");
  EXPECT_EQ(problemOf("a.pairs", bytesOf(0u, 1u, 1u, 0xffffffffu)),
            ": byte 12: expected a vertex below 4294967295, found 4294967295");
  EXPECT_EQ(problemOf("a.pairs", good, {.vertexCount = 2}),
            ": byte 12: expected a vertex below 2, found 2");
  EXPECT_EQ(problemOf("a.pairs", bytesOf(0u, 1u, 4000000000u, 2u)),
            ": byte 8: expected a vertex below 4194432 in a file of 2 edges, "
            "found 4000000000; if that is right, give the number of vertices");
  EXPECT_EQ(problemOf<float>("a.pairs", bytesOf(0u, 1u, 2.5f, 1u, 1u, NAN)),
            ": byte 20: expected a weight that is a number, found nan");
}

TEST(DamagedInput, PairsBeginWithTheirLowestByte) {
  const TemporaryDirectory directory;
  std::ofstream(directory / "a.pairs", std::ios::binary)
      .write("\2\1\0\0\1\0\0\0\xfe\xff\xff\xff", 12);
  const auto source = openEdgeSource<std::int32_t>(directory / "a.pairs");
  const auto edges = source->next();
  ASSERT_EQ(edges.size(), 1u);
  EXPECT_EQ(edges[0].from, 258u);
  EXPECT_EQ(edges[0].to, 1u);
  EXPECT_EQ(edges[0].weight, -2);
  EXPECT_TRUE(source->next().empty());
}

TEST(DamagedInput, MistakesInMatricesAreNamed) {
  const std::string banner =
      "%%MatrixMarket matrix coordinate pattern symmetric\n";
  expectProblem("a.mtx", banner + "0 0 0\n", "nothing");
  expectProblem("a.mtx", banner + "3 3 1\n0 1\n",
                ":3: expected a row or column from 1 to 3, found '0'");
  expectProblem("a.mtx", banner + "3 3 2\n1 1\n%\n1 4\n",
                ":5: expected a row or column from 1 to 3, found '4'");
  expectProblem("a.mtx", banner + "3 3 3\n1 1\n\n2 2\n",
                ":6: expected 3 entries, found the end of the file after 2");
  expectProblem("a.mtx", banner + "3 3 1\n1 1\n%\n2 2\n3 3\n",
                ":5: expected no more than 1 entries, found another");
  expectProblem("a.mtx", banner + "3 4 1\n1 1\n",
                ":2: expected as many columns as rows (3), found '4'");
  expectProblem("a.mtx", banner,
                ":2: expected the sizes of the matrix, found "
                "the end of the file");
  expectProblem("a.mtx", banner + "4000000000 4000000000 1\n1 1\n",
                ":2: expected at most 4194368 rows for 1 entries, found "
                "4000000000; if that is right, give the number of vertices");
  expectProblem<float>("a.mtx", banner + "1 1 1\n1 1\n",
                       ":1: expected a matrix with values, found 'pattern'");
  expectProblem<std::int32_t>(
      "a.mtx",
      "%%MatrixMarket matrix coordinate integer skew-symmetric\n"
      "2 2 1\n2 1 -2147483648\n",
      ": expected values of a skew-symmetric matrix whose opposites can be "
      "held, found -2147483648");
}

TEST(DamagedInput, MistakesInAdjacencyGraphsAreNamed) {
  const std::string start = "AdjacencyGraph\n3\n2\n";
  const std::string offset =
      ": expected an offset, not below the last and of at most 2, found ";
  expectProblem("a.adj", "AdjacencyGraph\n0\n0\n", "nothing");
  expectProblem("a.adj", "AdjacencyGraph\n3\n0\n0 0 0\n", "nothing");
  expectProblem("a.adj", start + "1\n1\n2\n0\n0\n",
                ":4: expected the offset 0, found '1'");
  expectProblem("a.adj", start + "0\n3\n2\n0\n0\n", ":5" + offset + "'3'");
  expectProblem("a.adj", start + "0\n2\n\n1\n0\n0\n", ":7" + offset + "'1'");
  expectProblem("a.adj", start + "0\nx\n2\n0\n0\n", ":5" + offset + "'x'");
  expectProblem("a.adj", start + "0 0 0\n1\n3\n",
                ":6: expected a vertex below 3, found '3'");
  expectProblem("a.adj", start + "0 0 0\n1\n2\n1\n",
                ":7: expected nothing more, found '1'");
  expectProblem("a.adj", start + "0 0 0\n1\n",
                ":6: expected 5 numbers after the header, found the end of the "
                "file after 4");
  expectProblem("a.adj", start + "0\n",
                ":5: expected 5 numbers after the header, found the end of the "
                "file after 1");
  expectProblem<std::int32_t>("a.adj", start + "0 0 0\n1\n2\n",
                              ":1: expected 'WeightedAdjacencyGraph', found "
                              "'AdjacencyGraph'");
  const std::string weighted = "WeightedAdjacencyGraph\n1\n1\n0\n0\n";
  expectProblem<std::int32_t>("a.wadj", weighted + "1.5\n",
                              ":6: expected a weight of 32 bits, found '1.5'");
  expectProblem("a.wadj", weighted + "x\n", ":6: expected a weight, found 'x'");
  expectProblem<float>("a.wadj", weighted + "1.5\n7\n",
                       ":7: expected nothing more, found '7'");
  expectProblem<float>("a.wadj", weighted,
                       ":6: expected 3 numbers after the header, found the end "
                       "of the file after 2");
}

/// Returns a directed graph with the edges 0-1, 0-2, 2-0, whose rows begin at
/// the first arguments.
std::string gap(std::int64_t first, std::int64_t second, std::int64_t third,
                std::int64_t end, std::int32_t target = 0) {
  const std::int64_t three = 3, zero = 0, one = 1, two = 2;
  return bytesOf(char(1), three, three, first, second, third, end, 1, 2, target,
                 zero, one, two, three, 2, 0, 0);
}

TEST(DamagedInput, MistakesInSerialisedGraphsAreNamed) {
  const std::string good = gap(0, 2, 2, 3);
  EXPECT_EQ(problemOf("a.sg", good), "nothing");
  EXPECT_EQ(problemOf("a.sg", std::string(25, '\0')), "nothing");
  EXPECT_EQ(problemOf("a.sg", gap(1, 2, 2, 3)),
            ": byte 17: expected the offset 0, found 1");
  EXPECT_EQ(problemOf("a.sg", gap(0, 2, 1, 3)),
            ": byte 33: expected an offset of at least 2, found 1");
  EXPECT_EQ(problemOf("a.sg", gap(0, 4, 4, 3)),
            ": byte 25: expected an offset of at most 3, found 4");
  EXPECT_EQ(problemOf("a.sg", gap(0, 2, 2, 2)),
            ": byte 41: expected the offset 3, found 2");
  EXPECT_EQ(problemOf("a.sg", gap(0, 2, 2, 3, 3)),
            ": byte 57: expected a vertex below 3, found 3");
  EXPECT_EQ(problemOf("a.sg", gap(0, 2, 2, 3, -1)),
            ": byte 57: expected a vertex below 3, found 4294967295");
  EXPECT_EQ(problemOf("a.sg", "\2" + good.substr(1)),
            ": byte 0: expected 0 or 1 (directed), found 2");
  EXPECT_EQ(problemOf("a.sg", good + "x"),
            ": byte 105: expected the end of the file, found more");
  EXPECT_EQ(problemOf<std::int32_t>("a.sg", good),
            ": expected weights, found a .sg file, which has none");
  // Edges without a vertex.
  EXPECT_EQ(problemOf("a.sg", bytesOf(char(0), std::int64_t(1), std::int64_t(0),
                                      std::int64_t(0), 0)),
            ": byte 17: expected the offset 1, found 0");
}

TEST(DamagedInput, ASerialisedGraphCutShortAnywhereIsAnError) {
  const TemporaryDirectory directory;
  const auto graph = withRandomWeights(buildCsr(generateGrid(2, 3)));
  for (const char *name : {"a.wsg", "a.wsg.gz", "a.wsg.zst"}) {
    writeGraph(directory / name, graph);
    const std::string whole = readText(directory / name);
    for (std::size_t size = 0; size < whole.size(); ++size) {
      const std::string problem = problemOf(name, whole.substr(0, size));
      EXPECT_TRUE(problem.starts_with(": byte ")) << size << problem;
    }
  }
  EXPECT_EQ(problemOf("a.sg", gap(0, 2, 2, 3).substr(0, 50)),
            ": byte 49: expected 3 targets of 4 bytes, found 1 bytes");
}

TEST(DamagedInput, WhatCanBeReadOnceOnlyIsNoAdjacencyGraph) {
  for (const auto format :
       {GraphFormat::Ligra, GraphFormat::Gap, GraphFormat::GapWeighted})
    EXPECT_EQ(errorOf([&] {
                openEdgeSource<Unweighted>("/dev/null", {.format = format});
              }),
              "/dev/null: expected a regular file, which can be read at "
              "several places at once");
}

/// The error in a file, or all of its edges in order.
struct Outcome {
  std::string problem;
  std::vector<std::tuple<std::uint32_t, std::uint32_t, float>> edges;

  template <typename Edges> void add(const Edges &more) {
    for (const auto &edge : more)
      if constexpr (requires { static_cast<float>(edge.weight); })
        edges.emplace_back(edge.from, edge.to, edge.weight);
      else
        edges.emplace_back(edge.from, edge.to, 0);
  }
  void sort() { std::ranges::sort(edges); }
};

template <EdgeWeight Weight> Outcome outcomeOf(const std::string &path) {
  Outcome outcome;
  outcome.problem = errorOf([&] {
    const auto source =
        openEdgeSource<Weight>(path, {.text = {.chunkBytes = 64}});
    for (auto piece = source->next(); !piece.empty(); piece = source->next())
      outcome.add(piece);
    for (const auto &[from, to, weight] : outcome.edges)
      EXPECT_LT(std::max(from, to), source->vertexCount());
  });
  outcome.sort();
  return outcome;
}

template <EdgeWeight Weight> Outcome outcomeAtOnce(const std::string &path) {
  Outcome outcome;
  outcome.problem = errorOf([&] {
    outcome.add(edgesOf(readGraph<std::uint32_t, Weight>(
        path, {.text = {.chunkBytes = 64},
               .build = {.parallelEdges = ParallelEdges::KeepAll}})));
  });
  outcome.sort();
  return outcome;
}

class DamagedAtRandom : public testing::TestWithParam<const char *> {};

TEST_P(DamagedAtRandom, FilesAreAcceptedAsTheyAreWhenReadAtOnce) {
  constexpr unsigned Rounds = 500;
  const TemporaryDirectory directory;
  const std::string path = directory / GetParam();
  // Only the number of edges in the other direction is checked.
  writeGraph(path, withRandomWeights(
                       buildCsr(generateKronecker({.scale = 4}),
                                {.directed = path.ends_with(".pairs")})));
  const std::string good = readText(path);
  unsigned accepted = 0;
  const auto compare = [&]<typename Weight>(Weight) {
    const Outcome found = outcomeOf<Weight>(path);
    const Outcome expected = outcomeAtOnce<Weight>(path);
    const bool isAccepted = found.problem == "nothing";
    EXPECT_EQ(isAccepted, expected.problem == "nothing")
        << found.problem << expected.problem;
    if (isAccepted)
      EXPECT_TRUE(found.edges == expected.edges);
    else
      EXPECT_TRUE(found.problem.starts_with(path)) << found.problem;
    accepted += isAccepted;
  };
  for (unsigned round = 0; round < Rounds; ++round) {
    SCOPED_TRACE(round);
    std::ofstream(path, std::ios::binary) << Mutation(round)(good);
    compare(Unweighted());
    if (!path.ends_with(".sg"))
      compare(std::int32_t());
  }
  EXPECT_GT(accepted, 0u);
  EXPECT_LT(accepted, 2 * Rounds * 9 / 10);
}

INSTANTIATE_TEST_SUITE_P(Formats, DamagedAtRandom,
                         testing::Values("a.pairs", "a.mtx", "a.wadj", "a.sg",
                                         "a.wsg", "a.wsg.gz", "a.wadj.zst"),
                         [](const auto &instance) {
                           std::string name = instance.param;
                           std::replace(name.begin(), name.end(), '.', '_');
                           return name;
                         });

} // namespace
