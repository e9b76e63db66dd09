//===- MetisTest.cpp - Good and bad rows of neighbours --------------------===//

#include "../support/GraphFiles.h"

#include <gtest/gtest.h>

namespace {

using namespace heddle::graph;
using namespace heddle::test;

std::string problem(const std::string &text) {
  return graphProblemOf("a.graph", text);
}

/// The path 0-1-2 with weights of 5 and 7 where there are some.
const FlatEdges Path = {{0, 1, 0}, {1, 0, 0}, {1, 2, 0}, {2, 1, 0}};
const FlatEdges WeightedPath = {{0, 1, 5}, {1, 0, 5}, {1, 2, 7}, {2, 1, 7}};

TEST(Metis, RowsListNeighbours) {
  for (const char *lineEnd : {"\n", "\r\n", " \n"})
    for (const std::size_t chunkBytes : {1, 3, 1 << 18}) {
      const std::string end = lineEnd;
      const FlatGraph graph = graphOf("a.graph",
                                      "%" + end + "3 2" + end + "2" + end +
                                          "% 9" + end + "1\t3" + end + " 2",
                                      {.text = {.chunkBytes = chunkBytes}});
      EXPECT_FALSE(graph.directed);
      EXPECT_EQ(graph.vertices, 3u);
      EXPECT_EQ(graph.out, Path);
    }
}

TEST(Metis, TheHeaderSaysWhatPrecedesAndFollowsANeighbour) {
  const auto read = [](const char *text) {
    return graphOf<std::uint64_t, std::int32_t>("a.graph", text).out;
  };
  EXPECT_EQ(read("3 2 1\n2 5\n1 5 3 7\n2 7\n"), WeightedPath);
  EXPECT_EQ(read("3 2 001\n2 5\n1 5 3 7\n2 7\n"), WeightedPath);
  EXPECT_EQ(read("3 2 011\n9 2 5\n9 1 5 3 7\n0 2 7\n"), WeightedPath);
  EXPECT_EQ(read("3 2 011 1\n9 2 5\n9 1 5 3 7\n0 2 7\n"), WeightedPath);
  EXPECT_EQ(read("3 2 11 2\n9 1 2 5\n9 1 1 5 3 7\n0 0 2 7\n"), WeightedPath);
  EXPECT_EQ(read("3 2 101\n4 2 5\n4 1 5 3 7\n4 2 7\n"), WeightedPath);
  EXPECT_EQ(read("3 2 111 2\n4 1 1 2 5\n4 1 1 1 5 3 7\n4 1 1 2 7\n"),
            WeightedPath);
  EXPECT_EQ(graphOf("a.graph", "3 2 010\n8 2\n8 1 3\n8 2\n").out, Path);
  EXPECT_EQ(graphOf("a.graph", "3 2 100\n8 2\n8 1 3\n8 2\n").out, Path);
  EXPECT_EQ(graphOf("a.graph", "3 2 000\n2\n1 3\n2\n").out, Path);
  EXPECT_EQ(graphOf("a.graph", "3 2 0 0\n2\n1 3\n2\n").out, Path);
}

TEST(Metis, EmptyRowsAreVerticesWithoutNeighbours) {
  const FlatGraph graph =
      graphOf("a.graph", "5 1\n\n4\n%\n \t\n2\n\n\n\n% end\n");
  EXPECT_EQ(graph.vertices, 5u);
  EXPECT_EQ(graph.out, (FlatEdges{{1, 3, 0}, {3, 1, 0}}));
  EXPECT_EQ(graphOf("a.graph", "0 0\n").vertices, 0u);
}

TEST(Metis, SelfLoopsMayBeListedOnceOrTwice) {
  const FlatEdges out = {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}};
  EXPECT_EQ(graphOf("a.graph", "2 2\n1 2\n1\n").out, out);
  EXPECT_EQ(graphOf("a.graph", "2 2\n1 1 2\n1\n").out, out);
}

TEST(Metis, ContentTellsItFromAnEdgeList) {
  // Rows that cannot be edges, and rows that can be but are those of a graph.
  const char *graphs[] = {"3 2\n2\n1 3\n2\n", "3 2 1\n2 5\n1 5 3 7\n2 7\n",
                          "4 4\n2 4\n1 3\n2 4\n1 3\n"};
  for (const char *text : graphs)
    for (const char *name : {"a", "a.txt", "a.el"})
      EXPECT_FALSE(graphOf(name, text).directed) << text;
  // Edges that might be the header of one.
  for (const char *text :
       {"3 3\n1 2\n2 3\n3 1\n", "4 4\n2 4\n1 3\n2 4\n1 2\n", "1 0\n\n",
        "4 4\n2 4\n1 3\n2 4\n1 3\n3 1\n", "3 2\n2 1\n"})
    EXPECT_TRUE(graphOf("a.txt", text).directed) << text;
}

/// A file with `count` rows. `neighbours(row)` returns them, counted from 1.
template <typename Neighbours>
std::string metisText(std::uint64_t count, std::uint64_t edges,
                      Neighbours neighbours) {
  std::string text = std::to_string(count) + ' ' + std::to_string(edges) + '\n';
  for (std::uint64_t row = 1; row <= count; ++row) {
    for (const std::uint64_t neighbour : neighbours(row))
      text += std::to_string(neighbour) + ' ';
    text.back() = '\n';
  }
  return text;
}

using Row = std::vector<std::uint64_t>;

/// Files that are larger than their looked-at start, with two to four numbers
/// in each line.
TEST(Metis, LargeFilesWhoseRowsLookLikeEdgesAreRecognised) {
  constexpr std::uint64_t count = 20000, half = count / 2;
  const auto next = [](std::uint64_t row, std::uint64_t step) {
    return (row - 1 + step) % count + 1;
  };
  const std::string ring = metisText(count, count, [&](std::uint64_t row) {
    return Row{next(row, count - 1), next(row, 1)};
  });
  const std::string torus = metisText(count, 2 * count, [&](std::uint64_t row) {
    return Row{next(row, 1), next(row, count - 1), next(row, 100),
               next(row, count - 100)};
  });
  // The first rows have no edges between them.
  const std::string halves = metisText(count, count, [&](std::uint64_t row) {
    return row <= half ? Row{half + row, half + row % half + 1}
                       : Row{row - half, (row - half + half - 2) % half + 1};
  });
  const std::string comment = "%" + std::string(20000, '-') + "\n";
  for (const std::string &text : {ring, torus, halves, comment + ring})
    for (const char *name : {"a", "a.txt", "a.el"}) {
      const FlatGraph graph = graphOf(name, text);
      EXPECT_FALSE(graph.directed);
      EXPECT_EQ(graph.vertices, count);
    }
  // Damage does not make them edge lists, either.
  EXPECT_EQ(
      graphProblemOf("a.txt",
                     torus.substr(0, torus.rfind('\n', torus.size() - 2) + 1)),
      ":20001: expected 20000 vertices, found the end of the file after 19999");
}

TEST(Metis, LargeEdgeListsWithAHeaderStayEdgeLists) {
  constexpr std::uint64_t count = 20000;
  const std::string path = metisText(count, count, [](std::uint64_t row) {
    return Row{row, row % count + 1};
  });
  const std::string loops =
      metisText(count, 1, [](std::uint64_t row) { return Row{row, row}; });
  const std::string halves = metisText(count, count, [](std::uint64_t row) {
    return Row{row / 2 + 1, count - row / 2};
  });
  for (const std::string &text : {path, loops, halves}) {
    const FlatGraph graph = graphOf("a.txt", text);
    EXPECT_TRUE(graph.directed);
    EXPECT_EQ(graph.vertices, count + 1);
  }
}

TEST(Metis, MistakesInTheHeaderAreNamed) {
  EXPECT_EQ(problem("%\n"), ":2: expected the numbers of vertices and edges, "
                            "found the end of the file");
  EXPECT_EQ(problem("# Nodes\n1 2\n"),
            ":1: expected the number of vertices, found '#'");
  EXPECT_EQ(problem("3\n"),
            ":1: expected the number of edges, found the end of the line");
  EXPECT_EQ(problem("3 -2\n"), ":1: expected the number of edges, found '-2'");
  EXPECT_EQ(problem("3 9223372036854775808\n"),
            ":1: expected the number of edges, found '9223372036854775808'");
  for (std::string code : {"2", "0011", "x"})
    EXPECT_EQ(problem("3 2 " + code + "\n"),
              ":1: expected what the rows contain, as up to three digits that "
              "are 0 or 1, found '" +
                  code + "'");
  EXPECT_EQ(problem("3 2 001 2\n"),
            ":1: expected no weights of vertices, as the digits before say, "
            "found '2'");
  EXPECT_EQ(problem("3 2 011 2 1\n"), ":1: expected nothing more, found '1'");
  EXPECT_EQ(problem("5000000000 2\n"),
            ":1: expected at most 4294967295 vertices, found 5000000000");
  EXPECT_EQ((graphProblemOf<std::uint32_t, float>("a.graph", "2 1\n2\n1\n")),
            ":1: expected weights of edges (a last digit of 1 behind the "
            "numbers of vertices and edges), found none");
}

TEST(Metis, MistakesInRowsAreNamed) {
  const std::string vertex = ":4: expected a vertex from 1 to 3, found ";
  for (std::string word : {"0", "4", "-1", "+2", "1x", "1.0", "x", "4294967297",
                           "99999999999999999999"})
    for (const std::size_t chunkBytes : {1, 1 << 18})
      EXPECT_EQ(graphProblemOf("a.graph", "3 2\n2\n%\n3 " + word + "\n2\n",
                               {.text = {.chunkBytes = chunkBytes}}),
                vertex + "'" + word + "'");
  EXPECT_EQ(problem("2 1 1\n2\n1 5\n"),
            ":2: expected the weight of an edge, found the end of the line");
  EXPECT_EQ((graphProblemOf<std::uint32_t, std::int32_t>(
                "a.graph", "2 1 1\n2 0.5\n1 0.5\n")),
            ":2: expected the weight of an edge, of 32 bits, found '0.5'");
  EXPECT_EQ(problem("2 1 010\n5 2\n\n"),
            ":3: expected a size or weight of the vertex, found the end of the "
            "line");
}

TEST(Metis, RowsMustAgreeWithTheHeaderAndEachOther) {
  EXPECT_EQ(problem("3 2\n2\n1 3\n"),
            ":4: expected 3 vertices, found the end of the file after 2");
  EXPECT_EQ(problem("3 2\n2\n1 3\n2\n\n1\n"),
            ":6: expected no more than 3 vertices, found '1'");
  EXPECT_EQ(problem("3 3\n2\n1 3\n2\n"),
            ":5: expected 3 edges, each in the rows of both its ends, found 4 "
            "neighbours in all rows");
  const std::string oneSided =
      "expected each edge with the same weight in the rows of both its ends, "
      "found one that is in one row only or has two weights";
  EXPECT_EQ(problem("3 2\n2 3\n1\n2\n"), ":5: " + oneSided);
  EXPECT_EQ(problem("3 2\n2 2\n1 3\n\n"), ":5: " + oneSided);
  const std::string weights = "2 1 1\n2 5\n1 6\n";
  EXPECT_EQ((graphProblemOf<std::uint32_t, std::int32_t>("a.graph", weights)),
            ":4: " + oneSided);
  EXPECT_EQ(problem(weights), "accepted");
}

} // namespace
