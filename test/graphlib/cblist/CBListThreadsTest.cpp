//===- CBListThreadsTest.cpp - Point updates from many threads ------------===//

#include "CBListInstances.h"

#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <thread>
#include <vector>

namespace {

using namespace heddle::graph;
using namespace heddle::test;
using enum UpdateMode;

constexpr std::uint32_t Threads = 4;

/// Calls `work(thread)` in threads of their own, which begin at once.
template <typename Work> void inThreads(Work work) {
  std::atomic<std::uint32_t> ready = 0;
  std::vector<std::thread> threads;
  for (std::uint32_t thread = 0; thread < Threads; ++thread)
    threads.emplace_back([&, thread] {
      ++ready;
      while (ready != Threads)
        std::this_thread::yield();
      work(thread);
    });
  for (std::thread &thread : threads)
    thread.join();
}

template <typename Store> class CBListThreads : public testing::Test {};
using Stores = UsualOrSmallest<
    testing::Types<CBList<>>,
    testing::Types<TinyWeightedCBList,
                   CBList<std::uint64_t, float, TinyShapeBeside>>>;
TYPED_TEST_SUITE(CBListThreads, Stores);

/// Each thread has edges of its own, so that a model predicts the result,
/// although all change the same rows: `from(random)` has few values.
template <typename Store, typename From>
void expectIndependentUpdates(bool directed, From from) {
  using VertexId = typename Store::VertexId;
  constexpr VertexId Vertices = 200;
  constexpr int Updates = 3000;
  Store graph(Vertices, directed);
  CBListModel<Store> model(Vertices, directed);
  std::vector<std::vector<typename CBListModel<Store>::Update>> updates(
      Threads);
  for (std::uint32_t thread = 0; thread < Threads; ++thread) {
    std::mt19937 random(thread);
    for (int i = 0; i < Updates; ++i) {
      auto update = model.randomUpdate(random, i / 500 % 2);
      // The thread that owns an edge follows from both of its ends.
      update.edge.from = from(random);
      update.edge.to += Threads - (update.edge.from + update.edge.to) % Threads;
      update.edge.to = (update.edge.to + thread) % Vertices;
      updates[thread].push_back(update);
    }
  }
  std::vector<std::size_t> done(Threads);
  inThreads([&](std::uint32_t thread) {
    for (const auto &update : updates[thread]) {
      done[thread] += graph.updateEdge(update);
      if (graph.hasEdge(update.edge.from, update.edge.to) !=
          (update.mode == Add ||
           (update.mode == Modify &&
            graph.hasEdge(update.edge.from, update.edge.to))))
        ADD_FAILURE() << "an edge of one thread only came or went";
    }
  });
  for (std::uint32_t thread = 0; thread < Threads; ++thread)
    EXPECT_EQ(done[thread], model.apply(updates[thread]));
  expectEqual(graph, model);
}

TYPED_TEST(CBListThreads, OneHub) {
  for (const bool directed : {true, false})
    expectIndependentUpdates<TypeParam>(directed, [](auto &) { return 100u; });
}

TYPED_TEST(CBListThreads, NeighbouringVertices) {
  for (const bool directed : {true, false})
    expectIndependentUpdates<TypeParam>(
        directed, [](auto &random) { return 96 + random() % 8; });
}

TYPED_TEST(CBListThreads, FirstAndLastLinkOfTheChain) {
  for (const bool directed : {true, false})
    expectIndependentUpdates<TypeParam>(
        directed, [](auto &random) { return random() % 2 ? 0 : 199; });
}

TYPED_TEST(CBListThreads, RowsThatKeepGettingAndLosingTheirOnlyEdge) {
  // Nearly every update changes a link between vertices, often the same one.
  using VertexId = typename TypeParam::VertexId;
  for (const bool directed : {true, false}) {
    TypeParam graph(16, directed);
    inThreads([&](std::uint32_t thread) {
      std::mt19937 random(thread);
      for (int i = 0; i < 4000; ++i) {
        typename CBListModel<TypeParam>::Update update;
        update.edge = {static_cast<VertexId>(random() % 16),
                       static_cast<VertexId>(random() % 2),
                       {}};
        update.mode = random() % 2 ? Add : Delete;
        graph.updateEdge(update);
      }
    });
    const Violation found = graph.check();
    EXPECT_FALSE(found) << *found;
  }
}

TYPED_TEST(CBListThreads, TheSameEdgeIsAddedAndDeletedByTurns) {
  // The results that threads get must add up to the edges that remain.
  using VertexId = typename TypeParam::VertexId;
  for (const bool directed : {true, false}) {
    TypeParam graph(4, directed);
    std::atomic<int> balance = 0;
    inThreads([&](std::uint32_t thread) {
      for (int i = 0; i < 4000; ++i) {
        typename CBListModel<TypeParam>::Update update;
        update.edge = {static_cast<VertexId>(thread % 2 ? 1 : 2),
                       static_cast<VertexId>(thread % 2 ? 2 : 1),
                       {}};
        update.mode = (i + thread / 2) % 2 ? Add : Delete;
        if (graph.updateEdge(update))
          balance += update.mode == Add ? 1 : -1;
      }
    });
    const Violation found = graph.check();
    EXPECT_FALSE(found) << *found;
    EXPECT_EQ(graph.edgeCount(),
              static_cast<std::uint64_t>(balance) * (directed ? 1 : 2));
  }
}

} // namespace
