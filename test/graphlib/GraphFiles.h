//===- GraphFiles.h - Graphs read from files, as tests see them -*- C++ -*-===//

#ifndef HEDDLE_TEST_GRAPHLIB_GRAPHFILES_H
#define HEDDLE_TEST_GRAPHLIB_GRAPHFILES_H

#include "InputFile.h"
#include "heddle/graph/ReadGraph.h"

#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace heddle::test {

/// From, to, weight (0 if there is none).
using FlatEdge = std::tuple<std::uint64_t, std::uint64_t, double>;
using FlatEdges = std::vector<FlatEdge>;

template <typename Store>
FlatEdges flatten(const Store &graph, bool reversed = false) {
  FlatEdges result;
  for (typename Store::VertexId v = 0; v < graph.vertexCount(); ++v)
    for (auto [target, weight] :
         reversed ? graph.inEdges(v) : graph.outEdges(v)) {
      if constexpr (graph::IsWeighted<Store>)
        result.emplace_back(v, target, static_cast<double>(weight));
      else
        result.emplace_back(v, target, 0);
    }
  return result;
}

/// All that there is to know about a graph.
struct FlatGraph {
  std::uint64_t vertices;
  bool directed;
  FlatEdges out, in;

  template <typename Store>
  explicit FlatGraph(const Store &graph)
      : vertices(graph.vertexCount()), directed(graph.isDirected()),
        out(flatten(graph)), in(flatten(graph, true)) {}
  friend bool operator==(const FlatGraph &, const FlatGraph &) = default;
};

/// What readGraph() throws, without the path that it begins with; "accepted" if
/// it does not.
template <typename VertexId = std::uint32_t,
          typename Weight = graph::Unweighted>
std::string graphProblem(const std::string &path,
                         const graph::ReadGraphOptions &options = {}) {
  try {
    graph::readGraph<VertexId, Weight>(path, options);
    return "accepted";
  } catch (const graph::Error &error) {
    const std::string text = error.what();
    return text.starts_with(path) ? text.substr(path.size()) : text;
  }
}

template <typename VertexId = std::uint32_t,
          typename Weight = graph::Unweighted>
std::string graphProblemOf(const std::string &name, std::string_view bytes,
                           const graph::ReadGraphOptions &options = {}) {
  InputFile file(name, bytes);
  return graphProblem<VertexId, Weight>(file.path, options);
}

template <typename VertexId = std::uint32_t,
          typename Weight = graph::Unweighted>
FlatGraph graphOf(const std::string &name, std::string_view bytes,
                  const graph::ReadGraphOptions &options = {}) {
  InputFile file(name, bytes);
  return FlatGraph(graph::readGraph<VertexId, Weight>(file.path, options));
}

} // namespace heddle::test

#endif
