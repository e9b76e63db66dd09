//===- PrepareTest.cpp - Graphs that are sorted on disk -------------------===//

#include "../../support/FewOrAll.h"
#include "PreparedGraph.h"

#include "../support/SampleGraphs.h"

#include <algorithm>
#include <random>
#include <set>

namespace {

using namespace heddle::graph;
using namespace heddle::graph::ooc;
using namespace heddle::test;

template <EdgeWeight Weight>
void expectSame(const PreparedGraph<Weight> &graph) {
  EXPECT_EQ(graph.layout.edges, graph.csr.edgeCount());
  EXPECT_EQ(graph.layout.vertices, graph.csr.vertexCount());
  EXPECT_TRUE(edgesOf<Weight>(graph.path()) == edgesOf(graph.csr));
}

TEST(Prepare, KeepsEdgesOfAllSamples) {
  for (const auto &[name, list] : sampleLists<std::uint32_t>()) {
    SCOPED_TRACE(name);
    expectSame(PreparedGraph(buildCsr(list)));
    expectSame(PreparedGraph(buildCsr(list, {.directed = false})));
  }
}

TEST(Prepare, KeepsEdgesInManyBatchesAndPartitions) {
  for (const unsigned partitions : fewOrAll<unsigned>({1, 4}, {1, 2, 4}))
    for (const std::uint64_t batch : {std::uint64_t(1), std::uint64_t(60000)}) {
      SCOPED_TRACE(std::to_string(partitions) + " " + std::to_string(batch));
      expectSame(PreparedGraph(skewedGraph(true), {.partitions = partitions,
                                                   .batchVertices = batch}));
      expectSame(
          PreparedGraph(withRandomWeights(evenGraph(false)),
                        {.partitions = partitions, .batchVertices = batch}));
    }
}

TEST(Prepare, DealsOutAgainWhatDoesNotFit) {
  // A fifth of the edges fits in memory, and one vertex has most of them.
  const PreparedGraph graph(
      buildCsr(listOf<std::uint32_t>(
          100000,
          [] {
            std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
            std::mt19937 random(1);
            for (int i = 0; i < 200000; ++i)
              edges.push_back(
                  {i % 3 ? 7 : random() % 100000, random() % 100000});
            return edges;
          }())),
      {.memoryBytes = std::uint64_t(33) << 20});
  expectSame(graph);
}

TEST(Prepare, TheOrderOfEdgesDoesNotMatter) {
  const auto prepared = [](auto reorder, const std::string &path) {
    auto list = generateKronecker({.scale = 16, .edgesPerVertex = 3});
    reorder(list);
    std::string text;
    for (const auto &edge : list.edges)
      text += std::to_string(edge.from) + " " + std::to_string(edge.to) + "\n";
    std::ofstream(path + ".el") << text;
    const auto source = openEdgeSource<Unweighted>(
        path + ".el", {.text = {.vertexCount = list.vertexCount}});
    prepare(*source, path, {.partitions = 2});
    return readText(edgesPath(path, 0)) + readText(edgesPath(path, 1));
  };
  const TemporaryDirectory directory;
  const std::string forward = prepared([](auto &) {}, directory / "a");
  EXPECT_EQ(forward, prepared(
                         [](auto &list) {
                           std::ranges::shuffle(list.edges, std::mt19937(2));
                         },
                         directory / "b"));
}

TEST(Prepare, OfParallelEdgesTheLightestStays) {
  const TemporaryDirectory directory;
  std::ofstream(directory / "list.wel") << "0 1 5\n1 0 3\n0 1 4\n2 2 1\n";
  BuildOptions build = {.directed = false};
  for (const bool keepAll : {false, true}) {
    build.parallelEdges =
        keepAll ? ParallelEdges::KeepAll : ParallelEdges::KeepLightest;
    const auto source = openEdgeSource<std::int32_t>(directory / "list.wel");
    const std::string path = directory / (keepAll ? "all" : "lightest");
    prepare(*source, path, {.build = build});
    EXPECT_TRUE(edgesOf<std::int32_t>(path) ==
                edgesOf(buildCsr(readEdgeList<std::uint32_t, std::int32_t>(
                                     directory / "list.wel"),
                                 build)));
  }
}

/// A tenth of the edges, which all have the same ends, fits in memory.
template <EdgeWeight Weight>
void expectSameParallel(const std::string &suffix, auto weightOf) {
  const TemporaryDirectory directory;
  const std::string list = directory / ("list" + suffix);
  {
    std::ofstream file(list);
    for (int i = 0; i < 300'000; ++i)
      file << "3 4" << weightOf(i) << '\n';
  }
  for (const bool keepAll : {false, true}) {
    SCOPED_TRACE(list + (keepAll ? " all" : " lightest"));
    const BuildOptions build = {.directed = false,
                                .parallelEdges =
                                    keepAll ? ParallelEdges::KeepAll
                                            : ParallelEdges::KeepLightest};
    const auto prepared = [&](const std::string &path, std::uint64_t bytes) {
      prepare(*openEdgeSource<Weight>(list), path,
              {.build = build, .memoryBytes = bytes});
      return readText(edgesPath(path, 0));
    };
    const std::string kind = keepAll ? "all" : "lightest";
    const std::string few =
        prepared(directory / ("few" + kind), std::uint64_t(33) << 20);
    const std::string many =
        prepared(directory / ("many" + kind), std::uint64_t(1) << 30);
    EXPECT_EQ(readLayout(directory / ("few" + kind)).edges,
              keepAll ? 600'000u : 2u);
    EXPECT_TRUE(few == many);
  }
}

TEST(Prepare, ParallelEdgesMayBeMoreThanFit) {
  expectSameParallel<Unweighted>(".el", [](int) { return ""; });
  if (isLongRun())
    expectSameParallel<std::int32_t>(".wel", [](int) { return " -7"; });
  expectSameParallel<std::int32_t>(".wel", [](int i) {
    return " " + std::to_string(i * 709 % 300'007 - 150'000);
  });
  expectSameParallel<float>(".wel", [](int i) {
    return " " + std::to_string(i * 709 % 300'007 - 150'000) + ".5e-3";
  });
}

TEST(Prepare, PartitionsAreBalanced) {
  const PreparedGraph graph(evenGraph(true), {.partitions = 3});
  ASSERT_EQ(graph.layout.partitions(), 3u);
  for (std::size_t part = 0; part < 3; ++part)
    EXPECT_NEAR(static_cast<double>(graph.layout.partitionSize(part)), 50000,
                BatchUnit);
}

TEST(Prepare, TellsWhatIsWrong) {
  const Csr<> graph = buildCsr(generateGrid(3, 3));
  const TemporaryDirectory directory;
  CsrEdges<Unweighted> edges(graph);
  EXPECT_EQ(
      errorOf([&] { prepare(edges, directory / "parts", {.partitions = 2}); }),
      "expected at most 1 partitions of a graph with 9 vertices, found "
      "2");
  EXPECT_THROW(readLayout(directory / "parts"), Error);

  CsrEdges<Unweighted> again(graph);
  prepare(again, directory / "twice");
  EXPECT_EQ(errorOf([&] { prepare(again, directory / "twice"); }),
            (directory / "twice") +
                ": there is a prepared graph already; remove it, "
                "or choose another directory");

  {
    const RunDirectory other(directory / "shared/run");
    EXPECT_EQ(errorOf([&] { prepare(again, directory / "shared"); }),
              (directory / "shared") +
                  "/run: another run uses this directory; wait until it "
                  "has ended");
  }

  EXPECT_EQ(errorOf([&] {
              prepare(again, directory / "small", {.memoryBytes = 7 << 20});
            }),
            "expected a memory budget of at least 33 MiB, found 7 MiB");
  EXPECT_FALSE(std::filesystem::exists(directory / "small"));

  std::ofstream(directory / "file") << "";
  EXPECT_THROW(prepare(again, directory / "file"), WriteError);

  std::ofstream(directory / "bad.el") << "0 1\n1 x\n";
  EXPECT_EQ(errorOf([&] {
              prepare(*openEdgeSource<Unweighted>(directory / "bad.el"),
                      directory / "bad");
            }),
            (directory / "bad.el") +
                ":2: expected a vertex below 4294967295, found 'x'");
}

TEST(Prepare, RemovesWhatAKilledPreparationHasLeft) {
  const TemporaryDirectory directory;
  const std::string path = directory / "graph";
  const Csr<> csr =
      buildCsr(listOf<std::uint32_t>(4, {{0, 1}, {1, 2}, {3, 2}}));
  {
    CsrEdges<Unweighted> edges(csr);
    prepare(edges, path);
  }
  // As if it had been for more ranks, and killed before its layout was there.
  std::filesystem::remove(layoutPath(path));
  for (const std::size_t part : {1, 7, 39}) {
    writeText(edgesPath(path, part), "edges");
    writeText(sumsPath(path, part), "sums");
  }
  writeText(path + "/graph-0123456789abcdef.tmp", "half");
  writeText(path + "/notes.txt", "mine");
  CsrEdges<Unweighted> edges(csr);
  prepare(edges, path);
  std::set<std::string> names;
  for (const auto &file : std::filesystem::directory_iterator(path))
    names.insert(file.path().filename());
  EXPECT_EQ(names, (std::set<std::string>{"graph", "notes.txt", "part-0.edges",
                                          "part-0.sums", "run"}));

  // Files of these names that no preparation has left are not touched.
  const std::string other = directory / "other";
  std::filesystem::create_directory(other);
  writeText(edgesPath(other, 5), "mine");
  CsrEdges<Unweighted> again(csr);
  prepare(again, other);
  EXPECT_EQ(readText(edgesPath(other, 5)), "mine");
}

} // namespace
