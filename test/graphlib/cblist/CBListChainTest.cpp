//===- CBListChainTest.cpp - One chain through all chunks -----------------===//
//
// check(), which the tests of updates call after each update, verifies the
// chain. This file tests faults of other implementations, and the functions
// that use the chain.
//
//===----------------------------------------------------------------------===//

#include "../support/SampleGraphs.h"
#include "CBListInstances.h"
#include "heddle/graph/Generate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace {

using namespace heddle::graph;
using namespace heddle::test;
using enum UpdateMode;

using TinyList = TinyWeightedCBList;
using TinyUpdate = EdgeUpdate<std::uint32_t, TinyList::Weight>;

template <typename Store> FlatEdges alongChain(const Store &graph) {
  FlatEdges edges;
  graph.scanChain([&](auto from, auto part) {
    EXPECT_FALSE(part.empty());
    for (const auto [target, weight] : part)
      edges.emplace_back(from, target, number(weight));
  });
  return edges;
}

TinyUpdate update(std::uint32_t from, std::uint32_t to, UpdateMode mode) {
  return {{from, to, static_cast<TinyList::Weight>(to)}, mode};
}

TEST(CBListChain, TheLastVertexMayHaveManyChunks) {
  EdgeList<std::uint32_t> list;
  list.vertexCount = 103;
  list.edges = Array<Edge<std::uint32_t>>(103);
  for (std::uint32_t i = 0; i < 103; ++i)
    list.edges[i] = {102, i, {}};
  EXPECT_EQ(alongChain(buildCBList(list)).size(), 103u);
  EXPECT_EQ(alongChain(buildCBList<TinyShape>(list)).size(), 103u);
  TinyList graph(103);
  for (std::uint32_t i = 0; i < 103; ++i) {
    graph.updateEdge(update(102, 102 - i, Add));
    ASSERT_EQ(alongChain(graph), flatten(graph));
  }
}

TEST(CBListChain, APromotedVertexIsReachedAtItsTree) {
  for (const bool inBatch : {false, true}) {
    TinyList graph(10);
    for (const std::uint32_t v : {2, 5, 8})
      graph.updateEdge(update(v, v, Add));
    std::vector<TinyUpdate> updates;
    for (std::uint32_t to = 0; to < 10; ++to)
      updates.push_back(update(5, to, Add));
    if (inBatch)
      graph.updateEdges(updates);
    else
      for (const auto &edge : updates)
        graph.updateEdge(edge);
    EXPECT_GT(graph.outRows().record(5).level(), 0u);
    EXPECT_EQ(alongChain(graph).size(), 12u);
    EXPECT_EQ(alongChain(graph), flatten(graph));
    EXPECT_FALSE(graph.check());

    for (auto &edge : updates)
      edge.mode = Delete;
    updates.pop_back();
    if (inBatch)
      graph.updateEdges(updates);
    else
      for (const auto &edge : updates)
        graph.updateEdge(edge);
    EXPECT_EQ(graph.outRows().record(5).level(), 0u);
    EXPECT_EQ(alongChain(graph).size(), 3u);
    EXPECT_EQ(alongChain(graph), flatten(graph));
    EXPECT_FALSE(graph.check());
  }
}

TEST(CBListChain, VerticesThatGetOrLoseAllEdgesAreLinkedAndUnlinked) {
  // Tests all orders of three neighbours, and thousands of edges between
  // others.
  for (const std::uint32_t step : {1u, 63u, 64u, 5000u}) {
    std::vector<std::uint32_t> order = {1, 2, 3, 4};
    do {
      TinyList graph(5 * step);
      for (const UpdateMode mode : {Add, Delete})
        for (const std::uint32_t v : order) {
          ASSERT_TRUE(graph.updateEdge(update(v * step, 0, mode)));
          const Violation found = graph.check();
          ASSERT_FALSE(found) << *found;
        }
      EXPECT_TRUE(alongChain(graph).empty());
    } while (std::next_permutation(order.begin(), order.end()));
  }
}

TEST(CBListChain, BatchesMayEmptyNeighboursAndFillOthers) {
  TinyList graph(40);
  CBListModel<TinyList> model(40, true);
  for (std::uint32_t round = 0; round < 12; ++round) {
    std::vector<TinyUpdate> updates;
    for (std::uint32_t v = 0; v < 40; ++v)
      for (std::uint32_t to = 0; to < 3; ++to)
        updates.push_back(
            update(v, to, (v / 3 + round) % 4 < 2 ? Add : Delete));
    ASSERT_EQ(graph.updateEdges(updates), model.apply(updates));
    expectEqual(graph, model);
  }
}

/// Checks that all parts together are the chain, and that none has much more
/// than its share.
template <typename Store> void expectGoodParts(const Store &graph) {
  std::size_t chunks = 0;
  graph.scanChain([&](auto, auto) { ++chunks; });
  for (const std::size_t number : {1, 2, 3, 7, 64, 1000}) {
    FlatEdges edges;
    const auto parts = graph.chainParts(graph.outRows(), number);
    ASSERT_EQ(parts.size(), number);
    for (const auto &part : parts) {
      std::size_t size = 0;
      part.forEachChunk([&](auto from, auto range) {
        ++size;
        for (const auto [target, weight] : range)
          edges.emplace_back(from, target, heddle::test::number(weight));
      });
      EXPECT_LE(size, chunks / number + 1);
      EXPECT_GE(size, chunks / number);
    }
    EXPECT_EQ(edges, flatten(graph));

    typename Store::VertexId next = 0;
    const auto vertexParts = graph.vertexParts(graph.outRows(), number);
    ASSERT_EQ(vertexParts.size(), number);
    for (const auto [begin, end] : vertexParts) {
      EXPECT_EQ(begin, next);
      EXPECT_LE(begin, end);
      next = end;
    }
    EXPECT_EQ(next, graph.vertexCount());
  }
}

TEST(CBListChain, PartsHaveEqualNumbersOfChunks) {
  expectGoodParts(buildCBList(generateKronecker({.scale = 10})));
  expectGoodParts(buildCBList<TinyShape>(generateKronecker({.scale = 8})));
  expectGoodParts(CBList<>(100));
  expectGoodParts(CBList<>());
}

TEST(CBListChain, AHubIsCutToo) {
  EdgeList<std::uint32_t> list;
  list.vertexCount = 5000;
  list.edges = Array<Edge<std::uint32_t>>(5000);
  for (std::uint32_t i = 0; i < 5000; ++i)
    list.edges[i] = {i % 100 == 0 ? i : 2500, i, {}};
  expectGoodParts(buildCBList(list));
  expectGoodParts(buildCBList<TinyShape>(list));
}

TEST(CBListChain, LoadedAndCompactedChunksLieInTheOrderOfTheChain) {
  const auto expectInOrder = [](const TinyList &graph, bool isInOrder) {
    bool ascends = true;
    const cblist::Line *end = nullptr;
    for (std::uint32_t v = 0; v < graph.vertexCount(); ++v) {
      const auto &record = graph.outRows().record(v);
      cblist::Line *line = record.isInline() ? nullptr : record.first();
      while (line) {
        const cblist::Chunk<TinyList::Layout> chunk(line);
        ascends &= !end || line == end;
        end = line + chunk.header().lines();
        line = chunk.next().line();
      }
    }
    EXPECT_EQ(ascends, isInOrder);
  };
  std::mt19937 random(1);
  TinyList graph(300);
  CBListModel<TinyList> model(300, true);
  expectInOrder(buildCBList<TinyShape>(withWeights<TinyList::Weight>(
                    generateKronecker({.scale = 8}))),
                true);
  for (int i = 0; i < 5000; ++i) {
    const auto change = model.randomUpdate(random, i > 3000);
    ASSERT_EQ(graph.updateEdge(change), model.apply(change));
  }
  graph.updateVertex(17, Delete);
  model.updateVertex(17, Delete);
  expectInOrder(graph, false);
  const std::size_t bytes = graph.bytes();
  graph.compact();
  expectInOrder(graph, true);
  expectEqual(graph, model);
  EXPECT_LT(graph.bytes(), bytes);
  EXPECT_TRUE(graph.isDeleted(17));
  EXPECT_TRUE(graph.updateVertex(17, Add));
  EXPECT_FALSE(graph.check());
}

TEST(CBListChain, BatchesBringItBackInOrderNowAndThen) {
  for (const bool directed : {true, false})
    for (const std::size_t size : {10, 100}) {
      std::mt19937 random(2);
      TinyList graph(60, directed);
      CBListModel<TinyList> model(60, directed);
      graph.updateVertex(17, Delete);
      model.updateVertex(17, Delete);
      std::size_t givenBack = 0, compactions = 0;
      for (std::size_t round = 0; round < 100000 / size; ++round) {
        std::vector<TinyUpdate> updates(size);
        for (auto &update : updates)
          update = model.randomUpdate(random, round * size % 10000 >= 5000);
        ASSERT_EQ(graph.updateEdges(updates), model.apply(updates));
        EXPECT_FALSE(graph.outRows().isScattered());
        EXPECT_FALSE(graph.inRows().isScattered());
        const std::size_t now = graph.outRows().store().bytesGivenBack();
        compactions += now < givenBack;
        givenBack = now;
      }
      EXPECT_GT(compactions, 2u);
      expectEqual(graph, model);
      EXPECT_TRUE(graph.isDeleted(17));
    }
}

TEST(CBListScan, VerticesThatMeetTheConditionAreScanned) {
  CBList<> graph(10);
  graph.updateVertex(4, Delete);
  std::vector<std::uint32_t> found;
  for (const auto v : graph.scanVertices([](auto v) { return v % 2 == 0; }))
    found.push_back(v);
  EXPECT_EQ(found, (std::vector<std::uint32_t>{0, 2, 6, 8}));
  graph.updateEdge({{3, 7, {}}, Add});
  std::size_t edges = 0;
  for (const auto edge : graph.scanEdges(3))
    edges += edge.target == 7;
  EXPECT_EQ(edges, 1u);
}

} // namespace
