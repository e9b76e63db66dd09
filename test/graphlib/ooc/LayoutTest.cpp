//===- LayoutTest.cpp - Layouts and contents that make no sense -----------===//
//
// All checksums are right, as after a fault in a program that wrote them.
//
//===----------------------------------------------------------------------===//

#include "PreparedGraph.h"

#include "../support/InputFile.h"
#include "heddle/graph/ooc/CheckGraph.h"

#include <cstring>
#include <xxhash.h>

namespace {

using namespace heddle::graph;
using namespace heddle::graph::ooc;
using namespace heddle::test;

constexpr std::uint64_t Block = 4096;

/// A prepared graph whose files are changed.
class Changed {
public:
  explicit Changed(const std::string &path)
      : path(path), good(withoutSum(readText(layoutPath(path)))) {}

  /// Writes the layout with another number of the type of `value` at a byte.
  template <typename T> void change(std::size_t at, T value) const {
    std::string bytes = good;
    std::memcpy(bytes.data() + at, &value, sizeof(value));
    write(bytes);
  }

  /// Changes a byte of a partition's edges, and all checksums above it.
  void changeEdges(std::size_t part, std::size_t at, char byte) const {
    std::string edges = readText(edgesPath(path, part)),
                sums = readText(sumsPath(path, part));
    edges[at] = byte;
    const std::uint32_t sum = blockChecksum(
        reinterpret_cast<const std::byte *>(edges.data() + at / Block * Block));
    std::memcpy(sums.data() + at / Block * sizeof(sum), &sum, sizeof(sum));
    writeText(edgesPath(path, part), edges);
    writeText(sumsPath(path, part), sums);
    const GraphLayout layout = readLayout(path);
    change(
        64 + 8 * (layout.partitions() + 1) + part * sizeof(PartFileInfo) +
            offsetof(PartFileInfo, checksum),
        XXH3_64bits(sums.data(), edges.size() / Block * sizeof(std::uint32_t)));
  }

  std::uint64_t valueAt(std::size_t at) const {
    std::uint64_t value;
    std::memcpy(&value, good.data() + at, sizeof(value));
    return value;
  }
  std::size_t size() const { return good.size(); }

  /// The error of a check, without the path in front of it.
  std::string problem() const {
    return problemWith(path + "/graph", [&] { checkGraph(path); });
  }

private:
  static std::string withoutSum(std::string bytes) {
    bytes.resize(bytes.size() - sizeof(std::uint64_t));
    return bytes;
  }

  void write(std::string bytes) const {
    const std::uint64_t sum = XXH3_64bits(bytes.data(), bytes.size());
    bytes.append(reinterpret_cast<const char *>(&sum), sizeof(sum));
    writeText(layoutPath(path), bytes);
  }

  const std::string path, good;
};

PreparedGraph<> smallGraph() {
  return PreparedGraph<>(
      buildCsr(generateUniform({.vertices = 70000, .edges = 20000})),
      {.partitions = 2, .batchVertices = 1});
}

TEST(Layout, ItsHeaderIsChecked) {
  const PreparedGraph<> graph = smallGraph();
  const Changed changed(graph.path());
  EXPECT_EQ(changed.problem(), "accepted");
  const auto problemAt = [&](std::size_t at, auto value) {
    changed.change(at, value);
    return changed.problem();
  };
  EXPECT_EQ(problemAt(16, std::uint32_t(7)),
            ": byte 64: expected a known kind of weights, found 7");
  EXPECT_EQ(problemAt(20, std::uint32_t(2)),
            ": byte 64: expected 0 or 1 (undirected), found 2");
  EXPECT_EQ(problemAt(24, std::uint64_t(1) << 40),
            ": byte 64: expected at most 4294967295 vertices, found "
            "1099511627776");
  EXPECT_EQ(problemAt(40, std::uint64_t(0)),
            ": byte 64: expected batches of a multiple of 32768 vertices, at "
            "most 4294967296, found 0");
  EXPECT_EQ(problemAt(48, std::uint64_t(0)),
            ": byte 64: expected at least 1 partition, found 0");
  EXPECT_TRUE(problemAt(48, ~std::uint64_t(0))
                  .starts_with(": byte 64: expected at most "));
  EXPECT_EQ(problemAt(56, std::uint64_t(1) << 63),
            ": byte 64: expected groups of 1 to 256 batches, found "
            "9223372036854775808");
  EXPECT_TRUE(problemAt(32, std::uint64_t(1) << 60)
                  .ends_with(" edges, as in all chunks, found "
                             "1152921504606846976"));
  const std::uint64_t fewer = changed.valueAt(32) - 1;
  EXPECT_TRUE(problemAt(32, fewer).ends_with(
      " edges, as in all chunks, found " + std::to_string(fewer)));
}

TEST(Layout, EachNumberIsComparedWithOthers) {
  const PreparedGraph<> graph = smallGraph();
  const Changed changed(graph.path());
  for (std::size_t at = 24; at < changed.size(); at += 8) {
    const std::uint64_t value = changed.valueAt(at);
    for (const std::uint64_t other :
         {std::uint64_t(1) << 40, ~std::uint64_t(63), value + 1, value - 1}) {
      changed.change(at, other);
      const std::string problem = changed.problem();
      // A chunk need not have rows, groups may be smaller, and it does not
      // matter where a dispatching graph without edges is.
      if ((value == 1 && other == 0) || (at == 56 && other == value - 1) ||
          (value == 0 && at > 64))
        continue;
      EXPECT_NE(problem, "accepted") << at << ": " << value << " " << other;
    }
  }
}

TEST(Layout, ContentsAreComparedWithEachOther) {
  const PreparedGraph<> graph = smallGraph();
  const Changed changed(graph.path());
  const GraphLayout layout = graph.layout;
  const PartFileInfo &file = layout.files[0];
  const Chunk &chunk = layout.chunk(0, 0);
  const ChunkPlaces places = layout.places(0, chunk);
  ASSERT_GT(chunk.edges, 100u);
  const std::string edges = readText(edgesPath(graph.path(), 0));
  for (const std::uint64_t at :
       {places.sources + 1, places.begins, places.begins + 5, places.blocks + 1,
        places.blocks + 9, places.rows, places.rows + 1000, file.degreesOffset,
        file.degreesOffset + 4000, file.filtersOffset + 100,
        file.filterCountsOffset}) {
    changed.changeEdges(0, at, static_cast<char>(edges[at] ^ 0x41));
    EXPECT_NE(changed.problem(), "accepted") << at;
    // A run fails or not, but reads and writes nothing that is not its own.
    try {
      edgesOf<Unweighted>(graph.path());
    } catch (const Error &error) {
      EXPECT_NE(std::string(error.what()).find("damaged"), std::string::npos)
          << error.what();
    }
    changed.changeEdges(0, at, edges[at]);
    EXPECT_EQ(changed.problem(), "accepted") << at;
  }
}

TEST(Layout, TargetsAreVertices) {
  const PreparedGraph<> graph = smallGraph();
  const Changed changed(graph.path());
  const std::uint64_t at =
      graph.layout.places(0, graph.layout.chunk(0, 0)).targets + 1;
  changed.changeEdges(0, at, '\xff');
  EXPECT_NE(changed.problem(), "accepted");
  EXPECT_THROW(edgesOf<Unweighted>(graph.path()), Error);
}

TEST(Layout, AnUndirectedGraphHasBothDirections) {
  const PreparedGraph<> graph = smallGraph();
  const Changed changed(graph.path());
  changed.change(20, std::uint32_t(1));
  const std::string problem = changed.problem();
  EXPECT_NE(problem.find(": expected edges in both directions, as in an "
                         "undirected graph, that agree with the edges"),
            std::string::npos)
      << problem;
}

} // namespace
