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

#include <memory>
#include <string>
#include <vector>

namespace heddle::bench {

class Workload {
public:
  virtual ~Workload() = default;

  /// Operations (probes, edges, elements...) of one run.
  virtual int64_t operations() const = 0;

  /// Whether `version` of this kernel exists.
  virtual bool has(Version) const { return true; }

  /// Brings the data back to its initial state. Called, untimed, before each
  /// measurement, which may be several runs.
  virtual void reset() {}

  /// Does the work once with the number of threads that is set for OpenMP.
  /// Timed.
  virtual uint64_t run(Version version) = 0;

  /// Turns the value of the last run, and the data it left, into a checksum
  /// that is the same for every correct version. Called, untimed, after a
  /// measurement of one or any other odd number of runs.
  virtual uint64_t checksum(uint64_t result) { return result; }
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

struct Kernel {
  std::string name;
  std::string operation;   ///< the unit of ns_per_op
  std::string description; ///< for the help text
  std::unique_ptr<Workload> (*build)(Arena &arena, WorkloadSize size);
};

} // namespace heddle::bench

#endif
