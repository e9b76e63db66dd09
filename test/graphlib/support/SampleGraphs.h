//===- SampleGraphs.h - Small graphs of all kinds --------------*- C++ -*-===//
//
// The inputs of algorithms: skewed, even, long and wide graphs, and special
// cases.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TEST_GRAPHLIB_SUPPORT_SAMPLEGRAPHS_H
#define HEDDLE_TEST_GRAPHLIB_SUPPORT_SAMPLEGRAPHS_H

#include "Threads.h"
#include "heddle/graph/Generate.h"
#include "heddle/graph/detail/Build.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace heddle::test {

template <typename VertexId> struct SampleList {
  std::string name;
  graph::EdgeList<VertexId> list;
};

template <typename VertexId>
graph::EdgeList<VertexId>
listOf(VertexId vertices, std::vector<std::pair<VertexId, VertexId>> edges) {
  graph::EdgeList<VertexId> list;
  list.vertexCount = vertices;
  list.edges = graph::Array<graph::Edge<VertexId>>(edges.size());
  for (std::size_t i = 0; i < edges.size(); ++i)
    list.edges[i] = {edges[i].first, edges[i].second, {}};
  return list;
}

template <typename VertexId> std::vector<SampleList<VertexId>> sampleLists() {
  using namespace graph;
  std::vector<SampleList<VertexId>> samples;
  const auto add = [&](std::string name, EdgeList<VertexId> list) {
    samples.push_back({std::move(name), std::move(list)});
  };
  using Edges = std::vector<std::pair<VertexId, VertexId>>;
  constexpr VertexId Many = 300;
  Edges outwards, inwards, chain, ring;
  for (VertexId v = 1; v < Many; ++v) {
    outwards.push_back({0, v});
    inwards.push_back({v, Many - 1});
    chain.push_back({Many - v, Many - v - 1});
    ring.push_back({v - 1, v});
  }
  ring.push_back({Many - 1, 0});

  add("kronecker", generateKronecker<VertexId>({.scale = 9}));
  add("sparse kronecker",
      generateKronecker<VertexId>({.scale = 10, .edgesPerVertex = 2}));
  add("uniform", generateUniform<VertexId>({.vertices = 500, .edges = 3000}));
  add("sparse uniform",
      generateUniform<VertexId>({.vertices = 1000, .edges = 700}));
  add("grid", generateGrid<VertexId>(20, 23));
  add("star outwards", listOf<VertexId>(Many, outwards));
  add("star inwards", listOf<VertexId>(Many, inwards));
  add("chain", listOf<VertexId>(Many, chain));
  add("ring", listOf<VertexId>(Many, ring));
  add("empty", listOf<VertexId>(0, {}));
  add("one vertex", listOf<VertexId>(1, {}));
  add("one vertex with a loop", listOf<VertexId>(1, {{0, 0}}));
  add("only isolated vertices", listOf<VertexId>(70, {}));
  add("loops and parallel edges",
      listOf<VertexId>(
          6, {{0, 0}, {0, 1}, {0, 1}, {1, 0}, {1, 2}, {2, 2}, {3, 4}, {3, 4}}));
  return samples;
}

/// Returns graphs that are large enough for steps to be distributed among
/// threads.
template <typename VertexId>
std::vector<SampleList<VertexId>> largeSampleLists() {
  using namespace graph;
  std::vector<SampleList<VertexId>> samples;
  samples.push_back(
      {"large kronecker", generateKronecker<VertexId>({.scale = 12})});
  samples.push_back({"large uniform", generateUniform<VertexId>(
                                          {.vertices = 5000, .edges = 20000})});
  return samples;
}

/// The list with weights from 1 to 255 that follow from an edge's ends. Halves
/// are added to those of floating point.
template <typename Weight, typename VertexId>
graph::EdgeList<VertexId, Weight>
withWeights(const graph::EdgeList<VertexId> &list) {
  graph::EdgeList<VertexId, Weight> result;
  result.vertexCount = list.vertexCount;
  result.edges = graph::Array<graph::Edge<VertexId, Weight>>(list.edges.size());
  for (std::size_t i = 0; i < list.edges.size(); ++i) {
    const auto &edge = list.edges[i];
    if constexpr (std::same_as<Weight, graph::Unweighted>) {
      result.edges[i] = edge;
    } else {
      const std::uint64_t hash =
          (edge.from * 0x9e3779b97f4a7c15u) ^ (edge.to * 0xbf58476d1ce4e5b9u);
      auto weight = static_cast<Weight>(hash % 255 + 1);
      if constexpr (std::floating_point<Weight>)
        weight += static_cast<Weight>(hash >> 32 & 1) / 2;
      result.edges[i] = {edge.from, edge.to, weight};
    }
  }
  return result;
}

/// Calls `check` with every sample as a directed and as an undirected graph,
/// with and without parallel edges, and with one and with two threads.
template <typename VertexId, typename Weight = graph::Unweighted,
          typename Check>
void forEachSample(Check check) {
  using namespace graph;
  std::vector<SampleList<VertexId>> samples = sampleLists<VertexId>();
  for (SampleList<VertexId> &large : largeSampleLists<VertexId>())
    samples.push_back(std::move(large));
  for (const SampleList<VertexId> &sample : samples)
    for (const bool directed : {true, false})
      for (const auto parallel :
           {ParallelEdges::KeepAll, ParallelEdges::KeepLightest}) {
        const auto store =
            buildCsr(withWeights<Weight>(sample.list),
                     {.directed = directed, .parallelEdges = parallel});
        for (const int threads : {1, 2}) {
          SCOPED_TRACE(testing::Message()
                       << sample.name << (directed ? "" : ", undirected")
                       << (parallel == ParallelEdges::KeepAll ? ", multi" : "")
                       << ", " << threads << " threads");
          ThreadCount scope(threads);
          check(store);
          if (testing::Test::HasFatalFailure())
            return;
        }
      }
}

/// Some vertices to start from: all of a tiny graph, a few of a larger one.
template <typename Store>
std::vector<typename Store::VertexId> sampleSources(const Store &store) {
  const std::size_t vertices = store.vertexCount();
  std::vector<typename Store::VertexId> sources;
  for (std::size_t v = 0; v < vertices;
       v += std::max<std::size_t>(1, vertices / 4))
    sources.push_back(static_cast<typename Store::VertexId>(v));
  return sources;
}

} // namespace heddle::test

#endif
