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
#include "verify.h"

#include <memory>
#include <string>
#include <vector>

class Task {
public:
  virtual ~Task() = default;
  virtual std::string name() const = 0;
  /// Untimed preparation of a run.
  virtual void prepare() {}
  virtual void run(const Algorithms &algorithms) = 0;
  /// Compares with an independent solution.
  virtual Verdict check() = 0;
  /// Returns the results, as lines of text for a person.
  virtual std::string findings() const = 0;
};

struct TaskOptions {
  int32_t source;
  int64_t delta; // of shortest paths; 0: from the weights and degrees
};

/// The names that makeTask knows, in the order of the report.
const std::vector<std::string> &taskNames();

std::unique_ptr<Task> makeTask(const std::string &name, const Graph &graph,
                               const TaskOptions &options);

#endif
