//===- MemoryGroup.h - A process with limited memory -----------*- C++ -*-===//
//
// Data that is larger than memory is measured in a memory cgroup, which counts
// the page cache too: without one, a file of any size that fits in the machine
// ends up there. Both versions of cgroups are used; both require permission to
// make a group, which usually only root has.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_BENCH_MEASURE_MEMORYGROUP_H
#define HEDDLE_TOOLS_BENCH_MEASURE_MEMORYGROUP_H

#include "../../command/Error.h"
#include "Isolate.h"

#include <cstdint>
#include <optional>
#include <string>

namespace heddle::bench {

/// The directory in which groups are made.
struct MemoryController {
  int version; ///< of cgroups, 1 or 2
  std::string directory;
};

/// Returns the controller; none if this process may not limit memory.
std::optional<MemoryController> findMemoryController();

/// Returns the controller; without one, warns of the consequences.
std::optional<MemoryController> memoryControllerOrWarning();

class MemoryGroup {
public:
  /// Throws Error.
  MemoryGroup(const MemoryController &controller, std::uint64_t limitBytes);
  /// Removes the group. All processes that have entered it must have ended.
  ~MemoryGroup();
  MemoryGroup(const MemoryGroup &) = delete;
  MemoryGroup &operator=(const MemoryGroup &) = delete;

  /// Applies the limit to the calling process. Throws Error.
  void enter() const;

  /// The most that was taken, page cache included; 0 if that is not known.
  std::uint64_t peakBytes() const;

private:
  int version;
  std::string directory;
};

/// Runs `work(group)` in a process of its own, whose memory is limited if there
/// is a controller; otherwise the group is null. `what` begins what errors say.
template <typename Work>
auto runWithin(const std::optional<MemoryController> &controller,
               std::uint64_t limitBytes, const std::string &what,
               const Work &work) {
  std::optional<MemoryGroup> group;
  if (controller)
    group.emplace(*controller, limitBytes);
  try {
    return runInChildFor([&] {
      if (group)
        group->enter();
      return work(group ? &*group : nullptr);
    });
  } catch (const Error &error) {
    throw Error(what + ": " + error.what());
  }
}

} // namespace heddle::bench

#endif
