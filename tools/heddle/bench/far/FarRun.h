//===- FarRun.h - One contestant and one loop ------------------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_BENCH_FAR_FARRUN_H
#define HEDDLE_TOOLS_BENCH_FAR_FARRUN_H

#include "../../output/DiskBytes.h"

#include <cstdint>
#include <string>

namespace heddle::bench {

enum class FarLoop { Gather, Probe, Lists, Scan, Fill };

enum class FarContestant {
  Heddle,  ///< the loop under the directive, over pointers to far memory
  Waiting, ///< the same without the directive: a thread waits for each page
  Mapped,  ///< the same over a file that is mapped
  Hand,    ///< HandWritten.h
  Cached   ///< the same over SynchronousCache.h
};

/// Everything about a run.
struct FarRun {
  FarLoop loop;
  FarContestant contestant;
  int threads;
  std::string path; ///< of the file; of Fill, that of the one to be made
  std::uint64_t fileBytes, cacheBytes;
  std::uint64_t accesses; ///< pages accessed, about; not for Scan and Fill
  unsigned depth;         ///< requests that Hand has in flight
};

struct FarOutcome {
  double seconds;
  std::uint64_t operations, checksum;
  DiskBytes bytes;
};

/// Runs the loop in a process that does nothing else. Opening and setup are not
/// timed; waiting until all stores are on the device is. Throws Error.
FarOutcome runFar(const FarRun &run);

} // namespace heddle::bench

#endif
