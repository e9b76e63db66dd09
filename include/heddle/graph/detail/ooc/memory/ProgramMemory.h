//===- ProgramMemory.h - Memory that any program takes ---------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_DETAIL_OOC_MEMORY_PROGRAMMEMORY_H
#define HEDDLE_GRAPH_DETAIL_OOC_MEMORY_PROGRAMMEMORY_H

#include <cstdint>

namespace heddle::graph::ooc {

/// The program itself, its libraries and their stacks. Kernel memory on its
/// behalf grows with the rest of the budget.
inline constexpr std::uint64_t ProgramBytes = std::uint64_t(24) << 20;

/// The libraries that connect a rank to the others, and the kernel memory of
/// each connection.
inline constexpr std::uint64_t communicatorBytes(std::uint64_t ranks) {
  return (std::uint64_t(16) << 20) + (ranks - 1) * (std::uint64_t(1) << 18);
}

} // namespace heddle::graph::ooc

#endif
