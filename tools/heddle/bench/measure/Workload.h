//===- Workload.h - The interface of benchmark kernels ----------*- C++ -*-===//
//
// A suite is a list of kernels. A kernel builds a workload, its data at one
// size; a workload runs the kernel's versions on that data. Timing, order of
// runs, comparison and reporting belong to the framework around it.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_BENCH_MEASURE_WORKLOAD_H
#define HEDDLE_TOOLS_BENCH_MEASURE_WORKLOAD_H

#include "Memory.h"
#include "Row.h"

#include <functional>
#include <span>

namespace heddle::bench {

struct Workload {
  /// Operations (probes, edges, elements...) of one run.
  int64_t operations;

  /// Does the work once with as many threads as OpenMP is set to. Timed.
  std::function<uint64_t(Version)> run;

  /// Brings the data back to its initial state. Called, untimed, before each
  /// measurement, which may be several runs.
  std::function<void()> reset = [] {};

  /// Turns the value of the last run, and the data it left, into a checksum
  /// that is the same for every correct version. Called, untimed, after a
  /// measurement of one or any other odd number of runs.
  std::function<uint64_t(uint64_t)> checksum = std::identity();

  /// The versions that exist.
  std::span<const Version> versions = AllVersions;
};

/// The size of a workload.
struct WorkloadSize {
  /// Bytes of data that the kernel accesses irregularly, or of all its data if
  /// there are none such.
  uint64_t bytes;
  /// The most threads that will run the workload.
  int threads;
  /// Divides the number of operations of a run, for a quick look.
  int64_t operationDivisor;

  /// `usual` operations, fewer where little work is asked for.
  int64_t operations(int64_t usual) const {
    int64_t count = usual / operationDivisor;
    return count < 1024 ? 1024 : count;
  }
};

using KernelBuilder = Workload(Arena &arena, WorkloadSize size);

struct Kernel {
  const char *name;
  const char *operation;   ///< what ns_per_op counts
  const char *description; ///< for the help text
  KernelBuilder *build;
};

} // namespace heddle::bench

#endif
