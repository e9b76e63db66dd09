//===- measure.h - Runs both builds and times their loops -------*- C++ -*-===//

#ifndef GRAPH_DRIVER_MEASURE_H
#define GRAPH_DRIVER_MEASURE_H

#include "task.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

enum Build { Plain, Annotated, BuildCount };

/// The time of one loop, or of a whole algorithm, in each build: medians over
/// the trials.
struct Timing {
  std::string file;  // empty for a whole algorithm
  unsigned line = 0; // where its time begins, above the loop
  std::string name;
  std::array<double, BuildCount> seconds = {};
  double ratio = 0; // how much longer the plain build took in the same trial
};

struct WrongResult {
  Build build;
  std::string what;
};

struct Measurement {
  std::string algorithm;
  Timing total;
  std::vector<Timing> loops; // in the order of the source
  std::optional<WrongResult> wrong;
};

/// Runs both builds of `task` in turn, `trials` times (0: three times, and more
/// while half a second is not spent), and checks every result.
Measurement measure(Task &task, int trials);

#endif
