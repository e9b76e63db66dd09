//===- Dispatching.h - Whether messages are dispatched ---------*- C++ -*-===//
//
// A batch reads all messages on disk from the blocks that it has edges from.
// To dispatch messages to the batches that need them costs a pass over the
// messages and a copy for each of these batches (J. Yu et al., PPoPP 2021,
// section 4.2). Which of the two transfers fewer bytes can be computed in
// advance.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_OOC_MESSAGES_DISPATCHING_H
#define HEDDLE_GRAPH_DETAIL_OOC_MESSAGES_DISPATCHING_H

#include "heddle/graph/detail/ooc/messages/ChunkScan.h"
#include "heddle/graph/detail/ooc/messages/DispatchingCounts.h"
#include "heddle/graph/ooc/Layout.h"

#include <cstdint>
#include <span>

namespace heddle::graph::ooc {

/// The bytes that are transferred from and to the disk for the messages on disk
/// from one partition to one group of batches.
struct DispatchingCosts {
  std::uint64_t scanned = 0;    ///< what batches read without dispatching
  std::uint64_t messages = 0;   ///< what one pass reads of the messages
  std::uint64_t graph = 0;      ///< what it reads of the dispatching graph
  std::uint64_t dispatched = 0; ///< the copies for batches, written or read
};

/// The way that transfers the fewest bytes. A pull transfers more than it
/// saves. But if batches wait for other ranks, as `mayWait` says, it happens
/// while there is nothing else to do, and leaves less for later.
Dispatching chooseDispatching(const DispatchingCosts &costs, bool mayWait);

/// A block with so many messages on disk.
struct MessagesOnDisk {
  std::size_t block;
  std::uint64_t count;
};

/// The expected number of messages for a batch with edges from `sources`
/// vertices of a block, if vertices of the block sent `count` messages and the
/// dispatching graph has edges from `allSources` of them. Assumes that vertices
/// with edges have sent first, each with the same probability.
constexpr double messagesToBatch(double sources, double allSources,
                                 double count) {
  return allSources == 0 ? 0 : sources * std::min(1.0, count / allSources);
}

/// The costs for these blocks of messages; seeks cost as much as reading
/// `seekBytes`.
DispatchingCosts costsOfDispatching(const GraphLayout &layout,
                                    const SourceIndex &index,
                                    std::size_t partition, std::size_t group,
                                    std::span<const MessagesOnDisk> blocks,
                                    std::size_t messageBytes,
                                    std::uint64_t seekBytes);

} // namespace heddle::graph::ooc

#endif
