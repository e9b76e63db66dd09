//===- GapTest.cpp - Good and bad serialised graphs -----------------------===//

#include "../support/GraphFiles.h"

#include <gtest/gtest.h>

#include <cstring>

namespace {

using namespace heddle::graph;
using namespace heddle::test;

/// A file as a list of numbers.
class Bytes {
public:
  template <typename T> Bytes &add(std::initializer_list<T> numbers) {
    for (const T number : numbers) {
      char bytes[sizeof(T)];
      std::memcpy(bytes, &number, sizeof(T));
      text.append(bytes, sizeof(T));
    }
    return *this;
  }
  std::string text;
};

/// Returns a directed graph with the edges 0-1, 0-2, 2-0, with these offsets
/// and targets.
std::string directed(std::initializer_list<std::int64_t> offsets = {0, 2, 2, 3},
                     std::initializer_list<std::int32_t> targets = {1, 2, 0}) {
  return Bytes()
      .add<char>({1})
      .add<std::int64_t>({3, 3})
      .add(offsets)
      .add(targets)
      .add<std::int64_t>({0, 1, 2, 3})
      .add<std::int32_t>({2, 0, 0})
      .text;
}

std::string weightedUndirected() {
  return Bytes()
      .add<char>({0})
      .add<std::int64_t>({2, 2, 0, 1, 2})
      .add<std::int32_t>({1, -77, 0, -77})
      .text;
}

TEST(Gap, DirectedGraphsHaveBothDirections) {
  const FlatEdges out = {{0, 1, 0}, {0, 2, 0}, {2, 0, 0}};
  const FlatEdges in = {{0, 2, 0}, {1, 0, 0}, {2, 0, 0}};
  const FlatGraph graph = graphOf("a.sg", directed());
  EXPECT_TRUE(graph.directed);
  EXPECT_EQ(graph.out, out);
  EXPECT_EQ(graph.in, in);
  EXPECT_EQ(graphOf<std::uint64_t>("a.sg", directed()), graph);
}

TEST(Gap, WeightsFollowTargets) {
  const FlatEdges out = {{0, 1, -77}, {1, 0, -77}};
  const auto read = [](auto vertex, auto weight) {
    return graphOf<decltype(vertex), decltype(weight)>("a.wsg",
                                                       weightedUndirected());
  };
  EXPECT_FALSE(read(std::uint32_t(), std::int32_t()).directed);
  EXPECT_EQ(read(std::uint32_t(), std::int32_t()).out, out);
  EXPECT_EQ(read(std::uint64_t(), double()).out, out);
  EXPECT_EQ(read(std::uint32_t(), Unweighted()).out,
            (FlatEdges{{0, 1, 0}, {1, 0, 0}}));
}

/// A graph of two vertices with these out-edges and in-edges; without the
/// latter, it says that it is undirected.
std::string twoVertices(std::initializer_list<std::int64_t> outOffsets,
                        std::initializer_list<std::int32_t> outTargets,
                        std::initializer_list<std::int64_t> inOffsets = {},
                        std::initializer_list<std::int32_t> inTargets = {}) {
  const bool directed = inOffsets.size() > 0;
  return Bytes()
      .add<char>({directed})
      .add<std::int64_t>({outOffsets.end()[-1], 2})
      .add(outOffsets)
      .add(outTargets)
      .add(inOffsets)
      .add(inTargets)
      .text;
}

TEST(Gap, BothDirectionsMustBeThere) {
  const auto problem = [](const std::string &bytes) {
    return graphProblemOf("a.sg", bytes);
  };
  const auto missing = [](const std::string &edge, const std::string &counts) {
    return ": expected the edge from " + edge + " in both directions, found " +
           counts + " in the other";
  };
  EXPECT_EQ(problem(twoVertices({0, 1, 1}, {1}, {0, 0, 1}, {0})), "accepted");
  EXPECT_EQ(problem(twoVertices({0, 2, 3}, {0, 1, 0})), "accepted");
  EXPECT_EQ(problem(twoVertices({0, 1, 1}, {1}, {0, 1, 1}, {1})),
            missing("0 to 1", "1 in one and 0"));
  EXPECT_EQ(problem(twoVertices({0, 1, 2}, {1, 1}, {0, 0, 2}, {0, 0})),
            missing("0 to 1", "1 in one and 2"));
  EXPECT_EQ(problem(twoVertices({0, 1, 1}, {1})),
            missing("0 to 1", "1 in one and 0"));
  EXPECT_EQ(problem(twoVertices({0, 2, 3}, {1, 1, 0})),
            missing("0 to 1", "2 in one and 1"));
}

TEST(Gap, WeightsMustBeTheSameInBothDirections) {
  const std::string differs =
      ": expected each edge with the same weight in both directions, found "
      "others";
  const std::string undirected = twoVertices({0, 1, 2}, {1, 5, 0, 6});
  const std::string directed =
      twoVertices({0, 1, 1}, {1, 5}, {0, 0, 1}, {0, 6});
  for (const std::string &bytes : {undirected, directed}) {
    EXPECT_EQ((graphProblemOf<std::uint32_t, std::int32_t>("a.wsg", bytes)),
              differs);
    EXPECT_EQ(graphProblemOf("a.wsg", bytes), "accepted");
  }
}

TEST(Gap, AGraphMayBeEmpty) {
  const std::string empty =
      Bytes().add<char>({0}).add<std::int64_t>({0, 0, 0}).text;
  EXPECT_EQ(graphOf("a.sg", empty).vertices, 0u);
}

TEST(Gap, UnsortedRowsAreSorted) {
  EXPECT_EQ(graphOf("a.sg", directed({0, 2, 2, 3}, {2, 1, 0})),
            graphOf("a.sg", directed()));
  const std::string weighted = Bytes()
                                   .add<char>({0})
                                   .add<std::int64_t>({3, 2, 0, 2, 3})
                                   .add<std::int32_t>({1, 5, 0, 6, 0, 5})
                                   .text;
  EXPECT_EQ((graphOf<std::uint32_t, std::int32_t>("a.wsg", weighted).out),
            (FlatEdges{{0, 0, 6}, {0, 1, 5}, {1, 0, 5}}));
}

TEST(Gap, RandomWeightsTakeThePlaceOfNone) {
  EXPECT_EQ((graphProblemOf<std::uint32_t, std::int32_t>("a.sg", directed())),
            ": expected weights, found a .sg file, which has none");
  EXPECT_EQ((graphProblemOf<std::uint32_t, std::int32_t>(
                "a.sg", directed(), {.randomWeightSeed = 1})),
            "accepted");
}

TEST(Gap, MistakesAreNamed) {
  EXPECT_EQ(graphProblemOf("a.sg", "\2" + directed().substr(1)),
            ": byte 0: expected 0 or 1 (directed), found 2");
  EXPECT_EQ(graphProblemOf("a.sg", directed() + "x"),
            ": byte 105: expected the end of the file, found more");
  EXPECT_EQ(graphProblemOf("a.sg", directed({0, 2, 1, 3})),
            ": byte 33: expected an offset of at least 2, found 1");
  EXPECT_EQ(graphProblemOf("a.sg", directed({1, 2, 2, 3})),
            ": byte 17: expected the offset 0, found 1");
  EXPECT_EQ(graphProblemOf("a.sg", directed({0, 2, 2, 2})),
            ": byte 41: expected the offset 3, found 2");
  EXPECT_EQ(graphProblemOf("a.sg", directed({0, 2, 2, 3}, {1, 3, 0})),
            ": byte 53: expected a vertex below 3, found 3");
  EXPECT_EQ(graphProblemOf("a.sg", directed({0, 2, 2, 3}, {1, 2, -1})),
            ": byte 57: expected a vertex below 3, found 4294967295");
}

TEST(Gap, AHeaderThatLiesCostsNoMemory) {
  const auto withCounts = [](std::int64_t edges, std::int64_t vertices) {
    return Bytes().add<char>({0}).add<std::int64_t>({edges, vertices, 0}).text;
  };
  EXPECT_EQ(graphProblemOf("a.sg", withCounts(-1, 3)),
            ": byte 1: expected at most 9223372036854775807 edges, found -1");
  EXPECT_EQ(graphProblemOf("a.sg", withCounts(1, 3000000000)),
            ": byte 9: expected at most 2147483647 vertices, found 3000000000");
  EXPECT_EQ(graphProblemOf("a.sg", withCounts(1, 2000000000)),
            ": byte 17: expected 2000000001 offsets of 8 bytes, found 8 bytes");
  EXPECT_EQ(graphProblemOf("a.sg", withCounts(std::int64_t(1) << 60, 0)),
            ": byte 25: expected 1152921504606846976 targets of 4 bytes, found "
            "0 bytes");
}

TEST(Gap, AFileCutShortAnywhereIsAnError) {
  const std::string whole = directed();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const std::string problem = graphProblemOf("a.sg", whole.substr(0, size));
    EXPECT_TRUE(problem.starts_with(": byte ")) << size << problem;
  }
  EXPECT_EQ(graphProblemOf("a.sg", whole.substr(0, 5)),
            ": byte 5: expected more header, found the end of the file");
}

} // namespace
