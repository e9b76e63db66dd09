//===- MemoryBudget.h - How calls divide the memory ------------*- C++ -*-===//
//
// Every byte of the budget has a use: the memory that the run allocates when it
// begins, the windows and buffers that the current call cannot do without, and
// with the rest messages, vertex data and edges that need not go to the disk.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_OOC_MEMORY_MEMORYBUDGET_H
#define HEDDLE_GRAPH_DETAIL_OOC_MEMORY_MEMORYBUDGET_H

#include <cstdint>
#include <functional>
#include <optional>

namespace heddle::graph::ooc {

/// The memory that a call with messages needs in addition to its windows, in
/// bytes.
struct MessageMemory {
  std::uint64_t buffers = 0;     ///< to pass messages on, and to find them
  std::uint64_t messages = 0;    ///< the messages themselves, at most
  std::uint64_t dispatching = 0; ///< to dispatch messages; 0 if that is
                                 ///< impossible
};

/// The memory that a call needs, in bytes.
struct CallMemory {
  std::uint64_t windowsInUse = 0; ///< a batch for each thread
  std::uint64_t allWindows = 0;   ///< of all arrays
  MessageMemory messages = {};
};

/// The most of each kind of data that may be in memory during a call, in bytes.
struct MemoryDivision {
  std::uint64_t windows = 0;  ///< of vertex arrays
  std::uint64_t messages = 0; ///< that the call generates
  std::uint64_t edges = 0;    ///< that are kept
  bool dispatches = false;    ///< messages to batches, where that moves less
};

/// The memory that a run allocates when it begins and frees when it ends.
struct FixedMemory {
  /// Independent of the budget.
  std::uint64_t constant = 0;
  /// Buffers and caches whose size depends on the budget, as they are now.
  std::uint64_t scaled = 0;
  /// Their size under another budget. It never shrinks as the budget grows.
  std::function<std::uint64_t(std::uint64_t budgetBytes)> scaledWithin;

  std::uint64_t bytes() const { return constant + scaled; }
};

class MemoryBudget {
public:
  /// If `alwaysDispatches`, calls dispatch their messages whenever it is
  /// possible, at any cost.
  MemoryBudget(std::uint64_t bytes, bool alwaysDispatches)
      : bytes(bytes), alwaysDispatches(alwaysDispatches) {}

  /// Sets the memory that the run allocates when it begins. Returns whether
  /// that fits; if not, divide() fails.
  bool reserve(FixedMemory newFixed);

  /// In a rehearsal, divide() only records what calls need.
  void beginRehearsal() { mostNeeded = 0; }
  bool isRehearsing() const { return mostNeeded.has_value(); }
  /// Throws Error if a call of the rehearsal needs more than the budget.
  void endRehearsal();

  /// Divides the memory for a call; returns nothing in a rehearsal. Throws
  /// Error, which names a sufficient budget, if the call needs more.
  std::optional<MemoryDivision> divide(const CallMemory &call);

  /// The last result of divide().
  const MemoryDivision &current() const { return division; }

private:
  [[noreturn]] void fail(std::uint64_t needed) const;

  const std::uint64_t bytes;
  const bool alwaysDispatches;
  FixedMemory fixed;
  /// In a rehearsal: the bytes that the largest call so far needs.
  std::optional<std::uint64_t> mostNeeded;
  MemoryDivision division;
};

} // namespace heddle::graph::ooc

#endif
