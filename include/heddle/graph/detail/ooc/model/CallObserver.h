//===- CallObserver.h - Observes what calls do -----------------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_DETAIL_OOC_MODEL_CALLOBSERVER_H
#define HEDDLE_GRAPH_DETAIL_OOC_MODEL_CALLOBSERVER_H

#include "heddle/graph/detail/ooc/memory/MemoryBudget.h"
#include "heddle/graph/detail/ooc/memory/WindowPool.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace heddle::graph::ooc {

/// A set of batches: a flag for each batch of the graph.
using BatchSet = std::vector<std::uint8_t>;

/// The number of messages of each block of vertices, per partition.
using MessageCounts = std::vector<std::vector<std::uint32_t>>;

/// Notified by an engine of the work of its calls, phase by phase, on one
/// thread.
class CallObserver {
public:
  virtual ~CallObserver() = default;

  /// A call begins. Windows beyond the limit leave memory.
  virtual void callBegun(const MemoryDivision &memory) = 0;

  /// Functions were called for the vertices of the visited batches.
  virtual void verticesProcessed(std::span<const ArrayUse> uses,
                                 const BatchSet &visited) = 0;

  /// The vertices of the visited batches generated messages of this size.
  virtual void messagesGenerated(std::span<const ArrayUse> uses,
                                 const BatchSet &visited,
                                 const MessageCounts &counts,
                                 std::size_t messageBytes) = 0;

  /// Called when ranks have passed messages to each other. This rank now has
  /// `counts`.
  virtual void messagesPassed(const MessageCounts &counts) = 0;

  /// The messages were delivered along the edges.
  virtual void edgesProcessed(std::span<const ArrayUse> uses) = 0;

  /// Values were read in the order of batches.
  virtual void valuesRead(std::span<const ArrayUse> uses) = 0;

  /// Called when all changed windows were written.
  virtual void checkpointMade() = 0;
};

} // namespace heddle::graph::ooc

#endif
