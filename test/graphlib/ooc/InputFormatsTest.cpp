//===- InputFormatsTest.cpp - Preparing equals reading at once ------------===//

#include "../../support/FewOrAll.h"
#include "PreparedGraph.h"

#include "../support/InputFile.h"
#include "../support/SampleGraphs.h"
#include "heddle/graph/WriteGraph.h"

#include <array>
#include <sys/mman.h>
#include <sys/resource.h>

namespace {

using namespace heddle::graph;
using namespace heddle::graph::ooc;
using namespace heddle::test;

template <EdgeWeight Weight> using Edges = std::vector<Edge<uint32_t, Weight>>;

/// Sorts edges, so that their order does not depend on their origin.
template <EdgeWeight Weight> Edges<Weight> sorted(Edges<Weight> edges) {
  std::ranges::sort(edges, [](const auto &a, const auto &b) {
    if (a.from != b.from || a.to != b.to)
      return std::pair(a.from, a.to) < std::pair(b.from, b.to);
    if constexpr (std::same_as<Weight, Unweighted>)
      return false;
    else
      return a.weight < b.weight;
  });
  return edges;
}

template <EdgeWeight Weight>
void expectSame(const Csr<std::uint32_t, Weight> &expected,
                const std::string &file, const BuildOptions &build,
                const ReadOptions &text = {}) {
  const TemporaryDirectory directory;
  const auto source = openEdgeSource<Weight>(file, {.text = text});
  const GraphLayout layout =
      prepare(*source, directory / "graph", {.build = build});
  EXPECT_EQ(layout.vertices, expected.vertexCount());
  EXPECT_EQ(layout.edges, expected.edgeCount());
  EXPECT_EQ(layout.isUndirected, !expected.isDirected());
  EXPECT_TRUE(sorted(edgesOf<Weight>(directory / "graph")) ==
              sorted(edgesOf(expected)));
}

/// Prepares a file and compares it with the result of readGraph().
template <EdgeWeight Weight>
void expectSame(const std::string &file, const BuildOptions &build = {},
                const ReadOptions &text = {}) {
  SCOPED_TRACE(file);
  expectSame(
      readGraph<std::uint32_t, Weight>(file, {.text = text, .build = build}),
      file, build, text);
}

template <EdgeWeight Weight> std::vector<std::string> fileNames() {
  std::vector<std::string> names = {"a.pairs", "a.pairs.gz", "a.mtx",
                                    "a.mtx.zst", "a.gr"};
  if (std::same_as<Weight, Unweighted>)
    names.insert(names.end(), {"a.adj", "a.adj.gz", "a.sg", "a.sg.zst"});
  else
    names.insert(names.end(), {"a.wadj", "a.wadj.zst"});
  if (std::same_as<Weight, std::int32_t>)
    names.insert(names.end(), {"a.wsg", "a.wsg.gz"});
  return names;
}

/// Which differs from another one's cases by the kind of number only.
template <typename Weight>
constexpr bool isLeftToTheLongRun = std::same_as<Weight, float>;

template <typename Weight> class InputFormats : public testing::Test {};
using Weights = testing::Types<Unweighted, std::int32_t, float>;
TYPED_TEST_SUITE(InputFormats, Weights);

TYPED_TEST(InputFormats, AllSamplesAreTheSame) {
  if (isLeftToTheLongRun<TypeParam> && !isLongRun())
    GTEST_SKIP();
  const TemporaryDirectory directory;
  for (const auto &[name, list] : sampleLists<std::uint32_t>())
    for (const bool directed : {true, false})
      for (const auto parallel : fewOrAll<ParallelEdges>(
               {directed ? ParallelEdges::KeepAll
                         : ParallelEdges::KeepLightest},
               {ParallelEdges::KeepAll, ParallelEdges::KeepLightest})) {
        SCOPED_TRACE(name);
        const BuildOptions build = {.directed = directed,
                                    .parallelEdges = parallel};
        const auto graph = buildCsr(
            withWeights<TypeParam>(list),
            {.directed = directed, .parallelEdges = ParallelEdges::KeepAll});
        auto files = fileNames<TypeParam>();
        if (!directed && !std::floating_point<TypeParam>)
          files.push_back("a.graph");
        for (const std::string &file : files) {
          writeGraph(directory / file, graph);
          // Texts are read in many pieces.
          expectSame<TypeParam>(directory / file, build, {.chunkBytes = 400});
        }
      }
}

TYPED_TEST(InputFormats, GraphsOfManyPiecesAreTheSame) {
  if (isLeftToTheLongRun<TypeParam> && !isLongRun())
    GTEST_SKIP();
  const TemporaryDirectory directory;
  // Files are read 2^16 numbers or fewer at a time, texts also by their bytes.
  auto list = generateKronecker({.scale = 16, .edgesPerVertex = 5});
  // A list of edges shows the last vertex only if that has an edge.
  list.edges[0] = {7, list.vertexCount - 1, {}};
  // Directed are half of the files, and of each format one.
  bool directed = true;
  for (const std::string &file : fileNames<TypeParam>()) {
    const bool isCompressed = file.ends_with(".gz") || file.ends_with(".zst");
    if (isCompressed && file != "a.pairs.gz" && !isLongRun())
      continue;
    SCOPED_TRACE(file);
    const auto graph =
        buildCsr(withWeights<TypeParam>(list), {.directed = directed});
    writeGraph(directory / file, graph);
    expectSame(graph, directory / file, {.directed = directed});
    directed = !directed;
  }
}

TEST(InputFormat, VerticesThatAreGivenCountAsTheyDoWhenReadAtOnce) {
  const TemporaryDirectory directory;
  const Csr<> graph = buildCsr(generateGrid(3, 3));
  for (const char *name : {"a.pairs", "a.mtx", "a.adj"}) {
    writeGraph(directory / name, graph);
    expectSame<Unweighted>(directory / name, {}, {.vertexCount = 20});
  }
}

TEST(InputFormat, ValuesThatNobodyAskedForAreLeftOut) {
  const TemporaryDirectory directory;
  const auto graph = withRandomWeights(skewedGraph(true));
  for (const char *name : {"a.mtx", "a.wadj", "a.wsg"}) {
    writeGraph(directory / name, graph);
    expectSame<Unweighted>(directory / name);
  }
}

TEST(InputFormat, ASkewSymmetricMatrixHasOppositeWeights) {
  const TemporaryDirectory directory;
  std::ofstream(directory / "a.mtx")
      << "%%MatrixMarket matrix coordinate real skew-symmetric\n"
         "% comment\n4 4 2\n2 1 5\n4 1 -2\n";
  for (const auto parallel :
       {ParallelEdges::KeepAll, ParallelEdges::KeepLightest}) {
    expectSame<float>(directory / "a.mtx", {.parallelEdges = parallel});
    expectSame<Unweighted>(directory / "a.mtx", {.parallelEdges = parallel});
  }
}

/// Returns the error of reading a file piece by piece, without its path.
template <EdgeWeight Weight>
std::string problemInPieces(const std::string &path) {
  return problemWith(path, [&] {
    const auto source = openEdgeSource<Weight>(path);
    while (!source->next().empty()) {
    }
    EXPECT_TRUE(source->next().empty());
  });
}

TEST(InputFormat, DirectionsThatDifferAreFound) {
  const TemporaryDirectory directory;
  const std::string path = directory / "a.wsg";
  writeGraph(path, withRandomWeights(skewedGraph(true)));
  EXPECT_EQ(problemInPieces<std::int32_t>(path), "accepted");
  std::string bytes = readText(path);
  // The weight of the last in-edge.
  bytes[bytes.size() - 4] = static_cast<char>(bytes[bytes.size() - 4] + 1);
  writeText(path, bytes);
  EXPECT_EQ(
      problemInPieces<std::int32_t>(path),
      ": expected in-edges that are the out-edges reversed, found others");
  EXPECT_EQ(problemInPieces<Unweighted>(path), "accepted");
  writeGraph(path, withRandomWeights(skewedGraph(false)));
  EXPECT_EQ(problemInPieces<std::int32_t>(path), "accepted");
  bytes = readText(path);
  bytes[bytes.size() - 4] = static_cast<char>(bytes[bytes.size() - 4] + 1);
  writeText(path, bytes);
  EXPECT_EQ(problemInPieces<std::int32_t>(path),
            ": expected each edge of an undirected graph with the same weight "
            "in both directions, found others");
}

TEST(InputFormat, RandomWeightsAreThoseOfTheGraphReadAtOnce) {
  const TemporaryDirectory directory;
  const Csr<> graph = skewedGraph(false);
  const auto expected = edgesOf(withRandomWeights(skewedGraph(false), 3));
  for (const char *name : {"a.pairs", "a.mtx", "a.adj", "a.sg"}) {
    SCOPED_TRACE(name);
    writeGraph(directory / name, graph);
    const auto source =
        openEdgeSource<std::int32_t>(directory / name, {.randomWeightSeed = 3});
    const std::string prepared = directory / (std::string("prepared-") + name);
    prepare(*source, prepared, {.build = {.directed = false}});
    EXPECT_TRUE(edgesOf<std::int32_t>(prepared) == expected);
  }
}

TEST(InputFormat, ADirectedFinishedGraphCanBeMadeUndirected) {
  const TemporaryDirectory directory;
  const Csr<> graph = skewedGraph(true);
  writeGraph(directory / "a.sg", graph);
  EdgeList<std::uint32_t> list;
  list.vertexCount = graph.vertexCount();
  const auto edges = edgesOf(graph);
  list.edges = Array<Edge<std::uint32_t>>(edges.size());
  std::ranges::copy(edges, list.edges.begin());
  const BuildOptions undirected = {.directed = false};
  expectSame(buildCsr(list, undirected), directory / "a.sg", undirected);
}

/// Limits the program to a number of additional bytes of memory during the
/// object's lifetime.
class MemoryLimit {
public:
  explicit MemoryLimit(std::uint64_t bytes) {
    getrlimit(RLIMIT_DATA, &before);
    std::ifstream file("/proc/self/statm");
    std::array<std::uint64_t, 6> pages = {};
    for (std::uint64_t &count : pages)
      file >> count;
    rlimit limit = before;
    limit.rlim_cur =
        pages.back() * static_cast<std::uint64_t>(getpagesize()) + bytes;
    setrlimit(RLIMIT_DATA, &limit);
  }
  ~MemoryLimit() { setrlimit(RLIMIT_DATA, &before); }
  MemoryLimit(const MemoryLimit &) = delete;
  MemoryLimit &operator=(const MemoryLimit &) = delete;

private:
  rlimit before;
};

/// Files of graphs without edges.
std::string writeGap(const std::string &path, std::int64_t vertices) {
  std::ofstream(path, std::ios::binary)
      .write("\0\0\0\0\0\0\0\0\0", 9)
      .write(reinterpret_cast<const char *>(&vertices), sizeof(vertices));
  // The offsets are a hole.
  std::filesystem::resize_file(
      path, 17 + 8 * (static_cast<std::uintmax_t>(vertices) + 1));
  return path;
}
std::string writeLigra(const std::string &path, std::int64_t vertices) {
  std::ofstream file(path, std::ios::binary);
  file << "AdjacencyGraph\n" << vertices << "\n0\n";
  for (std::int64_t i = 0; i < vertices; ++i)
    file << "0\n";
  return path;
}

TEST(InputFormat, OffsetsAreNeverAllInMemory) {
  const TemporaryDirectory directory;
  const auto drain = [](const std::string &path) {
    const auto source = openEdgeSource<Unweighted>(path);
    while (!source->next().empty()) {
    }
    return source->vertexCount();
  };
  // Starts threads and allocates everything that is created once.
  EXPECT_EQ(drain(writeGap(directory / "few.sg", 4000000)), 4000000u);
  EXPECT_EQ(drain(writeLigra(directory / "few.adj", 4000000)), 4000000u);
  const std::string gap = writeGap(directory / "many.sg", 12000000);
  const std::string ligra = writeLigra(directory / "many.adj", 12000000);
  constexpr std::uint64_t Most = std::uint64_t(64) << 20;
  const MemoryLimit limit(Most);
  EXPECT_EQ(mmap(nullptr, 2 * Most, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
            MAP_FAILED);
  EXPECT_EQ(drain(gap), 12000000u);
  EXPECT_EQ(drain(ligra), 12000000u);
}

} // namespace
