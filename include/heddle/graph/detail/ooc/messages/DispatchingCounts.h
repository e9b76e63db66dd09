//===- DispatchingCounts.h - How messages reach batches --------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_DETAIL_OOC_MESSAGES_DISPATCHINGCOUNTS_H
#define HEDDLE_GRAPH_DETAIL_OOC_MESSAGES_DISPATCHINGCOUNTS_H

#include <cstdint>

namespace heddle::graph::ooc {

enum class Dispatching : std::uint8_t {
  None, ///< batches read the messages where they are
  Push, ///< one pass copies messages to all batches that need them
  Pull  ///< batches that would wait copy the messages that they need
};

/// The messages that a rank has dispatched.
struct DispatchingCounts {
  std::uint64_t pushes = 0;   ///< of a partition's messages to a group
  std::uint64_t pulls = 0;    ///< of a partition's messages by a batch
  std::uint64_t messages = 0; ///< copies of them

  DispatchingCounts &operator+=(const DispatchingCounts &other) {
    pushes += other.pushes;
    pulls += other.pulls;
    messages += other.messages;
    return *this;
  }
};

} // namespace heddle::graph::ooc

#endif
