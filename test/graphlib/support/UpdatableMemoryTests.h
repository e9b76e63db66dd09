//===- UpdatableMemoryTests.h - Graphs when memory runs out ----*- C++ -*-===//
//
// The linker redirects all calls of heddle_remote_alloc() to this file, and
// each of them fails once: the operation must then be complete or have no
// effect. A test instantiates this for its stores, and defines the function
// that makes them: `storeOf<Store>(csr)`.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TEST_GRAPHLIB_SUPPORT_UPDATABLEMEMORYTESTS_H
#define HEDDLE_TEST_GRAPHLIB_SUPPORT_UPDATABLEMEMORYTESTS_H

#include "CBListModel.h"
#include "heddle/graph/detail/Build.h"

#include <gtest/gtest.h>

#include <atomic>
#include <limits>
#include <new>
#include <random>
#include <vector>

namespace heddle::test {

/// The number of allocations that succeed before the next fails.
inline std::atomic<int> allocationsLeft = std::numeric_limits<int>::max();

} // namespace heddle::test

extern "C" void *__real_heddle_remote_alloc(std::size_t size);
extern "C" void *__wrap_heddle_remote_alloc(std::size_t size) {
  if (heddle::test::allocationsLeft-- == 0)
    return nullptr;
  return __real_heddle_remote_alloc(size);
}

namespace heddle::test {

using namespace heddle::graph;
using enum UpdateMode;

/// A store of a test's own.
template <typename Store, typename Source> Store storeOf(const Source &graph);

/// Makes allocation number `index` of those in `work` fail. Returns false if
/// there are fewer.
template <typename Work> bool failsAt(int index, Work work) {
  allocationsLeft = index;
  bool failed = false;
  try {
    work();
  } catch (const std::bad_alloc &) {
    failed = true;
  }
  allocationsLeft = std::numeric_limits<int>::max();
  return failed;
}

template <typename Store> class UpdatableMemory : public testing::Test {};
TYPED_TEST_SUITE_P(UpdatableMemory);

TYPED_TEST_P(UpdatableMemory, BatchesAreDoneWholeOrNotAtAll) {
  using Update = typename CBListModel<TypeParam>::Update;
  for (const bool directed : {true, false}) {
    std::mt19937 random(1);
    TypeParam graph(300, directed);
    CBListModel<TypeParam> model(300, directed);
    int failures = 0;
    for (int round = 0; round < 12; ++round) {
      std::vector<Update> updates(round % 2 ? 2000 : 50);
      for (Update &update : updates)
        update = model.randomUpdate(random, round % 4 == 3);
      int index = 0;
      std::size_t done = 0;
      for (; failsAt(index, [&] { done = graph.updateEdges(updates); });
           ++index)
        expectEqual(graph, model);
      failures += index;
      ASSERT_EQ(done, model.apply(updates));
      expectEqual(graph, model);
    }
    EXPECT_GE(failures, 24); // two for each batch
  }
}

/// Few updates, which a store may apply one by one, in few rows, which change
/// their form within a batch.
TYPED_TEST_P(UpdatableMemory, FewUpdatesOfARowAreDoneWholeOrNotAtAll) {
  using Update = typename CBListModel<TypeParam>::Update;
  using VertexId = typename TypeParam::VertexId;
  for (const bool directed : {true, false}) {
    std::mt19937 random(4);
    TypeParam graph(200, directed);
    CBListModel<TypeParam> model(200, directed);
    int failures = 0;
    for (int round = 0; round < 1500; ++round) {
      std::vector<Update> updates(2 + random() % 15);
      for (Update &update : updates) {
        update = model.randomUpdate(random, round % 300 >= 150);
        update.edge.from = static_cast<VertexId>(round / 2 % 200);
      }
      int index = 0;
      std::size_t done = 0;
      for (; failsAt(index, [&] { done = graph.updateEdges(updates); });
           ++index)
        if (failures < 300)
          expectEqual(graph, model);
      failures += index;
      ASSERT_EQ(done, model.apply(updates));
    }
    expectEqual(graph, model);
    EXPECT_GT(failures, 3);
  }
}

TYPED_TEST_P(UpdatableMemory, PointUpdatesAreDoneWholeOrNotAtAll) {
  for (const bool directed : {true, false}) {
    std::mt19937 random(2);
    TypeParam graph(120, directed);
    CBListModel<TypeParam> model(120, directed);
    int failures = 0;
    for (int i = 0; i < 12000; ++i) {
      const auto update = model.randomUpdate(random, i % 4000 > 3000);
      bool done = false;
      const int index = i % 2 == 0 ? 0 : i / 2 % 16;
      if (failsAt(index, [&] { done = graph.updateEdge(update); })) {
        if (++failures < 500)
          expectEqual(graph, model);
        done = graph.updateEdge(update);
      }
      ASSERT_EQ(done, model.apply(update));
    }
    expectEqual(graph, model);
    EXPECT_GT(failures, 5);
  }
}

TYPED_TEST_P(UpdatableMemory, VerticesAndCompactionAreDoneWholeOrNotAtAll) {
  using VertexId = typename TypeParam::VertexId;
  for (const bool directed : {true, false}) {
    std::mt19937 random(3);
    TypeParam graph(64, directed);
    CBListModel<TypeParam> model(64, directed);
    for (int i = 0; i < 1000; ++i) {
      const auto update = model.randomUpdate(random, false);
      graph.updateEdge(update);
      model.apply(update);
    }
    int index = 0;
    if constexpr (requires { graph.compact(); }) {
      for (; failsAt(index, [&] { graph.compact(); }); ++index)
        expectEqual(graph, model);
      EXPECT_GT(index, 2);
      expectEqual(graph, model);
    }
    for (const auto &[vertex, mode] :
         {std::pair<VertexId, UpdateMode>(0, Delete), {64, Add}, {0, Add}}) {
      for (index = 0; failsAt(index, [&] { graph.updateVertex(vertex, mode); });
           ++index)
        expectEqual(graph, model);
      model.updateVertex(vertex, mode);
      expectEqual(graph, model);
    }
  }
}

TYPED_TEST_P(UpdatableMemory, LoadingLeavesNothingBehind) {
  const auto csr = buildCsr([] {
    EdgeList<std::uint32_t, typename TypeParam::Weight> list;
    list.vertexCount = 9;
    list.edges = Array<Edge<std::uint32_t, typename TypeParam::Weight>>(1);
    list.edges[0] = {1, 2, {}};
    return list;
  }());
  int index = 0;
  while (failsAt(index, [&] { storeOf<TypeParam>(csr); }))
    ++index;
  EXPECT_GT(index, 5);
}

REGISTER_TYPED_TEST_SUITE_P(UpdatableMemory, BatchesAreDoneWholeOrNotAtAll,
                            FewUpdatesOfARowAreDoneWholeOrNotAtAll,
                            PointUpdatesAreDoneWholeOrNotAtAll,
                            VerticesAndCompactionAreDoneWholeOrNotAtAll,
                            LoadingLeavesNothingBehind);

} // namespace heddle::test

#endif
