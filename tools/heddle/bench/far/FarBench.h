//===- FarBench.h - Loops over a file larger than memory -------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_BENCH_FAR_FARBENCH_H
#define HEDDLE_TOOLS_BENCH_FAR_FARBENCH_H

#include "FarRun.h"

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::bench {

struct FarOptions {
  std::string directory; ///< on the disk that is measured
  std::uint64_t fileBytes = std::uint64_t(4) << 30;
  std::uint64_t memoryBytes = std::uint64_t(512) << 20;
  std::uint64_t cacheBytes = std::uint64_t(128) << 20;
  std::vector<std::string> loops; ///< empty for all
  std::vector<int> threads = {1, 2};
  std::vector<int> cacheThreads = {1, 2, 16, 64};
  unsigned depth = 256;
  std::uint64_t accesses = std::uint64_t(1) << 18;
  int repetitions = 5;
  bool quick = false;   ///< small where nothing else is asked for
  std::string jsonPath; ///< empty for no file
};

/// Measures, prints a table and writes the JSON file. Throws Error or
/// Interrupted.
void runFarBench(const FarOptions &options);

} // namespace heddle::bench

#endif
