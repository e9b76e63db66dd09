//===- MemoryGroup.h - A process and a limit to its memory -----*- C++ -*-===//
//
// Data that is larger than memory is measured in a memory cgroup, which counts
// the page cache too: without one, a file of any size that fits in the machine
// ends up there. Both versions of cgroups are used; either needs the right to
// make a group, which is usually root's.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_BENCH_MEASURE_MEMORYGROUP_H
#define HEDDLE_TOOLS_BENCH_MEASURE_MEMORYGROUP_H

#include <cstdint>
#include <optional>
#include <string>

namespace heddle::bench {

/// Where groups are made.
struct MemoryController {
  int version; ///< of cgroups, 1 or 2
  std::string directory;
};

/// None if this process may not limit memory.
std::optional<MemoryController> findMemoryController();

/// The same; without one, a warning says what that means.
std::optional<MemoryController> memoryControllerOrWarning();

class MemoryGroup {
public:
  /// Throws Error.
  MemoryGroup(const MemoryController &controller, std::uint64_t limitBytes);
  /// All processes that have entered must have ended.
  ~MemoryGroup();
  MemoryGroup(const MemoryGroup &) = delete;
  MemoryGroup &operator=(const MemoryGroup &) = delete;

  /// From now on the limit holds for the calling process. Throws Error.
  void enter() const;

  /// The most that was taken, page cache included; 0 if that is not known.
  std::uint64_t peakBytes() const;

private:
  int version;
  std::string directory;
};

} // namespace heddle::bench

#endif
