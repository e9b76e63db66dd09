//===- DimacsTest.cpp - Good and bad graphs of the DIMACS challenges ------===//

#include "../support/GraphFiles.h"

#include <gtest/gtest.h>

namespace {

using namespace heddle::graph;
using namespace heddle::test;

std::string problem(const std::string &text) {
  return graphProblemOf("a.gr", text);
}

TEST(Dimacs, ShortestPathsAreDirectedAndHaveLengths) {
  for (const char *lineEnd : {"\n", "\r\n", " \n"})
    for (const std::size_t chunkBytes : {1, 7, 1 << 18}) {
      const std::string end = lineEnd;
      const std::string text = "c 9th challenge" + end + "c" + end + end +
                               "p sp 3 3" + end + "c lengths" + end +
                               "a 1 2 803" + end + "a 3 1 4" + end + "c" + end +
                               "a 1  2\t-5";
      const auto graph = graphOf<std::uint32_t, std::int32_t>(
          "a.gr", text,
          {.text = {.chunkBytes = chunkBytes},
           .build = {.parallelEdges = ParallelEdges::KeepAll}});
      EXPECT_TRUE(graph.directed);
      EXPECT_EQ(graph.vertices, 3u);
      EXPECT_EQ(graph.out, (FlatEdges{{0, 1, -5}, {0, 1, 803}, {2, 0, 4}}));
      EXPECT_EQ(graphOf("a.gr", text).out, (FlatEdges{{0, 1, 0}, {2, 0, 0}}));
    }
}

TEST(Dimacs, FlowsHaveCapacitiesAndTheirEnds) {
  EXPECT_EQ((graphOf<std::uint64_t, double>(
                 "a.gr", "p max 3 2\nn 1 s\nn 3 t\na 1 2 5\na 2 3 4\n")
                 .out),
            (FlatEdges{{0, 1, 5}, {1, 2, 4}}));
}

TEST(Dimacs, ColouringIsUndirected) {
  // Some list both directions.
  for (const char *kind : {"edge", "col", "edges"}) {
    const FlatGraph graph =
        graphOf("a.col", "c\np " + std::string(kind) +
                             " 4 4\nn 1 9\nd 2 1\ne 1 2\ne 2 1\ne 4 2\ne 3 3");
    EXPECT_FALSE(graph.directed);
    EXPECT_EQ(
        graph.out,
        (FlatEdges{{0, 1, 0}, {1, 0, 0}, {1, 3, 0}, {2, 2, 0}, {3, 1, 0}}));
  }
}

TEST(Dimacs, ACommentNeedsNoBlank) {
  for (const char *name : {"a.col", "a"})
    EXPECT_EQ(
        graphOf(name, "c-----\nc\tby hand\np edge 2 1\nc----\ne 1 2\n").out,
        (FlatEdges{{0, 1, 0}, {1, 0, 0}}));
}

TEST(Dimacs, ContentTellsItFromAnEdgeList) {
  for (const char *name : {"a", "a.txt", "a.el", "a.edges"})
    EXPECT_EQ(graphOf(name, "\xef\xbb\xbf"
                            "c\n\np sp 2 1\na 1 2 3\n")
                  .out,
              (FlatEdges{{0, 1, 0}}));
}

TEST(Dimacs, MistakesInTheHeaderAreNamed) {
  EXPECT_EQ(problem(""),
            ":1: expected the problem line ('p'), found the end of the file");
  EXPECT_EQ(problem("c\nc\n"),
            ":3: expected the problem line ('p'), found the end of the file");
  EXPECT_EQ(
      problem("c\n1 2\n"),
      ":2: expected a comment ('c') or the problem line ('p'), found '1'");
  for (std::string kind : {"cnf", "tw", "min", "asn"})
    EXPECT_EQ(problem("p " + kind + " 2 1\n"),
              ":1: expected a problem 'sp', 'max', 'edge' or 'col', found '" +
                  kind + "'");
  EXPECT_EQ(problem("p sp\n"),
            ":1: expected the number of vertices, found the end of the line");
  EXPECT_EQ(problem("p sp 3 -1\n"),
            ":1: expected the number of edges, found '-1'");
  EXPECT_EQ(problem("p sp 3 1 1\n"), ":1: expected nothing more, found '1'");
  EXPECT_EQ(problem("p sp 5000000000 1\na 1 1 1\n"),
            ":1: expected at most 4294967295 vertices, found 5000000000");
  EXPECT_EQ(problem("p sp 4000000000 1\na 1 1 1\n"),
            ":1: expected at most 4194368 vertices for 1 entries, found "
            "4000000000; if that is right, give the number of vertices");
}

TEST(Dimacs, MistakesInEdgesAreNamed) {
  const std::string vertex = ":2: expected a vertex from 1 to 3, found ";
  EXPECT_EQ(problem("p sp 3 1\na 0 2 1\n"), vertex + "'0'");
  EXPECT_EQ(problem("p sp 3 1\na 1 4 1\n"), vertex + "'4'");
  EXPECT_EQ(problem("p sp 3 1\na -1 2 1\n"), vertex + "'-1'");
  EXPECT_EQ(problem("p sp 3 1\na 1 +2 1\n"), vertex + "'+2'");
  EXPECT_EQ(problem("p sp 3 1\na 1 4294967297 1\n"), vertex + "'4294967297'");
  EXPECT_EQ(problem("p sp 3 1\na\n"),
            ":2: expected a line that begins with 'a', found 'a'");
  EXPECT_EQ(problem("p sp 3 1\na1 2 3\n"),
            ":2: expected a line that begins with 'a', found 'a1'");
  EXPECT_EQ(problem("p sp 3 1\ne 1 2 3\n"),
            ":2: expected a line that begins with 'a', found 'e'");
  EXPECT_EQ(problem("p sp 3 1\n1 2 3\n"),
            ":2: expected a line that begins with 'a', found '1'");
  EXPECT_EQ(problem("p sp 3 1\na 1 2 3 4\n"),
            ":2: expected nothing more, found '4'");
  EXPECT_EQ(problem("p sp 3 2\na 1 2 3\n"),
            ":3: expected 2 entries, found the end of the file after 1");
  EXPECT_EQ(problem("p sp 3 1\na 1 2 3\nc\na 1 2 3\n"),
            ":4: expected no more than 1 entries, found another");
  EXPECT_EQ((graphProblemOf<std::uint32_t, std::int32_t>("a.col",
                                                         "p col 3 1\ne 1 2\n")),
            ":2: expected an integer weight from -2147483648 to 2147483647, "
            "found the end of the line");
}

} // namespace
