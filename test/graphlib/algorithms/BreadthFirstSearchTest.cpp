//===- BreadthFirstSearchTest.cpp - Breadth-first trees -------------------===//

#include "heddle/graph/algorithms/BreadthFirstSearch.h"
#include "../support/InputFile.h"
#include "../support/SampleGraphs.h"
#include "heddle/graph/verify/BreadthFirstSearch.h"

namespace {

using namespace heddle::graph;
using namespace heddle::test;

template <typename VertexId> class BreadthFirstSearch : public testing::Test {};
using VertexIds = testing::Types<std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(BreadthFirstSearch, VertexIds);

TYPED_TEST(BreadthFirstSearch, FindsShortestPathsInAllSamples) {
  forEachSample<TypeParam>([](const auto &graph) {
    for (const TypeParam source : sampleSources(graph))
      EXPECT_EQ(verifyBreadthFirstSearch(graph, source,
                                         breadthFirstSearch(graph, source)),
                std::nullopt);
  });
}

TYPED_TEST(BreadthFirstSearch, DirectionDoesNotMatter) {
  const auto graph =
      buildCsr(generateKronecker<TypeParam>({.scale = 9, .edgesPerVertex = 4}));
  for (const BreadthFirstOptions &options :
       {BreadthFirstOptions{.alpha = 1, .beta = 1},
        BreadthFirstOptions{.alpha = 1000000, .beta = 1000000}})
    for (const TypeParam source : sampleSources(graph))
      EXPECT_EQ(verifyBreadthFirstSearch(
                    graph, source, breadthFirstSearch(graph, source, options)),
                std::nullopt);
}

TEST(BreadthFirstSearchErrors, SourceMustExist) {
  const Csr<> graph = buildCsr(generateGrid(2, 2));
  EXPECT_EQ(problemWith("", [&] { breadthFirstSearch(graph, 4); }),
            "source 4: expected a vertex below 4");
  EXPECT_THROW(breadthFirstSearch(Csr<>(), 0), Error);
}

TEST(VerifyBreadthFirstSearch, FindsWrongParents) {
  const Csr<> graph = buildCsr(generateGrid(3, 3));
  auto parent = breadthFirstSearch(graph, 0);
  ASSERT_EQ(verifyBreadthFirstSearch(graph, 0, parent), std::nullopt);
  for (std::uint32_t v = 0; v < graph.vertexCount(); ++v)
    for (const std::uint32_t wrong :
         {0u, 4u, 8u, 9u, NoVertex<std::uint32_t>}) {
      const std::uint32_t right = parent[v];
      parent[v] = wrong;
      // The vertex in the middle may be reached from above or from the left,
      // and so may others; the grid's edges define the parents.
      bool isParent = v == 0 && wrong == 0;
      if (v != 0 && wrong < 9)
        for (auto [source, weight] : graph.inEdges(v))
          isParent |= source == wrong;
      EXPECT_EQ(!verifyBreadthFirstSearch(graph, 0, parent), isParent)
          << v << " " << wrong;
      parent[v] = right;
    }
}

TEST(VerifyBreadthFirstSearch, FindsDetours) {
  // A triangle with a tail: 0 to 2 directly or by 1.
  const Csr<> graph =
      buildCsr(listOf<std::uint32_t>(4, {{0, 1}, {1, 2}, {0, 2}, {3, 0}}));
  constexpr std::uint32_t none = NoVertex<std::uint32_t>;
  const auto verify = [&](std::vector<std::uint32_t> parent) {
    return verifyBreadthFirstSearch(graph, 0, parent);
  };
  EXPECT_EQ(verify({0, 0, 0, none}), std::nullopt);
  EXPECT_EQ(verify({0, 0, 1, none}),
            "vertex 2: expected a parent of depth 0, found 1");
  EXPECT_EQ(verify({0, 0, 0, 0}),
            "vertex 3: expected no parent but 4294967295, found 0");
  EXPECT_EQ(verify({0, 0, none, none}),
            "vertex 2: expected as parent one that has an edge to it, found "
            "4294967295");
  EXPECT_EQ(verify({1, 0, 0, none}), "vertex 0: expected parent 0, found 1");
  EXPECT_EQ(verify({0, 0, 0}),
            "expected a value for each of 4 vertices, found 3 values");
}

} // namespace
