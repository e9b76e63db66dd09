//===- PreparedGraph.h - Graphs on disk, for tests -------------*- C++ -*-===//

#ifndef HEDDLE_TEST_GRAPHLIB_OOC_PREPAREDGRAPH_H
#define HEDDLE_TEST_GRAPHLIB_OOC_PREPAREDGRAPH_H

#include "../../support/TemporaryDirectory.h"
#include "heddle/graph/Generate.h"
#include "heddle/graph/RandomWeights.h"
#include "heddle/graph/VertexArray.h"
#include "heddle/graph/detail/Build.h"
#include "heddle/graph/ooc/Engine.h"
#include "heddle/graph/ooc/Prepare.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <optional>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace heddle::test {

/// A graph in memory and on disk.
template <graph::EdgeWeight Weight = graph::Unweighted> class PreparedGraph {
public:
  explicit PreparedGraph(graph::Csr<std::uint32_t, Weight> graph,
                         const graph::ooc::PrepareOptions &options = {})
      : csr(std::move(graph)) {
    graph::ooc::CsrEdges<Weight> edges(csr);
    layout = graph::ooc::prepare(edges, path(), options);
  }

  std::string path() const { return directory / "graph"; }

  const graph::Csr<std::uint32_t, Weight> csr;
  graph::ooc::GraphLayout layout;

private:
  const TemporaryDirectory directory;
};

/// Returns all edges of a prepared graph, by signals and slots.
template <graph::EdgeWeight Weight>
std::vector<graph::Edge<std::uint32_t, Weight>>
edgesOf(const std::string &path) {
  graph::ooc::Engine<Weight> engine(path);
  std::vector<graph::Edge<std::uint32_t, Weight>> edges;
  std::mutex mutex;
  engine.processEdges([](std::uint32_t v) { return std::optional(v); }, {},
                      [&](std::uint32_t message, std::uint32_t from,
                          std::uint32_t to, Weight weight) noexcept {
                        const std::lock_guard lock(mutex);
                        EXPECT_EQ(message, from);
                        edges.push_back({from, to, weight});
                        return 0;
                      },
                      {});
  std::ranges::sort(edges, {}, [](const auto &edge) {
    return std::pair(edge.from, edge.to);
  });
  return edges;
}

/// Returns all edges of a graph in memory.
template <graph::EdgeWeight Weight>
std::vector<graph::Edge<std::uint32_t, Weight>>
edgesOf(const graph::Csr<std::uint32_t, Weight> &graph) {
  std::vector<graph::Edge<std::uint32_t, Weight>> edges;
  for (std::uint32_t v = 0; v < graph.vertexCount(); ++v)
    for (const auto [target, weight] : graph.outEdges(v))
      edges.push_back({v, target, weight});
  return edges;
}

/// Returns the values of an array of an engine, in memory.
template <typename T, typename Engine>
graph::VertexArray<T> valuesOf(Engine &engine, const std::string &name) {
  graph::VertexArray<T> values(engine.vertexCount());
  engine.forEachValue(
      engine.template vertexArray<T>(name),
      [&](std::uint32_t v, const T &value) { values[v] = value; });
  return values;
}

/// Returns them as bytes, one value behind the other.
template <typename T, typename Engine>
std::string bytesOf(Engine &engine, const std::string &name) {
  std::string bytes;
  engine.forEachValue(
      engine.template vertexArray<T>(name), [&](std::uint32_t, const T &value) {
        bytes.append(reinterpret_cast<const char *>(&value), sizeof(value));
      });
  return bytes;
}

template <typename T, typename Engine>
void expectValues(Engine &engine, const std::string &name,
                  const graph::VertexArray<T> &expected) {
  const graph::VertexArray<T> values = valuesOf<T>(engine, name);
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t v = 0; v < values.size(); ++v)
    ASSERT_EQ(values[v], expected[v]) << "at vertex " << v;
}

/// Returns a graph of several batches.
inline graph::Csr<> skewedGraph(bool directed) {
  return buildCsr(graph::generateKronecker({.scale = 17, .edgesPerVertex = 4}),
                  {.directed = directed});
}

inline graph::Csr<> evenGraph(bool directed) {
  return buildCsr(graph::generateUniform({.vertices = 150000, .edges = 300000}),
                  {.directed = directed});
}

/// Returns what() of the Error that `call` throws.
template <typename Error = graph::Error, typename Call>
std::string errorOf(Call call) {
  try {
    call();
  } catch (const Error &error) {
    return error.what();
  }
  return "nothing";
}

/// Returns the bytes of memory that an error asks for; 0 if it is about
/// something else.
inline std::uint64_t memoryNamedBy(const std::string &problem) {
  const std::string prefix = "expected a memory budget of at least ";
  if (!problem.starts_with(prefix))
    return 0;
  return std::uint64_t(std::stoull(problem.substr(prefix.size()))) << 20;
}

/// The least memory that a program takes, in bytes.
template <typename Program> std::uint64_t leastMemory(Program program) {
  std::uint64_t least = 1;
  for (;;) {
    const std::string problem = errorOf([&] { program(least); });
    if (problem == "nothing")
      return least;
    const std::uint64_t named = memoryNamedBy(problem);
    if (named <= least) {
      ADD_FAILURE() << problem;
      return least;
    }
    least = named;
  }
}

/// Inverts a bit of a file.
inline void flipBit(const std::string &path, std::uint64_t byte) {
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  file.seekg(static_cast<std::streamoff>(byte));
  const auto value = static_cast<char>(file.get() ^ 4);
  file.seekp(static_cast<std::streamoff>(byte));
  file.put(value);
}

} // namespace heddle::test

#endif
