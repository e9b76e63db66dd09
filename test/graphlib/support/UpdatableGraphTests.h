//===- UpdatableGraphTests.h - Graphs that change, and a model -*- C++ -*-===//
//
// The tests of every store that takes updates. A test instantiates them for its
// stores.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TEST_GRAPHLIB_SUPPORT_UPDATABLEGRAPHTESTS_H
#define HEDDLE_TEST_GRAPHLIB_SUPPORT_UPDATABLEGRAPHTESTS_H

#include "CBListModel.h"
#include "Threads.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <span>
#include <vector>

namespace heddle::test {

using namespace heddle::graph;
using enum UpdateMode;

template <typename Store> class UpdatableGraphs : public testing::Test {
public:
  using VertexId = typename Store::VertexId;
  using Weight = typename Store::Weight;
  using Update = EdgeUpdate<VertexId, Weight>;

  static Update update(VertexId from, VertexId to, UpdateMode mode,
                       int weight = 1) {
    Update result;
    result.edge = {from, to, Weight()};
    if constexpr (IsWeighted<Store>)
      result.edge.weight = static_cast<Weight>(weight);
    result.mode = mode;
    return result;
  }
};
TYPED_TEST_SUITE_P(UpdatableGraphs);

TYPED_TEST_P(UpdatableGraphs, RandomPointUpdatesAreThoseOfTheModel) {
  for (const bool directed : {true, false}) {
    std::mt19937 random(directed);
    TypeParam graph(60, directed);
    CBListModel<TypeParam> model(60, directed);
    for (int i = 0; i < 12000; ++i) {
      const auto update = model.randomUpdate(random, i / 2000 % 2);
      ASSERT_EQ(graph.updateEdge(update), model.apply(update)) << i;
      if (i % 200 == 0)
        expectEqual(graph, model);
      if (this->HasFatalFailure())
        return;
    }
  }
}

TYPED_TEST_P(UpdatableGraphs, RandomBatchesAreThoseOfTheModel) {
  using Update = typename TestFixture::Update;
  for (const int threads : {1, 3})
    for (const bool directed : {true, false}) {
      ThreadCount scope(threads);
      std::mt19937 random(7 + directed);
      TypeParam graph(80, directed);
      CBListModel<TypeParam> model(80, directed);
      for (int i = 0; i < 100; ++i) {
        std::vector<Update> updates(random() % (random() % 400 + 1));
        for (Update &update : updates)
          update = model.randomUpdate(random, i / 20 % 2);
        ASSERT_EQ(graph.updateEdges(updates), model.apply(updates)) << i;
        expectEqual(graph, model);
        if (this->HasFatalFailure())
          return;
      }
    }
}

TYPED_TEST_P(UpdatableGraphs, LargeBatchesUseAllThreads) {
  // More groups than a thread takes at once, and buckets of the sort.
  using VertexId = typename TestFixture::VertexId;
  using Update = typename TestFixture::Update;
  constexpr VertexId Vertices = 5000;
  for (const bool directed : {true, false}) {
    ThreadCount scope(3);
    std::mt19937 random(3);
    TypeParam graph(Vertices, directed);
    CBListModel<TypeParam> model(Vertices, directed);
    for (int i = 0; i < 4; ++i) {
      std::vector<Update> updates(40000);
      for (Update &update : updates)
        update = model.randomUpdate(random, i == 2);
      ASSERT_EQ(graph.updateEdges(updates), model.apply(updates)) << i;
      expectEqual(graph, model);
    }
  }
}

TYPED_TEST_P(UpdatableGraphs, SmallBatchesIntoLargeRowsSplitAndMergeLeaves) {
  using VertexId = typename TestFixture::VertexId;
  using Update = typename TestFixture::Update;
  constexpr VertexId Vertices = 3000;
  std::mt19937 random(5);
  TypeParam graph(Vertices);
  CBListModel<TypeParam> model(Vertices, true);
  for (int i = 0; i < 120; ++i) {
    // Rows of thousands of edges and batches of dozens: no row is rewritten.
    std::vector<Update> updates(i == 0 ? 6000 : 40);
    for (Update &update : updates)
      update = this->update(
          static_cast<VertexId>(random() % 3),
          static_cast<VertexId>(random() % Vertices),
          i > 0 && random() % 8 < (i % 40 < 20 ? 2 : 6) ? Delete : Add,
          static_cast<int>(random() % 100));
    ASSERT_EQ(graph.updateEdges(updates), model.apply(updates)) << i;
    if (i % 8 == 0)
      expectEqual(graph, model);
  }
  expectEqual(graph, model);
}

TYPED_TEST_P(UpdatableGraphs, EveryCapacityIsCrossedBothWays) {
  // One edge more and one less than fit in each piece, in all orders.
  using VertexId = typename TestFixture::VertexId;
  constexpr VertexId Vertices = 300;
  for (const int order : {0, 1, 2}) {
    TypeParam graph(Vertices);
    CBListModel<TypeParam> model(Vertices, true);
    std::vector<VertexId> targets(Vertices);
    for (VertexId v = 0; v < Vertices; ++v)
      targets[v] = order == 0 ? v : Vertices - 1 - v;
    if (order == 2)
      std::shuffle(targets.begin(), targets.end(), std::mt19937(1));
    for (const UpdateMode mode : {Add, Delete})
      for (const VertexId target : targets) {
        const auto update =
            this->update(7, target, mode, static_cast<int>(target % 100));
        ASSERT_TRUE(graph.updateEdge(update));
        ASSERT_FALSE(graph.updateEdge(update));
        ASSERT_EQ(graph.outDegree(7),
                  model[7].size() + (mode == Add) - (mode == Delete));
        model.apply(update);
        expectEqual(graph, model);
        if (this->HasFatalFailure())
          return;
      }
    EXPECT_EQ(graph.edgeCount(), 0u);
  }
}

TYPED_TEST_P(UpdatableGraphs, DuplicatesOfABatchAreDoneInTheirOrder) {
  using Update = typename TestFixture::Update;
  for (const bool directed : {true, false}) {
    TypeParam graph(9, directed);
    CBListModel<TypeParam> model(9, directed);
    const std::vector<Update> updates = {
        this->update(2, 3, Add, 5),    this->update(2, 3, Add, 6),
        this->update(2, 3, Modify, 7), this->update(3, 2, Modify, 8),
        this->update(2, 3, Delete),    this->update(2, 3, Add, 9),
        this->update(4, 4, Add, 3),    this->update(4, 4, Add, 4),
        this->update(5, 6, Add, 1),    this->update(6, 5, Delete),
        this->update(7, 8, Delete),    this->update(7, 8, Modify, 2)};
    EXPECT_EQ(graph.updateEdges(updates), model.apply(updates));
    expectEqual(graph, model);
  }
}

TYPED_TEST_P(UpdatableGraphs, TheCallersBatchStaysAsItIs) {
  using Update = typename TestFixture::Update;
  const std::vector<Update> updates = {this->update(8, 1, Add, 5),
                                       this->update(2, 3, Add, 6),
                                       this->update(2, 1, Add, 7)};
  std::vector<Update> given = updates;
  TypeParam graph(9);
  EXPECT_EQ(graph.updateEdges(given), 3u);
  for (std::size_t i = 0; i < updates.size(); ++i) {
    EXPECT_EQ(given[i].edge, updates[i].edge);
    EXPECT_EQ(given[i].mode, updates[i].mode);
  }
}

TYPED_TEST_P(UpdatableGraphs, NoBatchIsTooSmall) {
  using VertexId = typename TestFixture::VertexId;
  using Update = typename TestFixture::Update;
  for (const int threads : ThreadCounts) {
    ThreadCount scope(threads);
    TypeParam graph(50);
    EXPECT_EQ(graph.updateEdges(std::vector<Update>()), 0u);
    for (VertexId size = 1; size < 20; ++size) {
      std::vector<Update> updates;
      for (VertexId to = 0; to < size; ++to)
        updates.push_back(this->update(size, to, Add));
      EXPECT_EQ(graph.updateEdges(updates), size);
      EXPECT_EQ(graph.outDegree(size), size);
    }
    EXPECT_FALSE(graph.check());
  }
}

TYPED_TEST_P(UpdatableGraphs, WeightsOfABatchAreKept) {
  using Update = typename TestFixture::Update;
  if constexpr (IsWeighted<TypeParam>) {
    TypeParam graph(200);
    std::vector<Update> updates;
    for (int to = 0; to < 200; ++to)
      updates.push_back(this->update(
          0, static_cast<typename TestFixture::VertexId>(to), Add, to % 100));
    EXPECT_EQ(graph.updateEdges(updates), 200u);
    for (const auto [target, weight] : graph.outEdges(0))
      EXPECT_EQ(number(weight), static_cast<double>(target % 100));
    for (typename TestFixture::VertexId to = 0; to < 200; ++to)
      EXPECT_EQ(number(*graph.findEdge(0, to)), static_cast<double>(to % 100));
  }
}

TYPED_TEST_P(UpdatableGraphs, CountsAreExactAfterEachBatch) {
  using Update = typename TestFixture::Update;
  TypeParam graph(100, false);
  std::vector<Update> updates;
  for (typename TestFixture::VertexId v = 1; v < 100; ++v)
    updates.push_back(this->update(0, v, Add));
  EXPECT_EQ(graph.updateEdges(updates), 99u);
  EXPECT_EQ(graph.edgeCount(), 198u);
  EXPECT_EQ(graph.updateEdges(updates), 0u);
  EXPECT_EQ(graph.edgeCount(), 198u);
  EXPECT_TRUE(graph.updateEdge(this->update(5, 5, Add)));
  EXPECT_EQ(graph.edgeCount(), 199u);
  for (Update &update : updates)
    update.mode = Delete;
  EXPECT_EQ(graph.updateEdges(updates), 99u);
  EXPECT_EQ(graph.edgeCount(), 1u);
}

TYPED_TEST_P(UpdatableGraphs, AHubHasHalfOfTheEdges) {
  using VertexId = typename TestFixture::VertexId;
  using Update = typename TestFixture::Update;
  constexpr VertexId Vertices = 4000;
  for (const bool directed : {true, false}) {
    TypeParam graph(Vertices, directed);
    CBListModel<TypeParam> model(Vertices, directed);
    std::mt19937 random(1);
    for (int i = 0; i < 6; ++i) {
      std::vector<Update> updates;
      for (int k = 0; k < 1500; ++k) {
        const auto v = static_cast<VertexId>(random() % Vertices);
        updates.push_back(this->update(Vertices / 2, v, Add, k % 100));
        updates.push_back(model.randomUpdate(random, i == 4));
      }
      ASSERT_EQ(graph.updateEdges(updates), model.apply(updates));
      expectEqual(graph, model);
    }
  }
}

TYPED_TEST_P(UpdatableGraphs, VerticesThatDoNotExistAreRefused) {
  using VertexId = typename TestFixture::VertexId;
  TypeParam graph(10);
  ASSERT_TRUE(graph.updateEdge(this->update(1, 2, Add)));
  for (const VertexId bad : {VertexId(10), NoVertex<VertexId>}) {
    for (const UpdateMode mode : {Add, Delete, Modify}) {
      EXPECT_THROW(graph.updateEdge(this->update(bad, 2, mode)), Error);
      EXPECT_THROW(graph.updateEdge(this->update(2, bad, mode)), Error);
    }
    EXPECT_THROW(graph.updateVertex(bad, Delete), Error);
    EXPECT_THROW(graph.updateVertex(bad, Modify), Error);
    const auto updates = {this->update(3, 4, Add), this->update(4, bad, Add)};
    EXPECT_THROW(graph.updateEdges(updates), Error);
  }
  EXPECT_THROW(graph.updateVertex(11, Add), Error);
  EXPECT_THROW(graph.updateVertex(NoVertex<VertexId>, Add), Error);
  EXPECT_EQ(graph.edgeCount(), 1u);
  EXPECT_FALSE(graph.check());
  try {
    graph.updateEdges(std::initializer_list<typename TestFixture::Update>{
        this->update(3, 4, Add), this->update(10, 1, Add)});
    FAIL() << "accepted";
  } catch (const Error &error) {
    EXPECT_STREQ(error.what(),
                 "update 1, edge from 10 to 1: expected vertices below 10");
  }
}

TYPED_TEST_P(UpdatableGraphs, VerticesComeAndGo) {
  using VertexId = typename TestFixture::VertexId;
  using Update = typename TestFixture::Update;
  for (const bool directed : {true, false}) {
    std::mt19937 random(directed);
    TypeParam graph(0, directed);
    CBListModel<TypeParam> model(0, directed);
    for (int i = 0; i < 120; ++i) {
      const VertexId vertices = graph.vertexCount();
      const auto vertex = static_cast<VertexId>(
          random() % 3 != 0 || vertices == 0 ? vertices : random() % vertices);
      const UpdateMode mode =
          vertex == vertices || graph.isDeleted(vertex) ? Add : Delete;
      ASSERT_EQ(graph.updateVertex(vertex, mode),
                model.updateVertex(vertex, mode));
      ASSERT_EQ(graph.vertexCount(), model.size());
      std::vector<Update> updates(50);
      for (Update &update : updates)
        update = model.randomUpdate(random, false);
      for (int k = 0; k < 5; ++k)
        ASSERT_EQ(graph.updateEdge(updates[k]), model.apply(updates[k]));
      ASSERT_EQ(graph.updateEdges(updates), model.apply(updates));
      expectEqual(graph, model);
      if (this->HasFatalFailure())
        return;
    }
  }
}

TYPED_TEST_P(UpdatableGraphs, ADeletedVertexComesBackWithoutItsEdges) {
  using VertexId = typename TestFixture::VertexId;
  for (const bool directed : {true, false}) {
    TypeParam graph(50, directed);
    CBListModel<TypeParam> model(50, directed);
    const auto both = [&](const auto &update) {
      EXPECT_EQ(graph.updateEdge(update), model.apply(update));
    };
    for (VertexId v = 0; v < 50; ++v) {
      both(this->update(20, v, Add, 7)); // with a self-loop
      both(this->update(v, 20, Add, 8));
      both(this->update(v, (v + 1) % 50, Add, 9));
    }
    EXPECT_TRUE(graph.updateVertex(20, Delete));
    model.updateVertex(20, Delete);
    expectEqual(graph, model);
    EXPECT_TRUE(graph.isDeleted(20));
    EXPECT_FALSE(graph.updateVertex(20, Delete));
    both(this->update(20, 1, Add));
    both(this->update(1, 20, Add));
    EXPECT_EQ(graph.updateEdges(std::vector{this->update(20, 1, Add),
                                            this->update(3, 5, Add)}),
              1u);
    model.apply(this->update(3, 5, Add));
    EXPECT_TRUE(graph.updateVertex(20, Add));
    EXPECT_FALSE(graph.updateVertex(20, Add));
    EXPECT_FALSE(graph.updateVertex(20, Modify));
    model.updateVertex(20, Add);
    EXPECT_EQ(graph.outDegree(20), 0u);
    EXPECT_EQ(graph.inDegree(20), 0u);
    both(this->update(20, 1, Add, 42));
    expectEqual(graph, model);
    EXPECT_EQ(number(*graph.findEdge(20, 1)), IsWeighted<TypeParam> ? 42 : 0);
  }
}

/// Lookups of all pairs, one by one and at once.
TYPED_TEST_P(UpdatableGraphs, EdgesAreFound) {
  using VertexId = typename TypeParam::VertexId;
  using Weight = typename TypeParam::Weight;
  constexpr VertexId Vertices = 90;
  for (const bool directed : {true, false}) {
    std::mt19937 random(2);
    TypeParam graph(Vertices, directed);
    for (int i = 0; i < 2500; ++i)
      graph.updateEdge(this->update(static_cast<VertexId>(random() % Vertices),
                                    static_cast<VertexId>(random() % Vertices),
                                    Add, static_cast<int>(random() % 100)));
    std::vector<EdgeQuery<VertexId>> queries;
    for (VertexId from = 0; from < Vertices; ++from)
      for (VertexId to = 0; to < Vertices; ++to)
        queries.push_back({from, to});
    const auto found = std::make_unique<bool[]>(queries.size());
    std::vector<Weight> weights(queries.size());
    const std::span<bool> flags(found.get(), queries.size());
    EXPECT_EQ(graph.findEdges(queries, flags, weights), graph.edgeCount());
    std::size_t i = 0;
    for (VertexId from = 0; from < Vertices; ++from) {
      auto edges = graph.outEdges(from);
      auto edge = edges.begin();
      for (VertexId to = 0; to < Vertices; ++to, ++i) {
        const bool expected = edge != edges.end() && (*edge).target == to;
        ASSERT_EQ(found[i], expected) << from << ' ' << to;
        const auto weight = graph.findEdge(from, to);
        ASSERT_EQ(weight.has_value(), expected);
        ASSERT_EQ(graph.hasEdge(from, to), expected);
        if (!expected)
          continue;
        EXPECT_EQ(*weight, (*edge).weight);
        if constexpr (IsWeighted<TypeParam>)
          EXPECT_EQ(weights[i], (*edge).weight);
        ++edge;
      }
    }
    EXPECT_EQ(graph.findEdges(queries, flags), graph.edgeCount());
  }
}

TYPED_TEST_P(UpdatableGraphs, QueriesThatCannotBeAnsweredAreRefused) {
  using VertexId = typename TypeParam::VertexId;
  const TypeParam graph(5);
  bool found[2];
  const EdgeQuery<VertexId> good[] = {{0, 1}, {4, 4}};
  const EdgeQuery<VertexId> bad[] = {{0, 1}, {0, 5}};
  EXPECT_EQ(graph.findEdges(good, found), 0u);
  EXPECT_THROW(graph.findEdges(bad, found), Error);
  EXPECT_THROW(graph.findEdges(good, std::span(found, 1)), Error);
  EXPECT_THROW(graph.findEdge(5, 0), Error);
  EXPECT_THROW(graph.hasEdge(0, NoVertex<VertexId>), Error);
}

REGISTER_TYPED_TEST_SUITE_P(
    UpdatableGraphs, EdgesAreFound, QueriesThatCannotBeAnsweredAreRefused,
    RandomPointUpdatesAreThoseOfTheModel, RandomBatchesAreThoseOfTheModel,
    LargeBatchesUseAllThreads, SmallBatchesIntoLargeRowsSplitAndMergeLeaves,
    EveryCapacityIsCrossedBothWays, DuplicatesOfABatchAreDoneInTheirOrder,
    TheCallersBatchStaysAsItIs, NoBatchIsTooSmall, WeightsOfABatchAreKept,
    CountsAreExactAfterEachBatch, AHubHasHalfOfTheEdges,
    VerticesThatDoNotExistAreRefused, VerticesComeAndGo,
    ADeletedVertexComesBackWithoutItsEdges);

} // namespace heddle::test

#endif
