//===- measure.h - Runs both builds and times their loops -------*- C++ -*-===//

#ifndef GRAPH_DRIVER_MEASURE_H
#define GRAPH_DRIVER_MEASURE_H

#include "task.h"

#include <stdexcept>
#include <string>
#include <vector>

/// The time of an algorithm as a whole, or of one of its loops, in each build:
/// medians over the trials.
struct Row {
  std::string graph, algorithm;
  std::string loop;     // "total", or its function
  std::string file;     // of the loop
  unsigned line;        // where its time begins, above it
  double without, with; // the directive, in seconds
  double ratio; // how much longer the build without took in the same trial
  std::string where = {};    // file and line of the loop itself
  std::string inFlight = {}; // what the runtime chose
  std::string compiler = {}; // what it did
};

struct WrongResult : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Runs both builds of a task in turn, `trials` times (0: three times, and more
/// while half a second is not spent). Returns a row for the algorithm and then
/// one for each loop, in the order of the source. Throws WrongResult.
std::vector<Row> measure(const std::string &graph, const std::string &algorithm,
                         Task &task, int trials);

#endif
