//===- CBListModel.h - A model of a dynamic graph ---------------*- C++ -*-===//
//
// The simplest structure with the same behaviour: a map for each vertex.
// Updates are applied one after the other, and their results are part of the
// model.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TEST_GRAPHLIB_SUPPORT_CBLISTMODEL_H
#define HEDDLE_TEST_GRAPHLIB_SUPPORT_CBLISTMODEL_H

#include "FlatGraph.h"
#include "Kinds.h"
#include "heddle/graph/CBList.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <random>
#include <vector>

namespace heddle::test {

/// Records of one edge, chunks of 2 and nodes of 3, as in GastCoCo's figure 4.
inline constexpr graph::CBListShape TinyShape = {.mostInlineEdges = 1,
                                                 .mostChunkEdges = 2,
                                                 .mostLeafEdges = 3,
                                                 .mostChildren = 3};
inline constexpr graph::CBListShape TinyShapeBeside = {
    .properties = graph::EdgeProperties::Beside,
    .mostInlineEdges = 1,
    .mostChunkEdges = 2,
    .mostLeafEdges = 3,
    .mostChildren = 3};
inline constexpr graph::CBListShape ShapeBeside = {
    .properties = graph::EdgeProperties::Beside};
/// All sizes are different, and trees grow wide before they grow high.
inline constexpr graph::CBListShape OddShape = {
    .chunkLines = 2, .nodeLines = 1, .mostChildren = 4};

using CBListStores = UsualOrSmallest<
    testing::Types<graph::CBList<>,
                   graph::CBList<std::uint64_t, double, OddShape>>,
    testing::Types<graph::CBList<std::uint32_t, graph::Unweighted, TinyShape>,
                   graph::CBList<std::uint32_t, float, TinyShapeBeside>>>;

/// A directed or undirected graph whose weights are small whole numbers.
template <typename Store> class CBListModel {
public:
  using VertexId = typename Store::VertexId;
  using Weight = typename Store::Weight;
  using Update = graph::EdgeUpdate<VertexId, Weight>;

  CBListModel(VertexId vertices, bool directed)
      : rows(vertices), deleted(vertices), directed(directed) {}

  bool apply(const Update &update) {
    const auto &[from, to, weight] = update.edge;
    const bool exists = rows[from].contains(to);
    switch (update.mode) {
    case graph::UpdateMode::Add:
      if (exists || deleted[from] || deleted[to])
        return false;
      set(from, to, number(weight));
      return true;
    case graph::UpdateMode::Delete:
      rows[from].erase(to);
      if (!directed)
        rows[to].erase(from);
      return exists;
    case graph::UpdateMode::Modify:
      if (!exists || !graph::IsWeighted<Store>)
        return false;
      set(from, to, number(weight));
      return true;
    }
    return false;
  }

  std::size_t apply(const std::vector<Update> &updates) {
    std::size_t done = 0;
    for (const Update &update : updates)
      done += apply(update);
    return done;
  }

  bool updateVertex(VertexId vertex, graph::UpdateMode mode) {
    if (vertex == rows.size() && mode == graph::UpdateMode::Add) {
      rows.emplace_back();
      deleted.push_back(false);
      return true;
    }
    if (mode == graph::UpdateMode::Modify ||
        deleted[vertex] != (mode == graph::UpdateMode::Add))
      return false;
    deleted[vertex] = mode == graph::UpdateMode::Delete;
    if (deleted[vertex]) {
      rows[vertex].clear();
      for (auto &row : rows)
        row.erase(vertex);
    }
    return true;
  }

  /// Returns an update of vertices, the lower ones of which are likelier. If
  /// `shrinks`, more edges are deleted than added.
  template <typename Random>
  Update randomUpdate(Random &random, bool shrinks) const {
    const auto size = static_cast<VertexId>(rows.size());
    Update update;
    update.edge = {static_cast<VertexId>(random() % (random() % size + 1)),
                   static_cast<VertexId>(random() % size), Weight()};
    if constexpr (graph::IsWeighted<Store>)
      update.edge.weight = static_cast<Weight>(random() % 100);
    const auto kind = random() % 8;
    update.mode = kind == 7                  ? graph::UpdateMode::Modify
                  : kind < (shrinks ? 5 : 2) ? graph::UpdateMode::Delete
                                             : graph::UpdateMode::Add;
    return update;
  }

  /// Returns the edges of a vertex, which may have none.
  const std::map<VertexId, double> &operator[](VertexId vertex) const {
    return rows[vertex];
  }
  VertexId size() const { return static_cast<VertexId>(rows.size()); }
  bool isDirected() const { return directed; }

  FlatEdges flat() const {
    FlatEdges edges;
    for (std::size_t v = 0; v < rows.size(); ++v)
      for (const auto &[target, weight] : rows[v])
        edges.emplace_back(v, target, weight);
    return edges;
  }

private:
  void set(VertexId from, VertexId to, double weight) {
    rows[from][to] = weight;
    if (!directed)
      rows[to][from] = weight;
  }

  std::vector<std::map<VertexId, double>> rows;
  std::vector<bool> deleted;
  bool directed;
};

/// Expects that a store has no inner errors, and the edges of the model.
template <typename Store>
void expectEqual(const Store &graph, const CBListModel<Store> &model) {
  const graph::Violation found = graph.check();
  ASSERT_FALSE(found) << *found;
  const FlatEdges expected = model.flat();
  ASSERT_EQ(graph.vertexCount(), model.size());
  ASSERT_EQ(graph.edgeCount(), expected.size());
  ASSERT_EQ(graph.isDirected(), model.isDirected());
  ASSERT_EQ(flatten(graph), expected);
}

} // namespace heddle::test

#endif
