//===- FarRun.h - One contestant and one loop ------------------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_BENCH_FAR_FARRUN_H
#define HEDDLE_TOOLS_BENCH_FAR_FARRUN_H

#include "FarLoops.h"

#include "../../output/DiskBytes.h"
#include "../measure/MemoryGroup.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace heddle::bench {

/// The files that loops read, or, of the last one, make.
enum class FarFile { Numbers, Table, Lists, Filled };

struct FarLoopKind {
  const char *name;
  const char *operation;
  const char *description;
  FarFile file;
  /// Makes the file; null for a loop that does so itself.
  void (*writeFile)(const std::string &path, std::uint64_t bytes);
  /// Returns what the loop looks up at random; null for one that goes in order.
  std::vector<std::uint64_t> (*queriesFor)(std::uint64_t bytes,
                                           std::uint64_t accesses);
  std::uint64_t operationsOfQuery;
  std::uint64_t (*run)(const FarLoops &loops, std::uint64_t address,
                       std::uint64_t bytes,
                       std::span<const std::uint64_t> queries);

  bool fills() const { return !writeFile; }
  bool isInOrder() const { return !queriesFor; }
};
const std::vector<FarLoopKind> &farLoopKinds();

enum class FarContestant {
  Heddle,  ///< the loop under the directive, over pointers to far memory
  Waiting, ///< the same without the directive: a thread waits for each page
  Mapped,  ///< the same over a file that is mapped
  Hand,    ///< HandWritten.h
  Cached   ///< the same over SynchronousCache.h
};

/// Everything about a run.
struct FarRun {
  FarLoopKind loop;
  FarContestant contestant;
  int threads;
  std::string path; ///< of the file, which is there unless the loop fills it
  std::uint64_t fileBytes, cacheBytes;
  std::uint64_t accesses; ///< to about so many pages, unless in order
  unsigned depth;         ///< of requests that Hand has under way
};

struct FarOutcome {
  double seconds;
  std::uint64_t operations, checksum;
  DiskBytes bytes;
  std::uint64_t peakBytes; ///< of memory
};

/// Runs it, in a process that does nothing else and is in that group, if in
/// any. Opening and setup are not timed; waiting until all stores are on the
/// device is. Throws Error.
FarOutcome runFar(const FarRun &run, const MemoryGroup *group);

} // namespace heddle::bench

#endif
