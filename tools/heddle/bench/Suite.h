//===- Suite.h - A list of kernels and their measurement -------*- C++ -*-===//
//
// `heddle bench kernels`: all kernels take the same options, run the same way
// and write the same rows.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_BENCH_SUITE_H
#define HEDDLE_TOOLS_BENCH_SUITE_H

#include "measure/Measure.h"
#include "measure/Workload.h"

#include <string>
#include <vector>

namespace heddle::bench {

const std::vector<Kernel> &allKernels();

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
void runSuite(const std::vector<Kernel> &kernels, const SuiteOptions &options);

} // namespace heddle::bench

#endif
