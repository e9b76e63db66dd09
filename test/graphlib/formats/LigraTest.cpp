//===- LigraTest.cpp - Good and bad adjacency graphs ----------------------===//

#include "../support/GraphFiles.h"

#include <gtest/gtest.h>

namespace {

using namespace heddle::graph;
using namespace heddle::test;

constexpr std::size_t ChunkSizes[] = {1, 2, 3, 7, 1 << 18};

/// The problem, with every chunk size.
template <typename Weight = Unweighted>
void expectProblem(const std::string &text, const std::string &expected) {
  for (std::size_t chunkBytes : ChunkSizes)
    EXPECT_EQ((graphProblemOf<std::uint32_t, Weight>(
                  "a.adj", text, {.text = {.chunkBytes = chunkBytes}})),
              expected)
        << text << chunkBytes;
}

TEST(Ligra, OffsetsSayWhereEdgesBegin) {
  for (std::size_t chunkBytes : ChunkSizes) {
    const FlatGraph graph =
        graphOf("a.adj", "AdjacencyGraph\n4\n3\n0\n2\n2\n3\n3\n1\n0\n",
                {.text = {.chunkBytes = chunkBytes}});
    EXPECT_EQ(graph.vertices, 4u);
    EXPECT_EQ(graph.out, (FlatEdges{{0, 1, 0}, {0, 3, 0}, {2, 0, 0}}));
  }
}

TEST(Ligra, WeightsComeLast) {
  const std::string text =
      "WeightedAdjacencyGraph\r\n2 2\r\n0 1\r\n1 0\r\n-5 70000\r\n";
  EXPECT_EQ((graphOf<std::uint64_t, std::int32_t>("a.adj", text).out),
            (FlatEdges{{0, 1, -5}, {1, 0, 70000}}));
  EXPECT_EQ(graphOf("a.adj", text).out, (FlatEdges{{0, 1, 0}, {1, 0, 0}}));
}

TEST(Ligra, AGraphMayBeEmpty) {
  EXPECT_EQ(graphOf("a.adj", "AdjacencyGraph 0 0").vertices, 0u);
  EXPECT_EQ(graphOf("a.adj", "AdjacencyGraph\n2\n0\n0 0\n").vertices, 2u);
}

TEST(Ligra, ContentTellsItFromAnEdgeList) {
  EXPECT_EQ(graphOf("rMatGraph", "AdjacencyGraph\n1\n0\n0\n").vertices, 1u);
}

TEST(Ligra, MistakesInTheHeaderAreNamed) {
  expectProblem("Adjacency\n",
                ":1: expected 'AdjacencyGraph' or 'WeightedAdjacencyGraph', "
                "found 'Adjacency'");
  expectProblem("", ":1: expected 'AdjacencyGraph' or 'WeightedAdjacencyGraph',"
                    " found the end of the file");
  expectProblem("AdjacencyGraph\n3\n",
                ":2: expected the number of edges, found the end of the file");
  expectProblem("AdjacencyGraph\n-3\n",
                ":2: expected the number of vertices, found '-3'");
  expectProblem("AdjacencyGraph\n5000000000\n1\n",
                ":3: expected at most 4294967295 vertices, found 5000000000");
  expectProblem("AdjacencyGraph\n0\n1\n0\n",
                ":3: expected no edges among no vertices, found 1");
  expectProblem("AdjacencyGraph\n1\n1\n0\n0\n", "accepted");
  expectProblem<float>("AdjacencyGraph\n1\n1\n0\n0\n",
                       ":1: expected 'WeightedAdjacencyGraph', found "
                       "'AdjacencyGraph'");
}

TEST(Ligra, MistakesInNumbersAreNamed) {
  const std::string start = "AdjacencyGraph\n3\n2\n";
  const std::string offset =
      ": expected an offset, not below the last and of at most 2, found ";
  expectProblem(start + "1\n", ":4: expected the offset 0, found '1'");
  expectProblem(start + "0\n3\n", ":5" + offset + "'3'");
  expectProblem(start + "0\n2\n\n1\n0\n0\n", ":7" + offset + "'1'");
  expectProblem(start + "0\nx\n", ":5" + offset + "'x'");
  expectProblem(start + "0 0 0\n1\n3\n",
                ":6: expected a vertex below 3, found '3'");
  expectProblem(start + "0 0 0\n1\n2\n1\n",
                ":7: expected nothing more, found '1'");
  expectProblem(start + "0 0 0\n1\n2x\n",
                ":6: expected a vertex below 3, found '2x'");
  expectProblem(start + "0 0 0\n1\n",
                ":6: expected 5 numbers after the header, found the end of the "
                "file after 4");
  expectProblem("AdjacencyGraph\n1152921504606846976\n0\n",
                ":3: expected at most 4294967295 vertices, found "
                "1152921504606846976");
  expectProblem("AdjacencyGraph\n2\n1152921504606846976\n0\n0\n1\n",
                ":7: expected 1152921504606846978 numbers after the header, "
                "found the end of the file after 3");
  expectProblem<std::int32_t>("WeightedAdjacencyGraph\n1\n1\n0\n0\n1.5\n",
                              ":6: expected a weight of 32 bits, found '1.5'");
}

} // namespace
