//===- Plan.h - The cost of an iteration -----------------------*- C++ -*-===//
//
// Table 2 of DFOGraph (J. Yu et al., PPoPP 2021) in bytes and seconds, for
// graphs and machines of given sizes. All vertices send messages along all
// edges. All ranks and batches have the same size.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_OOC_PLAN_H
#define HEDDLE_GRAPH_OOC_PLAN_H

#include "heddle/graph/ooc/Layout.h"

#include <array>
#include <cstdint>

namespace heddle::graph::ooc {

/// A graph, and the machines that work on it, one for each rank.
struct PlanOptions {
  double vertices = 0, edges = 0; ///< whole numbers, up to 1e18
  WeightKind weights = WeightKind::None;
  std::uint64_t vertexBytes = 16; ///< that calls use of each vertex
  std::uint64_t messageBytes = 4; ///< of each message

  unsigned ranks = 1;
  // For each rank:
  unsigned threads = 1;
  std::uint64_t memoryBytes = std::uint64_t(1) << 30;
  double diskBytesPerSecond = 2e9;
  double networkBytesPerSecond = 25e9 / 8;
};

/// The bytes that a rank transfers in a phase, and the seconds that disk and
/// network take.
struct PhaseCost {
  double readBytes = 0, writtenBytes = 0;
  double sentBytes = 0; ///< equal to the bytes received
  double diskSeconds = 0, networkSeconds = 0;

  PhaseCost &operator+=(const PhaseCost &other);
};

/// The phases of processEdges (section 3.1).
inline constexpr std::array<const char *, 4> PhaseNames = {
    "generate", "pass", "dispatch", "process"};

struct IterationPlan {
  std::uint64_t batchVertices = 0;
  // For each rank:
  double batches = 0;
  double graphBytes = 0;  ///< on disk
  double vertexBytes = 0; ///< of vertex data
  double leastMemoryBytes = 0;
  /// Whether messages are dispatched to the batches that need them, which does
  /// not pay if most batches need most messages (section 4.2).
  bool dispatches = false;
  /// The fractions of messages, vertex data and edges that stay in memory.
  double messagesInMemory = 0, verticesInMemory = 0, edgesInMemory = 0;
  std::array<PhaseCost, PhaseNames.size()> phases;

  bool memorySuffices(const PlanOptions &options) const {
    return leastMemoryBytes <= static_cast<double>(options.memoryBytes);
  }
  PhaseCost total() const;
  /// The time of an iteration: disk and network work concurrently
  /// (section 4.4).
  double seconds() const;
};

/// Throws Error if there are too many ranks to divide the vertices among, and
/// if there are edges but no vertices.
///
///   planIteration({.vertices = 0x1p38, .edges = 0x1p40, .ranks = 8}).seconds()
IterationPlan planIteration(const PlanOptions &options);

} // namespace heddle::graph::ooc

#endif
