//===- task.h - One algorithm on one graph ----------------------*- C++ -*-===//
//
// A task owns the arrays of one algorithm, which both builds use in turn, and
// knows how to check what they leave there.
//
//===----------------------------------------------------------------------===//

#ifndef GRAPH_DRIVER_TASK_H
#define GRAPH_DRIVER_TASK_H

#include "../algorithms/algorithms.h"
#include "../input/input.h"

#include <memory>
#include <string>
#include <vector>

struct TaskOptions {
  int32_t source;
  int64_t delta; // of shortest paths; 0: from the weights and degrees
};

class Task {
public:
  Task(const Graph &graph, const TaskOptions &options)
      : graph(graph), source(options.source) {}
  virtual ~Task() = default;
  /// Untimed preparation of a run.
  virtual void prepare() {}
  virtual void run(const Algorithms &algorithms) = 0;
  /// Compares with an independent solution.
  virtual Verdict check() = 0;
  /// Returns the results, as lines of text for a person.
  virtual std::string findings() const = 0;

protected:
  const Graph &graph;
  const int32_t source;
  const size_t vertices = graph.rows.vertexCount();
};

/// The names that makeTask knows, in the order of the report.
std::vector<std::string> taskNames();

std::unique_ptr<Task> makeTask(const std::string &name, const Graph &graph,
                               const TaskOptions &options);

#endif
