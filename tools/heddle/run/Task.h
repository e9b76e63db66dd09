//===- Task.h - An algorithm on a graph ------------------------*- C++ -*-===//
//
// The interface of algorithms to `heddle run`: it runs them, describes and
// verifies their results, and prints the value of each vertex.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_RUN_TASK_H
#define HEDDLE_TOOLS_RUN_TASK_H

#include "AnyStore.h"

#include "../output/Facts.h"

#include "heddle/graph/Error.h"
#include "heddle/graph/algorithms/LabelPropagation.h"
#include "heddle/graph/algorithms/PageRank.h"
#include "heddle/graph/verify/Violation.h"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heddle {

/// The parameters of algorithms. Each adds options for those that it reads.
struct Parameters {
  std::vector<std::uint64_t> sources;
  std::optional<double> delta;
  graph::LabelPropagationOptions labelPropagation;
  graph::PageRankOptions pageRank;
};

class Task {
public:
  virtual ~Task() = default;

  /// Does the work once and keeps the result. Timed.
  virtual void run() = 0;

  /// Adds the results of the last run.
  virtual void describe(Facts &facts) const = 0;

  /// Returns the error in the result of the last run, if any.
  virtual graph::Violation verify() const = 0;

  /// The result for a vertex, as it is written to a file; of algorithms that
  /// have one for each.
  virtual std::string valueOf(std::uint64_t) const { return {}; }
};

struct Algorithm {
  const char *name;
  const char *description;
  /// Adds options of its own.
  void (*addOptions)(CLI::App &command,
                     Parameters &parameters) = [](CLI::App &, Parameters &) {};
  /// Whether there is a result for each vertex.
  bool hasValues = true;
  /// Makes a task on a graph, which has to outlive it.
  std::unique_ptr<Task> (*prepare)(const AnyStore<graph::Unweighted> &graph,
                                   const Parameters &parameters);
  std::unique_ptr<Task> (*prepareInt)(const AnyStore<std::int32_t> &graph,
                                      const Parameters &parameters) = nullptr;
  std::unique_ptr<Task> (*prepareFloat)(const AnyStore<float> &graph,
                                        const Parameters &parameters) = nullptr;

  bool isWeighted() const { return !prepare; }
};

/// Makes a TaskOf<Store> for the store that `graph` is in.
template <template <typename> typename TaskOf, graph::EdgeWeight Weight>
std::unique_ptr<Task> makeTask(const AnyStore<Weight> &graph,
                               const Parameters &parameters) {
  return std::visit(
      [&](const auto &store) -> std::unique_ptr<Task> {
        using Store = std::remove_cvref_t<decltype(store)>;
        return std::make_unique<TaskOf<Store>>(store, parameters);
      },
      graph);
}

/// Add --source for algorithms that start from a vertex, or from several.
void addSourceOption(CLI::App &command, Parameters &parameters);
void addSourcesOption(CLI::App &command, Parameters &parameters);

/// Returns the vertices to start from: by default the one with most out-edges,
/// of several the lowest. Throws Error if one of them does not exist, or the
/// graph is empty.
template <graph::Graph Store>
std::vector<typename Store::VertexId> sourcesIn(const Store &graph,
                                                const Parameters &parameters) {
  using VertexId = typename Store::VertexId;
  if (graph.vertexCount() == 0)
    throw graph::Error("the graph has no vertex to start from");
  std::vector<VertexId> result;
  for (const std::uint64_t source : parameters.sources) {
    if (source >= graph.vertexCount())
      throw graph::Error(fmt::format("source {}: expected a vertex below {}",
                                     source, graph.vertexCount()));
    result.push_back(static_cast<VertexId>(source));
  }
  if (result.empty()) {
    VertexId most = 0;
    for (VertexId v = 1; v < graph.vertexCount(); ++v)
      if (graph.outDegree(v) > graph.outDegree(most))
        most = v;
    result.push_back(most);
  }
  return result;
}

/// Adds the vertex with the highest value, of several the lowest.
template <typename Values> void addHighest(Facts &facts, const Values &values) {
  if (values.empty())
    return;
  std::size_t highest = 0;
  for (std::size_t v = 1; v < values.size(); ++v)
    if (values[v] > values[highest])
      highest = v;
  facts.add("highest_vertex", "highest", highest,
            fmt::format("{:.6g}, vertex {}", values[highest], highest));
  facts.addSilently("highest_value", values[highest]);
}

} // namespace heddle

#endif
