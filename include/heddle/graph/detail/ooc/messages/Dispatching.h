//===- Dispatching.h - Dispatching messages or not -------------*- C++ -*-===//
//
// A batch reads all messages on disk from the blocks that it has edges from.
// Dispatching messages to the batches that need them costs a pass over the
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
  std::uint64_t scanned = 0;    ///< read by batches without dispatching
  std::uint64_t messages = 0;   ///< of the messages, read in one pass
  std::uint64_t graph = 0;      ///< of the dispatching graph, read in it
  std::uint64_t dispatched = 0; ///< the copies for batches, written or read
};

/// Returns the way that transfers the fewest bytes. A pull transfers more than
/// it saves. But if batches wait for other ranks (`mayWait`), it runs while
/// there is nothing else to do, and leaves less for later.
Dispatching chooseDispatching(const DispatchingCosts &costs, bool mayWait);

/// A block with `count` messages on disk.
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

/// Returns the costs for these blocks of messages; a seek costs as much as
/// reading `seekBytes` bytes.
DispatchingCosts costsOfDispatching(const GraphLayout &layout,
                                    const SourceIndex &index,
                                    std::size_t partition, std::size_t group,
                                    std::span<const MessagesOnDisk> blocks,
                                    std::size_t messageBytes,
                                    std::uint64_t seekBytes);

} // namespace heddle::graph::ooc

#endif
