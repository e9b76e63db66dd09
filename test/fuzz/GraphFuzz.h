//===- GraphFuzz.h - Bytes as operations on a dynamic graph ----*- C++ -*-===//

#ifndef HEDDLE_TEST_FUZZ_GRAPHFUZZ_H
#define HEDDLE_TEST_FUZZ_GRAPHFUZZ_H

#include "../graphlib/support/CBListModel.h"
#include "FuzzInput.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace heddle::test {

using namespace heddle::graph;

/// A store and a model of it, to which the same is done.
template <typename Store> class FuzzedGraph {
  using VertexId = typename Store::VertexId;
  using Weight = typename Store::Weight;
  using Update = EdgeUpdate<VertexId, Weight>;

public:
  explicit FuzzedGraph(FuzzInput &input)
      : input(input), directed(input.below(2) == 0),
        vertices(static_cast<VertexId>(1 + input.below(24))),
        graph(vertices, directed), model(vertices, directed) {}

  void run() {
    for (std::size_t step = 1; !input.empty(); ++step) {
      apply(input.below(8));
      if (step % 8 == 0)
        expectEqual(graph, model);
      if (::testing::Test::HasFailure())
        return;
    }
    expectEqual(graph, model);
  }

private:
  VertexId vertex() {
    return static_cast<VertexId>(input.byte() % model.size());
  }

  Update update() {
    Update update;
    // Vertex 0 has more edges than others.
    update.edge = {input.below(3) ? VertexId(0) : vertex(), vertex(), Weight()};
    if constexpr (IsWeighted<Store>)
      update.edge.weight = static_cast<Weight>(input.below(100));
    constexpr UpdateMode modes[] = {UpdateMode::Add, UpdateMode::Add,
                                    UpdateMode::Delete, UpdateMode::Modify};
    update.mode = modes[input.below(4)];
    return update;
  }

  void apply(std::size_t which) {
    switch (which) {
    case 0:
    case 1: {
      const Update one = update();
      EXPECT_EQ(graph.updateEdge(one), model.apply(one));
      return;
    }
    case 2:
    case 3:
    case 4: {
      std::vector<Update> batch(input.below(64));
      for (Update &one : batch)
        one = update();
      EXPECT_EQ(graph.updateEdges(batch), model.apply(batch));
      return;
    }
    case 5: {
      // The one behind the last may be added.
      const auto which =
          static_cast<VertexId>(input.byte() % (model.size() + 1));
      const auto mode = which == model.size() || input.below(2)
                            ? UpdateMode::Add
                            : UpdateMode::Delete;
      if (which == model.size() && which > 200)
        return;
      EXPECT_EQ(graph.updateVertex(which, mode),
                model.updateVertex(which, mode));
      return;
    }
    case 6:
      return searchAll();
    case 7:
      if constexpr (requires { graph.compact(); })
        if (input.below(4) == 0)
          graph.compact();
    }
  }

  void searchAll() {
    std::vector<EdgeQuery<VertexId>> queries(input.below(32));
    const auto found = std::make_unique<bool[]>(queries.size());
    std::size_t expected = 0;
    for (auto &query : queries) {
      query = {vertex(), vertex()};
      const bool isThere = model[query.from].contains(query.to);
      expected += isThere;
      EXPECT_EQ(graph.hasEdge(query.from, query.to), isThere);
    }
    EXPECT_EQ(graph.findEdges(queries, {found.get(), queries.size()}),
              expected);
    for (std::size_t i = 0; i < queries.size(); ++i)
      EXPECT_EQ(found[i], model[queries[i].from].contains(queries[i].to));
  }

  FuzzInput &input;
  const bool directed;
  const VertexId vertices;
  Store graph;
  CBListModel<Store> model;
};

} // namespace heddle::test

#endif
