//===- MatrixMarketTest.cpp - Good and bad matrices -----------------------===//

#include "../support/GraphFiles.h"

#include <gtest/gtest.h>

namespace {

using namespace heddle::graph;
using namespace heddle::test;

const std::string Pattern =
    "%%MatrixMarket matrix coordinate pattern general\n";
const std::string Integer =
    "%%MatrixMarket matrix coordinate integer general\n";

std::string problem(const std::string &text) {
  return graphProblemOf("a.mtx", text);
}

TEST(MatrixMarket, RowsAndColumnsCountFromOne) {
  const FlatGraph graph =
      graphOf("a.mtx", Pattern + "% comment\n\n3 3 2\n1 3\n%\n2 1\n");
  EXPECT_EQ(graph.vertices, 3u);
  EXPECT_TRUE(graph.directed);
  EXPECT_EQ(graph.out, (FlatEdges{{0, 2, 0}, {1, 0, 0}}));
  EXPECT_EQ(graph.in, (FlatEdges{{0, 1, 0}, {2, 0, 0}}));
}

TEST(MatrixMarket, BannersAreReadInAnyCaseAndLinesMayEndInCrLf) {
  const FlatGraph graph = graphOf<std::uint32_t, float>(
      "a.mtx", "\xef\xbb\xbf%%matrixmarket MATRIX Coordinate Real General\r\n"
               "2 2 1\r\n2 1 -0.5\r\n");
  EXPECT_EQ(graph.out, (FlatEdges{{1, 0, -0.5}}));
}

TEST(MatrixMarket, ASymmetricMatrixIsAnUndirectedGraph) {
  const FlatGraph graph = graphOf<std::uint64_t, std::int32_t>(
      "a.mtx", "%%MatrixMarket matrix coordinate integer symmetric\n"
               "3 3 3\n1 1 7\n2 1 8\n3 2 -9\n");
  EXPECT_FALSE(graph.directed);
  EXPECT_EQ(
      graph.out,
      (FlatEdges{{0, 0, 7}, {0, 1, 8}, {1, 0, 8}, {1, 2, -9}, {2, 1, -9}}));
}

TEST(MatrixMarket, ASkewSymmetricMatrixHasOppositeWeights) {
  const std::string text =
      "%%MatrixMarket matrix coordinate integer skew-symmetric\n"
      "3 3 2\n2 1 5\n3 1 -2147483648\n";
  const FlatGraph graph = graphOf<std::uint32_t, double>("a.mtx", text);
  EXPECT_TRUE(graph.directed);
  EXPECT_EQ(
      graph.out,
      (FlatEdges{
          {0, 1, -5}, {0, 2, 2147483648.0}, {1, 0, 5}, {2, 0, -2147483648.0}}));
  EXPECT_EQ((graphProblemOf<std::uint32_t, std::int32_t>("a.mtx", text)),
            ": expected values of a skew-symmetric matrix whose opposites can "
            "be held, found -2147483648");
}

TEST(MatrixMarket, ASkewSymmetricMatrixHasNoDiagonal) {
  for (const char *entry : {"2 2 5", "2 2 0"})
    EXPECT_EQ(problem("%%MatrixMarket matrix coordinate integer "
                      "skew-symmetric\n3 3 2\n2 1 5\n" +
                      std::string(entry) + "\n"),
              ": expected no entry on the diagonal of a skew-symmetric matrix, "
              "found one in row 2");
}

TEST(MatrixMarket, NumbersAreAsOtherProgramsWriteThem) {
  const std::string real = "%%MatrixMarket matrix coordinate real general\n";
  const FlatGraph graph = graphOf<std::uint32_t, float>(
      "a.mtx", real + "+3 +3 +3\n+1 +2 +1.5\n2 +3 +.5e+1\n3 1 1e-400\n");
  EXPECT_EQ(graph.out, (FlatEdges{{0, 1, 1.5}, {1, 2, 5}, {2, 0, 0}}));
  // Whoever wants no values does not mind what they are.
  const std::string values = real + "2 2 3\n1 2 NaN\n2 1 -inf\n2 2 1e999\n";
  EXPECT_EQ(graphOf("a.mtx", values).out,
            (FlatEdges{{0, 1, 0}, {1, 0, 0}, {1, 1, 0}}));
  EXPECT_EQ((graphProblemOf<std::uint32_t, double>("a.mtx", values)),
            ":3: expected a weight that a floating-point number of 64 bits can "
            "hold, found 'NaN'");
  for (std::string word : {"++1", "+-1", "+", "-1"})
    EXPECT_EQ(problem(Pattern + "3 3 1\n" + word + " 1\n"),
              ":3: expected a row or column from 1 to 3, found '" + word + "'");
}

TEST(MatrixMarket, GeneralMatricesMayBeTakenAsUndirected) {
  const FlatGraph graph = graphOf("a.mtx", Pattern + "2 2 1\n2 1\n",
                                  {.build = {.directed = false}});
  EXPECT_EQ(graph.out, (FlatEdges{{0, 1, 0}, {1, 0, 0}}));
}

TEST(MatrixMarket, AMatrixMayBeEmpty) {
  EXPECT_EQ(graphOf("a.mtx", Pattern + "0 0 0\n").vertices, 0u);
  EXPECT_EQ(graphOf("a.mtx", Pattern + "5 5 0").vertices, 5u);
}

TEST(MatrixMarket, ContentTellsItFromAnEdgeList) {
  EXPECT_EQ(graphOf("a.txt", Pattern + "1 1 1\n1 1\n").vertices, 1u);
}

TEST(MatrixMarket, MistakesInTheHeaderAreNamed) {
  EXPECT_EQ(problem(""), ":1: expected '%%matrixmarket', found the end of the "
                         "line");
  EXPECT_EQ(problem("1 2\n"), ":1: expected '%%matrixmarket', found '1'");
  EXPECT_EQ(problem("%%MatrixMarket matrix array real general\n"),
            ":1: expected 'coordinate', found 'array'");
  EXPECT_EQ(problem("%%MatrixMarket matrix coordinate complex general\n"),
            ":1: expected 'real', 'integer' or 'pattern', found 'complex'");
  EXPECT_EQ(problem("%%MatrixMarket matrix coordinate real hermitian\n"),
            ":1: expected 'general', 'symmetric' or 'skew-symmetric', found "
            "'hermitian'");
  EXPECT_EQ(problem("%%MatrixMarket matrix coordinate real\n"),
            ":1: expected 'general', 'symmetric' or 'skew-symmetric', found "
            "the end of the line");
  EXPECT_EQ(problem(Pattern + "%\n"), ":3: expected the sizes of the matrix, "
                                      "found the end of the file");
  EXPECT_EQ(problem(Pattern + "3 4 1\n"),
            ":2: expected as many columns as rows (3), found '4'");
  EXPECT_EQ(problem(Pattern + "3 3\n"),
            ":2: expected the number of entries, found the end of the line");
  EXPECT_EQ(problem(Pattern + "3 3 -1\n"),
            ":2: expected the number of entries, found '-1'");
  EXPECT_EQ(problem(Pattern + "3 3 1 1\n"),
            ":2: expected nothing more, found '1'");
}

TEST(MatrixMarket, MistakesInEntriesAreNamed) {
  EXPECT_EQ(problem(Pattern + "3 3 1\n0 1\n"),
            ":3: expected a row or column from 1 to 3, found '0'");
  EXPECT_EQ(problem(Pattern + "3 3 2\n1 1\n1 4\n"),
            ":4: expected a row or column from 1 to 3, found '4'");
  EXPECT_EQ((graphProblemOf<std::uint32_t, std::int32_t>(
                "a.mtx", Integer + "3 3 1\n1 1\n")),
            ":3: expected an integer weight from -2147483648 to 2147483647, "
            "found the end of the line");
  EXPECT_EQ((graphProblemOf<std::uint32_t, std::int32_t>(
                "a.mtx", Pattern + "3 3 1\n1 1\n")),
            ":1: expected a matrix with values, found 'pattern'");
}

TEST(MatrixMarket, TheNumberOfEntriesMustBeRight) {
  for (std::size_t chunkBytes : {1, 5, 1 << 18}) {
    const ReadGraphOptions options = {.text = {.chunkBytes = chunkBytes}};
    EXPECT_EQ(graphProblemOf("a.mtx", Pattern + "3 3 3\n1 1\n\n2 2\n", options),
              ":6: expected 3 entries, found the end of the file after 2");
    EXPECT_EQ(
        graphProblemOf("a.mtx", Pattern + "3 3 1\n1 1\n%\n2 2\n3 3\n", options),
        ":5: expected no more than 1 entries, found another");
  }
  EXPECT_EQ(problem(Pattern + "3 3 1152921504606846976\n1 1\n"),
            ":4: expected 1152921504606846976 entries, found the end of the "
            "file after 1");
  // 64 vertices for each are more than a number holds.
  for (std::string count : {"288230376151711744", "18446744073709551615"})
    EXPECT_EQ(problem(Pattern + "5000000 5000000 " + count + "\n1 1\n"),
              ":4: expected " + count +
                  " entries, found the end of the file after 1");
}

TEST(MatrixMarket, TheNumberOfRowsMustBeCredible) {
  EXPECT_EQ(
      problem(Pattern + "4000000000 4000000000 1\n1 1\n"),
      ":2: expected at most 4194368 rows for 1 entries, found 4000000000; "
      "if that is right, give the number of vertices");
  EXPECT_EQ(problem(Pattern + "5000000000 5000000000 1\n1 1\n"),
            ":2: expected at most 4294967295 rows, found 5000000000");
  const InputFile file("a.mtx", Pattern + "5000000 5000000 1\n1 1\n");
  EXPECT_EQ(
      readGraph(file.path, {.text = {.vertexCount = 5000000}}).vertexCount(),
      5000000u);
}

} // namespace
