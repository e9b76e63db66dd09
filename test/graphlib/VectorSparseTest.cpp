//===- VectorSparseTest.cpp - Edge vectors against compressed rows --------===//

#include "heddle/graph/VectorSparse.h"
#include "heddle/graph/Generate.h"
#include "heddle/graph/ToCsr.h"
#include "heddle/graph/ToVectorSparse.h"
#include "heddle/graph/detail/Build.h"
#include "support/FlatGraph.h"
#include "support/InputFile.h"
#include "support/Threads.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <ranges>
#include <vector>

namespace {

using namespace heddle::graph;
using namespace heddle::test;

static_assert(std::ranges::forward_range<VectorSparse<>::Edges>);
static_assert(!IsWeighted<VectorSparse<>>);
static_assert(IsWeighted<VectorSparse<std::uint32_t, 16, float>>);

template <typename Left, typename Right>
void expectSameGraph(const Left &left, const Right &right) {
  ASSERT_EQ(left.vertexCount(), right.vertexCount());
  EXPECT_EQ(left.edgeCount(), right.edgeCount());
  EXPECT_EQ(left.isDirected(), right.isDirected());
  EXPECT_EQ(flatten(left, false), flatten(right, false));
  EXPECT_EQ(flatten(left, true), flatten(right, true));
}

/// Checks, lane by lane, the properties that loops over whole edge vectors rely
/// on.
template <typename Store>
void expectWellFormed(const typename Store::Rows &rows,
                      typename Store::VertexId vertices) {
  using Layout = typename Store::Layout;
  ASSERT_EQ(rows.rows.size(), std::size_t(vertices) + 1);
  EXPECT_EQ(rows.rows[0], 0u);
  EXPECT_EQ(rows.rows[vertices], rows.vectorCount());
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(rows.lanes.data()) %
                (Layout::Lanes * sizeof(typename Layout::Lane)),
            0u);
  if constexpr (IsWeighted<Store>) {
    EXPECT_EQ(rows.weights.size(), rows.lanes.size());
  } else {
    EXPECT_TRUE(rows.weights.empty());
  }

  std::uint64_t edges = 0;
  for (typename Store::VertexId v = 0; v < vertices; ++v) {
    ASSERT_LE(rows.rows[v], rows.rows[v + 1]);
    ASSERT_LT(rows.padding[v], Layout::Lanes);
    for (std::uint64_t k = rows.rows[v]; k < rows.rows[v + 1]; ++k) {
      ASSERT_EQ(Layout::topLevel(rows.edgeVector(k)), v);
      const bool last = k + 1 == rows.rows[v + 1];
      const unsigned valid = Layout::Lanes - (last ? rows.padding[v] : 0);
      for (unsigned i = 0; i < Layout::Lanes; ++i) {
        const auto lane = rows.edgeVector(k)[i];
        ASSERT_EQ(Layout::isValid(lane), i < valid);
        if (i < valid)
          continue;
        ASSERT_EQ(Layout::neighbour(lane), 0u);
        if constexpr (IsWeighted<Store>)
          ASSERT_EQ(rows.weights[k * Layout::Lanes + i], 0);
      }
      edges += valid;
    }
  }
  EXPECT_EQ(edges, rows.edgeCount);
}

/// Into edge vectors and back.
template <typename Store, typename Source>
void expectRoundTrip(const Source &source) {
  const Store graph = toVectorSparse<Store>(source);
  expectSameGraph(graph, source);
  expectWellFormed<Store>(graph.outRows(), graph.vertexCount());
  expectWellFormed<Store>(graph.inRows(), graph.vertexCount());
  EXPECT_EQ(&graph.inRows() == &graph.outRows(), !source.isDirected());
  expectSameGraph(toCsr(graph), source);
}

/// Returns a list in which low numbers are likelier, so that there are rows of
/// all lengths. It uses the first `used` vertices; the others are isolated.
template <typename Weight>
EdgeList<std::uint32_t, Weight> randomList(std::uint32_t used, std::size_t size,
                                           unsigned seed) {
  std::mt19937 random(seed);
  EdgeList<std::uint32_t, Weight> list;
  list.vertexCount = used + 5;
  list.edges = Array<Edge<std::uint32_t, Weight>>(size);
  for (auto &edge : list.edges) {
    edge = {};
    edge.from = static_cast<std::uint32_t>(random() % (random() % used + 1));
    edge.to = static_cast<std::uint32_t>(random() % (random() % used + 1));
    if constexpr (!std::same_as<Weight, Unweighted>)
      edge.weight = static_cast<Weight>(static_cast<int>(random() % 90) - 40);
  }
  return list;
}

template <typename Store> class VectorSparseTyped : public testing::Test {};
using AllStores = testing::Types<VectorSparse<std::uint64_t, 4>,
                                 VectorSparse<std::uint32_t, 16>,
                                 VectorSparse<std::uint64_t, 4, double>,
                                 VectorSparse<std::uint64_t, 8, std::int32_t>,
                                 VectorSparse<std::uint32_t, 8, float>,
                                 VectorSparse<std::uint32_t, 16, std::int8_t>>;
TYPED_TEST_SUITE(VectorSparseTyped, AllStores);

TYPED_TEST(VectorSparseTyped, RandomGraphsSurviveTheRoundTrip) {
  using Weight = typename TypeParam::Weight;
  for (int threads : ThreadCounts) {
    ThreadCount scope(threads);
    for (bool directed : {false, true})
      for (unsigned seed = 0; seed < 4; ++seed) {
        SCOPED_TRACE(testing::Message() << threads << " threads, directed "
                                        << directed << ", seed " << seed);
        // More rows than a thread takes at once.
        expectRoundTrip<TypeParam>(buildCsr(
            randomList<Weight>(1 + 300 * seed, 3000 * seed, seed),
            {.directed = directed, .parallelEdges = ParallelEdges::KeepAll}));
      }
  }
}

TYPED_TEST(VectorSparseTyped, EveryDegreeIsPadded) {
  // Vertex v has v edges, so that the last vectors have all numbers of edges;
  // vertex 0 is isolated as a source, 49 as a destination.
  using Weight = typename TypeParam::Weight;
  constexpr std::uint32_t Vertices = 50;
  EdgeList<std::uint32_t, Weight> list;
  list.vertexCount = Vertices;
  list.edges =
      Array<Edge<std::uint32_t, Weight>>(Vertices * (Vertices - 1) / 2);
  std::size_t count = 0;
  for (std::uint32_t from = 0; from < Vertices; ++from)
    for (std::uint32_t to = 0; to < from; ++to)
      list.edges[count++] = {from, to, Weight()};
  const auto graph = toVectorSparse<TypeParam>(buildCsr(list));
  constexpr std::uint64_t Lanes = TypeParam::Layout::Lanes;
  for (std::uint32_t v = 0; v < Vertices; ++v) {
    EXPECT_EQ(graph.outDegree(v), v);
    EXPECT_EQ(graph.outRows().padding[v], (Lanes - v % Lanes) % Lanes);
  }
  expectRoundTrip<TypeParam>(toCsr(graph));
}

TYPED_TEST(VectorSparseTyped, GraphsWithoutEdges) {
  using Weight = typename TypeParam::Weight;
  for (std::uint32_t vertices : {0, 1, 1000}) {
    EdgeList<std::uint32_t, Weight> list;
    list.vertexCount = vertices;
    for (bool directed : {false, true})
      expectRoundTrip<TypeParam>(buildCsr(list, {.directed = directed}));
  }
  const TypeParam none;
  EXPECT_EQ(none.vertexCount(), 0u);
  EXPECT_EQ(none.edgeCount(), 0u);
}

TYPED_TEST(VectorSparseTyped, AHubAndASelfLoop) {
  using Weight = typename TypeParam::Weight;
  constexpr std::uint32_t Leaves = 5000;
  EdgeList<std::uint32_t, Weight> list;
  list.vertexCount = Leaves + 1;
  list.edges = Array<Edge<std::uint32_t, Weight>>(Leaves + 1);
  for (std::uint32_t i = 0; i <= Leaves; ++i)
    list.edges[i] = {Leaves, i, Weight()};
  for (bool directed : {false, true})
    expectRoundTrip<TypeParam>(buildCsr(list, {.directed = directed}));
}

TEST(VectorSparse, IdsMayBeWiderOrNarrowerThanTheSources) {
  const auto list = randomList<Unweighted>(100, 1000, 1);
  const Csr<> narrow = buildCsr(list);
  const auto wide = toVectorSparse<VectorSparse<std::uint64_t, 8>>(narrow);
  expectSameGraph(wide, narrow);
  expectSameGraph(toVectorSparse<VectorSparse<>>(toCsr(wide)), narrow);
}

/// Pretends to have any number of vertices, none with edges.
template <typename Id> struct Void {
  using VertexId = Id;
  using EdgeId = std::uint64_t;
  using Weight = Unweighted;
  VertexId vertices;
  VertexId vertexCount() const { return vertices; }
  EdgeId edgeCount() const { return 0; }
  EdgeId outDegree(VertexId) const { return 0; }
  EdgeId inDegree(VertexId) const { return 0; }
  std::vector<Neighbour<Id, Weight>> outEdges(VertexId) const { return {}; }
  std::vector<Neighbour<Id, Weight>> inEdges(VertexId) const { return {}; }
  bool isDirected() const { return true; }
};

template <typename Store, typename Id>
void expectRefused(Id vertices, const char *message) {
  EXPECT_EQ(problemWith("", [&] { toVectorSparse<Store>(Void<Id>{vertices}); }),
            message);
}

TEST(VectorSparse, MoreVerticesThanLanesCanHoldAreRefused) {
  expectRefused<VectorSparse<std::uint32_t, 8>>(
      (std::uint32_t(1) << 27) + 1,
      "a graph of 134217729 vertices does not fit edge vectors of 8 lanes of "
      "32 bits: expected at most 134217728");
  expectRefused<VectorSparse<std::uint32_t, 16>>(
      (std::uint32_t(1) << 29) + 1,
      "a graph of 536870913 vertices does not fit edge vectors of 16 lanes of "
      "32 bits: expected at most 536870912");
  // More than the identifiers of the store could count.
  expectRefused<VectorSparse<std::uint32_t, 8>>(
      std::uint64_t(1) << 32,
      "a graph of 4294967296 vertices does not fit edge vectors of 8 lanes of "
      "32 bits: expected at most 134217728");
  expectRefused<VectorSparse<std::uint64_t, 4>>(
      (std::uint64_t(1) << 48) + 1,
      "a graph of 281474976710657 vertices does not fit edge vectors of 4 "
      "lanes of 64 bits: expected at most 281474976710656");
}

TEST(VectorSparse, AsManyAsFitAreOnlyAQuestionOfMemory) {
  using Store = VectorSparse<std::uint64_t, 8>;
  EXPECT_THROW(
      toVectorSparse<Store>(Void<std::uint64_t>{std::uint64_t(1) << 48}),
      std::bad_alloc);
}

TEST(VectorSparse, AMovedGraphIsTheSameAndLeavesNone) {
  auto graph = toVectorSparse<VectorSparse<>>(
      buildCsr(randomList<Unweighted>(100, 1000, 2)));
  const FlatEdges edges = flatten(graph, true);
  const VectorSparse<> moved = std::move(graph);
  EXPECT_EQ(graph.vertexCount(), 0u);
  EXPECT_EQ(graph.edgeCount(), 0u);
  EXPECT_EQ(flatten(moved, true), edges);
}

/// A loop over edge vectors alone, as an edge-centred engine runs: the rows are
/// not consulted.
TEST(VectorSparse, EdgeVectorsCanBeReadWithoutRows) {
  using Store = VectorSparse<std::uint32_t, 8>;
  using Layout = Store::Layout;
  const auto csr = buildCsr(generateKronecker({.scale = 10}));
  const auto graph = toVectorSparse<Store>(csr);
  const auto &rows = graph.inRows();
  std::vector<std::uint64_t> degrees(csr.vertexCount());
  std::uint64_t changes = 0;
  for (std::uint64_t k = 0; k < rows.vectorCount(); ++k) {
    const auto *vector = rows.edgeVector(k);
    degrees[Layout::topLevel(vector)] += static_cast<std::uint64_t>(
        std::count_if(vector, vector + Layout::Lanes, Layout::isValid));
    changes += k > 0 && !Layout::sameTopLevel(vector, rows.edgeVector(k - 1));
  }
  std::uint64_t withEdges = 0;
  for (std::uint32_t v = 0; v < csr.vertexCount(); ++v) {
    EXPECT_EQ(degrees[v], csr.inDegree(v));
    withEdges += csr.inDegree(v) > 0;
  }
  EXPECT_EQ(changes + 1, withEdges);
}

} // namespace
