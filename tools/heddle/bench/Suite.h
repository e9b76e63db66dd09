//===- Suite.h - A list of kernels and their measurement -------*- C++ -*-===//
//
// `heddle bench <suite>`: every suite takes the same options, runs the same way
// and writes the same rows; it only brings its kernels.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_BENCH_SUITE_H
#define HEDDLE_TOOLS_BENCH_SUITE_H

#include "measure/Measure.h"
#include "measure/Workload.h"

#include <string>
#include <vector>

namespace heddle::bench {

struct Suite {
  std::string name;
  std::string description;
  std::vector<Kernel> kernels;
};

/// The loops of `heddle bench kernels`.
Suite kernelSuite();

struct SuiteOptions {
  std::vector<std::string> kernels; ///< empty for all
  std::vector<uint64_t> sizes;      ///< bytes; empty for the usual ones
  std::vector<Pages> pages = {Pages::Small, Pages::Huge};
  std::vector<int> threads = {1};
  int repetitions = 0; ///< 0 for the usual number
  bool quick = false;
  std::string jsonPath; ///< empty for no file
};

/// Measures, prints the table and writes the JSON file. Throws Error or
/// Interrupted.
void runSuite(const Suite &suite, const SuiteOptions &options);

} // namespace heddle::bench

#endif
