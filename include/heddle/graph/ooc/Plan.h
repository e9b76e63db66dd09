//===- Plan.h - What an iteration would cost -------------------*- C++ -*-===//
//
// Table 2 of DFOGraph (J. Yu et al., PPoPP 2021) in bytes and seconds, for
// graphs and machines that need not be at hand: all vertices send, and all
// edges are followed. Parts of the graph are taken to be of equal size.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_OOC_PLAN_H
#define HEDDLE_GRAPH_OOC_PLAN_H

#include "heddle/graph/ooc/Layout.h"

#include <array>
#include <cstdint>

namespace heddle::graph::ooc {

/// A graph, and the machines ("ranks") it is worked on with.
struct PlanOptions {
  double vertices = 0, edges = 0; ///< whole numbers, up to 1e18
  WeightKind weights = WeightKind::None;
  std::uint64_t vertexBytes = 16; ///< that calls use of each vertex
  std::uint64_t messageBytes = 4; ///< of each

  unsigned ranks = 1;
  // Of each rank.
  unsigned threads = 1;
  std::uint64_t memoryBytes = std::uint64_t(1) << 30;
  double diskBytesPerSecond = 2e9;
  double networkBytesPerSecond = 25e9 / 8;
};

/// What a rank moves, and the time that disk and network need for it.
struct PhaseCost {
  double readBytes = 0, writtenBytes = 0;
  double sentBytes = 0; ///< and as many are received
  double diskSeconds = 0, networkSeconds = 0;

  PhaseCost &operator+=(const PhaseCost &other);
};

/// The phases of processEdges (section 3.1).
inline constexpr std::array<const char *, 4> PhaseNames = {
    "generate", "pass", "dispatch", "process"};

struct IterationPlan {
  std::uint64_t batchVertices = 0;
  // What follows is of each rank.
  double batches = 0;
  double graphBytes = 0;  ///< on disk
  double vertexBytes = 0; ///< of vertex data
  double leastMemoryBytes = 0;
  /// Whether messages are dealt out to the batches that need them, which does
  /// not pay where most batches need most of them (section 4.2).
  bool dispatches = false;
  /// What share of the messages, vertex data and edges stays in memory.
  double messagesInMemory = 0, verticesInMemory = 0, edgesInMemory = 0;
  std::array<PhaseCost, PhaseNames.size()> phases;

  bool memorySuffices(const PlanOptions &options) const {
    return leastMemoryBytes <= static_cast<double>(options.memoryBytes);
  }
  PhaseCost total() const;
  /// Disk and network work side by side (section 4.4).
  double seconds() const;
};

/// Throws Error if there are more ranks than parts that the vertices can be cut
/// into, and if there are edges without vertices.
///
///   planIteration({.vertices = 0x1p38, .edges = 0x1p40, .ranks = 8}).seconds()
IterationPlan planIteration(const PlanOptions &options);

} // namespace heddle::graph::ooc

#endif
