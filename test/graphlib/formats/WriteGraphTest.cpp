//===- WriteGraphTest.cpp - Written graphs are read again -----------------===//

#include "heddle/graph/WriteGraph.h"
#include "../../support/FewOrAll.h"
#include "../support/GraphFiles.h"
#include "../support/Threads.h"
#include "heddle/graph/Generate.h"
#include "heddle/graph/RandomWeights.h"

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <sys/resource.h>

namespace {

using namespace heddle::graph;
using namespace heddle::test;

/// A graph with a hub, self-loops and vertices without edges; the last vertex
/// has one, because edge lists do not contain the number of vertices.
template <typename VertexId> Csr<VertexId> someGraph(bool directed) {
  auto list = generateKronecker<VertexId>({.scale = 9, .edgesPerVertex = 8});
  list.edges[0] = {static_cast<VertexId>(list.vertexCount - 1), 0, {}};
  return buildCsr(list, {.directed = directed});
}

template <typename VertexId, typename Weight>
Csr<VertexId, Weight> someWeightedGraph(bool directed) {
  if constexpr (std::same_as<Weight, Unweighted>) {
    return someGraph<VertexId>(directed);
  } else {
    auto graph = withRandomWeights<Weight>(someGraph<VertexId>(directed));
    auto [out, in] = std::move(graph).takeRows();
    // Different signs, and fractions where there may be some.
    for (auto *rows : {&out, &in})
      for (auto &weight : rows->weights)
        weight = static_cast<Weight>(100 - weight) / Weight(3);
    return directed ? Csr<VertexId, Weight>(std::move(out), std::move(in))
                    : Csr<VertexId, Weight>(std::move(out));
  }
}

template <typename Types> class WriteGraph : public testing::Test {};
using AllTypes =
    testing::Types<Csr<>, Csr<std::uint64_t>, Csr<std::uint32_t, std::int32_t>,
                   Csr<std::uint64_t, std::int64_t>, Csr<std::uint32_t, float>,
                   Csr<std::uint64_t, double>>;
TYPED_TEST_SUITE(WriteGraph, AllTypes);

TYPED_TEST(WriteGraph, EveryFormatGivesTheGraphBack) {
  using VertexId = typename TypeParam::VertexId;
  using Weight = typename TypeParam::Weight;
  std::vector<std::string> names = {"a.txt",   "a.wel", "a.csv", "a.tsv",
                                    "a.edges", "a.mtx", "a.adj", "a.wadj"};
  if (std::same_as<Weight, Unweighted> || sizeof(Weight) == 4)
    names.push_back("a.pairs");
  if (std::same_as<Weight, Unweighted>)
    names.insert(names.end(), {"a.el", "a.sg"});
  names.insert(names.end(), {"a.gr", "a.col"});
  if (std::same_as<Weight, std::int32_t>)
    names.push_back("a.wsg");
  for (bool directed : {true, false}) {
    const auto graph = someWeightedGraph<VertexId, Weight>(directed);
    const FlatGraph expected(graph);
    if (!directed && !std::floating_point<Weight>)
      names.push_back("a.graph");
    for (const std::string &name : names) {
      TemporaryDirectory directory;
      const std::string path = directory.file(name);
      writeGraph(path, graph);
      EXPECT_EQ(directory.entries(), 1u);
      // A Ligra file has both directions of undirected edges as it is.
      const auto found =
          readGraph<VertexId, Weight>(path, {.build = {.directed = directed}});
      EXPECT_TRUE(FlatGraph(found) == expected) << path << directed;
    }
  }
}

TEST(WriteGraphCompressed, WhatIsCompressedIsTheSame) {
  // Several pieces of each array, some of them incomplete.
  const auto graph = withRandomWeights(
      buildCsr(generateUniform({.vertices = 100000, .edges = 150000})));
  const FlatGraph expected(graph);
  for (const char *name : {"a.wel", "a.mtx", "a.adj", "a.wsg"})
    for (const char *compression : {".gz", ".zst"}) {
      TemporaryDirectory directory;
      const std::string path = directory.file(name) + compression;
      writeGraph(path, graph);
      const auto found = readGraph<std::uint32_t, std::int32_t>(
          path, {.text = {.vertexCount = 100000}});
      EXPECT_TRUE(FlatGraph(found) == expected) << path;
    }
}

TYPED_TEST(WriteGraph, AMappedGraphIsTheSame) {
  using VertexId = typename TypeParam::VertexId;
  using Weight = typename TypeParam::Weight;
  for (bool directed : {false, true}) {
    const auto graph = someWeightedGraph<VertexId, Weight>(directed);
    TemporaryDirectory directory;
    const std::string path = directory.file("a.hgraph");
    writeGraph(path, graph);
    for (bool verify : {false, true})
      for (bool map : {false, true}) {
        const auto found =
            readGraph<VertexId, Weight>(path, {.verify = verify, .map = map});
        EXPECT_TRUE(FlatGraph(found) == FlatGraph(graph));
      }
    // A mapping stays when the file has lost its name.
    const auto mapped = readGraph<VertexId, Weight>(path);
    std::filesystem::remove(path);
    EXPECT_TRUE(FlatGraph(mapped) == FlatGraph(graph));
  }
}

TEST(WriteGraphText, LinesAreThoseOfTheFormat) {
  EdgeList<> list;
  list.vertexCount = 3;
  list.edges = Array<Edge<std::uint32_t>>(3);
  list.edges[0] = {0, 2, {}};
  list.edges[1] = {1, 0, {}};
  list.edges[2] = {1, 1, {}};
  const auto graph = buildCsr(list, {.directed = false});
  TemporaryDirectory directory;
  const auto written = [&](const char *name) {
    const std::string path = directory.file(name);
    writeGraph(path, graph);
    return readText(path);
  };
  EXPECT_EQ(written("a.el"), "0 1\n0 2\n1 1\n");
  EXPECT_EQ(written("a.txt"), "# Undirected graph of 3 vertices and 3 edges\n"
                              "0 1\n0 2\n1 1\n");
  EXPECT_EQ(written("a.mtx"),
            "%%MatrixMarket matrix coordinate pattern symmetric\n"
            "3 3 3\n2 1\n2 2\n3 1\n");
  EXPECT_EQ(written("a.graph"), "3 3\n2 3\n1 2\n1\n");
  EXPECT_EQ(written("a.col"), "p edge 3 3\ne 1 2\ne 1 3\ne 2 2\n");
  EXPECT_EQ(written("a.adj"), "AdjacencyGraph\n3\n5\n0\n2\n4\n1\n2\n0\n1\n0\n");

  const auto weighted = withRandomWeights<float>(buildCsr(list));
  writeGraph(directory.file("b.csv"), weighted);
  const std::string text = readText(directory.file("b.csv"));
  EXPECT_EQ(std::count(text.begin(), text.end(), ','), 6);
  writeGraph(directory.file("b.el"), weighted);
  EXPECT_EQ(readText(directory.file("b.el")), "0 2\n1 0\n1 1\n");
  writeGraph(directory.file("b.gr"), buildCsr(list));
  EXPECT_EQ(readText(directory.file("b.gr")),
            "p sp 3 3\na 1 3 1\na 2 1 1\na 2 2 1\n");
}

TEST(WriteGraphText, ThreadsDoNotMatter) {
  const auto graph =
      withRandomWeights(buildCsr(generateUniform({50000, 200000, 3})));
  TemporaryDirectory directory;
  for (const char *name : {"a.wel", "a.wsg.gz", "a.adj.zst", "a.hgraph"}) {
    std::string expected;
    for (int threads : fewOrAll({1, 3}, std::vector(std::begin(ThreadCounts),
                                                    std::end(ThreadCounts)))) {
      ThreadCount scope(threads);
      writeGraph(directory.file(name), graph);
      const std::string text = readText(directory.file(name));
      if (expected.empty())
        expected = text;
      EXPECT_TRUE(text == expected) << name << threads;
    }
  }
}

TEST(WriteGraphEmpty, NothingIsWrittenAndRead) {
  const Csr<> graph;
  TemporaryDirectory directory;
  for (const char *name : {"a.el", "a.el.gz", "a.el.zst", "a.mtx.gz", "a.adj",
                           "a.gr", "a.sg", "a.sg.zst", "a.hgraph"}) {
    writeGraph(directory.file(name), graph);
    const auto found = readGraph(directory.file(name));
    EXPECT_EQ(found.vertexCount(), 0u) << name;
    EXPECT_EQ(found.edgeCount(), 0u) << name;
  }
}

template <typename Store>
std::string writeProblem(const std::string &path, const Store &graph) {
  return problemWith(path, [&] { writeGraph(path, graph); });
}

TEST(WriteGraphErrors, WhatCannotBeWrittenIsSaid) {
  const auto graph = someGraph<std::uint32_t>(true);
  TemporaryDirectory directory;
  EXPECT_EQ(writeProblem(directory.file("missing/a.sg"), graph),
            ": cannot write: No such file or directory");
  EXPECT_EQ(writeProblem(directory.file(""), graph),
            ": expected a name that ends in .el, .wel, .csv, .tsv, "
            ".edges, .txt, .pairs, .mtx, .adj, .wadj, .graph, .metis, .gr, "
            ".col, .dimacs, .sg, .wsg or .hgraph");
  EXPECT_EQ(writeProblem(directory.file("a.wsg"), graph),
            ": expected integer weights of 32 bits for this format, found none "
            "or others");
  EXPECT_EQ(writeProblem(directory.file("a.hgraph.gz"), graph),
            ": expected a name without .gz or .zst for a file that is to be "
            "mapped");
  EXPECT_EQ(writeProblem(directory.file("a.pairs"),
                         withRandomWeights<std::int64_t>(
                             someGraph<std::uint32_t>(true))),
            ": expected weights of 32 bits for this format, or none, found "
            "others");
  EXPECT_EQ(writeProblem(directory.file("a.graph"), graph),
            ": expected an undirected graph for this format, found a directed "
            "one");
  EXPECT_EQ(
      writeProblem(directory.file("a.graph"),
                   withRandomWeights<float>(someGraph<std::uint32_t>(false))),
      ": expected integer weights for this format, or none, found "
      "others");
  std::filesystem::create_directory(directory.file("b.sg"));
  EXPECT_EQ(writeProblem(directory.file("b.sg"), graph),
            ": cannot write: Is a directory");
  EXPECT_EQ(directory.entries(), 1u);
}

/// While it lives, no file can grow beyond `bytes`.
class FileSizeLimit {
public:
  explicit FileSizeLimit(rlim_t bytes)
      : handler(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before);
    const rlimit limit = {bytes, before.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
  }
  FileSizeLimit(const FileSizeLimit &) = delete;
  FileSizeLimit &operator=(const FileSizeLimit &) = delete;

private:
  void (*handler)(int);
  rlimit before;
};

TEST(WriteGraphErrors, AFileIsKeptIfAnotherCannotTakeItsPlace) {
  const auto graph = someGraph<std::uint32_t>(true);
  for (const char *name :
       {"a.el", "a.mtx", "a.adj.gz", "a.sg", "a.sg.zst", "a.hgraph"}) {
    TemporaryDirectory directory;
    const std::string path = directory.file(name);
    writeText(path, "precious");
    {
      FileSizeLimit limit(2000);
      EXPECT_EQ(writeProblem(path, graph), ": cannot write: File too large")
          << name;
      EXPECT_EQ(writeProblem(directory.file("new.sg"), graph),
                ": cannot write: File too large");
    }
    EXPECT_EQ(readText(path), "precious") << name;
    EXPECT_EQ(directory.entries(), 1u) << name;
  }
}

TEST(WriteGraphErrors, PermissionsAndLinksOfAFileStay) {
  const Csr<> graph;
  TemporaryDirectory directory;
  const std::string path = directory.file("real.el");
  writeText(path, "old");
  std::filesystem::permissions(path, std::filesystem::perms(0640));
  std::filesystem::create_symlink("real.el", directory.file("link.el"));
  writeGraph(directory.file("link.el"), graph);
  EXPECT_TRUE(std::filesystem::is_symlink(directory.file("link.el")));
  EXPECT_NE(readText(path), "old");
  EXPECT_EQ(std::filesystem::status(path).permissions(),
            std::filesystem::perms(0640));
}

TEST(WriteGraphErrors, DevicesAreWrittenTo) {
  EXPECT_EQ(writeProblem("/dev/full", Csr<>()),
            ": expected a name that ends in .el, .wel, .csv, .tsv, "
            ".edges, .txt, .pairs, .mtx, .adj, .wadj, .graph, .metis, .gr, "
            ".col, .dimacs, .sg, .wsg or .hgraph");
  EXPECT_NO_THROW(
      writeGraph("/dev/null", Csr<>(), {.format = GraphFormat::EdgeList}));
  EXPECT_THROW(
      writeGraph("/dev/full", Csr<>(), {.format = GraphFormat::MatrixMarket}),
      Error);
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

} // namespace
