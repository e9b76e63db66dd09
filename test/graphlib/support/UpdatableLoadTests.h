//===- UpdatableLoadTests.h - Stores that are made of edges ----*- C++ -*-===//
//
// The construction of all stores that take updates. A test instantiates this
// for its stores, and defines the function that makes them of others:
// `storeOf<Store>(csr)`.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TEST_GRAPHLIB_SUPPORT_UPDATABLELOADTESTS_H
#define HEDDLE_TEST_GRAPHLIB_SUPPORT_UPDATABLELOADTESTS_H

#include "FlatGraph.h"
#include "SampleGraphs.h"
#include "heddle/graph/Process.h"
#include "heddle/graph/ToCsr.h"
#include "heddle/graph/ToVectorSparse.h"
#include "heddle/graph/detail/EdgeQuery.h"
#include "heddle/graph/verify/Violation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <ranges>
#include <string>
#include <utility>

namespace heddle::test {

using namespace heddle::graph;

/// A store of a test's own.
template <typename Store, typename Source> Store storeOf(const Source &graph);

template <typename Store> void expectSound(const Store &graph) {
  const Violation found = graph.check();
  ASSERT_FALSE(found) << *found;
}

template <typename Store> class UpdatableLoads : public testing::Test {
public:
  using VertexId = typename Store::VertexId;
  using Weight = typename Store::Weight;

  static_assert(std::ranges::forward_range<typename Store::Edges>);
  static_assert(std::ranges::common_range<typename Store::Edges>);

  static Store build(const EdgeList<VertexId, Weight> &list,
                     const BuildOptions &options = {}) {
    return graph::detail::Loader<Store>::load(list, options);
  }

  static EdgeList<VertexId, Weight> kronecker(unsigned scale) {
    return withWeights<Weight>(generateKronecker<VertexId>({.scale = scale}));
  }
};
TYPED_TEST_SUITE_P(UpdatableLoads);

TYPED_TEST_P(UpdatableLoads, LoadedGraphsAreThoseOfCsr) {
  using VertexId = typename TypeParam::VertexId;
  forEachSample<VertexId, typename TypeParam::Weight>([](const auto &csr) {
    const auto graph = storeOf<TypeParam>(csr);
    expectSound(graph);
    FlatGraph expected(csr);
    for (FlatEdges *edges : {&expected.out, &expected.in})
      edges->erase(std::unique(edges->begin(), edges->end(),
                               [](const FlatEdge &a, const FlatEdge &b) {
                                 return std::get<0>(a) == std::get<0>(b) &&
                                        std::get<1>(a) == std::get<1>(b);
                               }),
                   edges->end());
    EXPECT_EQ(FlatGraph(graph), expected);
    EXPECT_EQ(graph.edgeCount(), expected.out.size());
    EXPECT_EQ(FlatGraph(toCsr(graph)), expected);
  });
}

TYPED_TEST_P(UpdatableLoads, ListsAreBuiltLikeCsr) {
  using VertexId = typename TypeParam::VertexId;
  for (const auto &sample : sampleLists<VertexId>())
    for (const bool directed : {true, false})
      for (const bool dropSelfLoops : {true, false}) {
        SCOPED_TRACE(sample.name);
        const auto list = withWeights<typename TypeParam::Weight>(sample.list);
        const BuildOptions options = {.directed = directed,
                                      .dropSelfLoops = dropSelfLoops};
        const TypeParam graph = this->build(list, options);
        expectSound(graph);
        EXPECT_EQ(FlatGraph(graph), FlatGraph(buildCsr(list, options)));
      }
}

TYPED_TEST_P(UpdatableLoads, OfParallelEdgesTheLightestStays) {
  using VertexId = typename TypeParam::VertexId;
  using Weight = typename TypeParam::Weight;
  auto list = withWeights<Weight>(
      listOf<VertexId>(3, {{0, 1}, {0, 1}, {0, 1}, {1, 2}}));
  int lightest = 0, other = 0; // an unweighted edge has no weight to be seen
  if constexpr (IsWeighted<TypeParam>) {
    list.edges[0].weight = 5;
    list.edges[1].weight = 2;
    list.edges[2].weight = 3;
    list.edges[3].weight = 1;
    lightest = 2;
    other = 1;
  }
  for (const auto parallel :
       {ParallelEdges::KeepAll, ParallelEdges::KeepLightest}) {
    const BuildOptions options = {.parallelEdges = parallel};
    const TypeParam built = this->build(list, options);
    const auto loaded = storeOf<TypeParam>(buildCsr(list, options));
    for (const TypeParam *graph : {&built, &loaded}) {
      expectSound(*graph);
      EXPECT_EQ(flatten(*graph), (FlatEdges{{0, 1, lightest}, {1, 2, other}}));
      EXPECT_EQ(flatten(*graph, true),
                (FlatEdges{{1, 0, lightest}, {2, 1, other}}));
    }
  }
}

TYPED_TEST_P(UpdatableLoads, EdgesOutOfOrderAreRefused) {
  using VertexId = typename TypeParam::VertexId;
  CsrRows<VertexId, Unweighted> rows;
  rows.offsets = Array<std::uint64_t>(3);
  rows.offsets[0] = rows.offsets[1] = 0;
  rows.offsets[2] = 2;
  rows.targets = Array<VertexId>(2);
  rows.targets[0] = 1;
  rows.targets[1] = 0;
  const Csr<VertexId> csr(std::move(rows));
  if constexpr (!IsWeighted<TypeParam>)
    try {
      storeOf<TypeParam>(csr);
      FAIL() << "accepted";
    } catch (const Error &error) {
      EXPECT_STREQ(error.what(),
                   "edges of vertex 1: expected ascending targets");
    }
}

TYPED_TEST_P(UpdatableLoads, EndsThatAreNoVertexAreRefused) {
  using VertexId = typename TypeParam::VertexId;
  EXPECT_THROW(this->build(withWeights<typename TypeParam::Weight>(
                   listOf<VertexId>(2, {{0, 2}}))),
               Error);
}

TYPED_TEST_P(UpdatableLoads, VerticesWithoutEdgesHaveNoPhantomEdge) {
  using VertexId = typename TypeParam::VertexId;
  const TypeParam graph(1000);
  expectSound(graph);
  for (VertexId v = 0; v < graph.vertexCount(); ++v) {
    EXPECT_EQ(graph.outEdges(v).begin(), graph.outEdges(v).end());
    EXPECT_TRUE(graph.inEdges(v).empty());
  }
  bool found[1] = {true};
  const EdgeQuery<VertexId> query[] = {{0, 1}};
  EXPECT_EQ(graph.findEdges(query, found), 0u);
  EXPECT_FALSE(found[0]);
  EXPECT_FALSE(graph.hasEdge(3, 4));
  const TypeParam none;
  expectSound(none);
  EXPECT_EQ(none.vertexCount(), 0u);
  EXPECT_EQ(none.edgeCount(), 0u);
}

TYPED_TEST_P(UpdatableLoads, AMovedGraphIsTheSameAndLeavesNone) {
  TypeParam graph = this->build(this->kronecker(8));
  const FlatGraph expected(graph);
  TypeParam moved = std::move(graph);
  EXPECT_EQ(FlatGraph(moved), expected);
  EXPECT_EQ(graph.vertexCount(), 0u);
  EXPECT_EQ(graph.edgeCount(), 0u);
  expectSound(graph);
  graph = std::move(moved);
  EXPECT_EQ(FlatGraph(graph), expected);
  expectSound(graph);
}

TYPED_TEST_P(UpdatableLoads, OtherStoresAreCopiedToo) {
  const auto csr = buildCsr(this->kronecker(8));
  const auto expected = storeOf<TypeParam>(csr);
  EXPECT_EQ(FlatGraph(storeOf<TypeParam>(expected)), FlatGraph(expected));
  if constexpr (!IsWeighted<TypeParam>)
    EXPECT_EQ(
        FlatGraph(storeOf<TypeParam>(
            toVectorSparse<VectorSparse<typename TypeParam::VertexId>>(csr))),
        FlatGraph(expected));
}

TYPED_TEST_P(UpdatableLoads, LoadGraphMakesOne) {
  EXPECT_TRUE(
      requires(const std::string &path) { loadGraph<TypeParam>(path); });
}

REGISTER_TYPED_TEST_SUITE_P(UpdatableLoads, LoadedGraphsAreThoseOfCsr,
                            ListsAreBuiltLikeCsr,
                            OfParallelEdgesTheLightestStays,
                            EdgesOutOfOrderAreRefused,
                            EndsThatAreNoVertexAreRefused,
                            VerticesWithoutEdgesHaveNoPhantomEdge,
                            AMovedGraphIsTheSameAndLeavesNone,
                            OtherStoresAreCopiedToo, LoadGraphMakesOne);

} // namespace heddle::test

#endif
