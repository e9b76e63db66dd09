//===- Dispatching.h - Whether messages are dealt out ----------*- C++ -*-===//
//
// Batches that need messages from the disk each read all those of the blocks
// that they have edges from. To deal them out first, each to the batches that
// need it, costs a pass over them and a copy for each of these batches (J. Yu
// et al., PPoPP 2021, section 4.2). Which of the two moves fewer bytes is known
// before either is done.
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

/// For the messages on disk from one partition to one group of batches, in
/// bytes that go to and from the disk.
struct DispatchingCosts {
  std::uint64_t scanned = 0;  ///< what batches read where nothing is dealt out
  std::uint64_t messages = 0; ///< what one pass reads of them
  std::uint64_t graph = 0;    ///< and of the dispatching graph
  std::uint64_t dispatched = 0; ///< the copies for batches, once
};

/// What moves the fewest bytes. A pull moves more than it saves, but where
/// batches wait for other ranks it does so while there is nothing else to do,
/// and leaves less for later.
Dispatching chooseDispatching(const DispatchingCosts &costs, bool mayWait);

/// Messages of a block that are on disk.
struct MessagesOnDisk {
  std::size_t block;
  std::uint64_t count;
};

/// How many messages of a block, of which there are `count`, a batch gets that
/// has edges from `sources` vertices of it, where a dispatching graph leads
/// from `allSources`: vertices that have edges are taken to have sent first,
/// and each of them as likely as any other.
constexpr double messagesToBatch(double sources, double allSources,
                                 double count) {
  return allSources == 0 ? 0 : sources * std::min(1.0, count / allSources);
}

/// What it takes, of messages of so many bytes, and seeks that cost so much.
DispatchingCosts costsOfDispatching(const GraphLayout &layout,
                                    const SourceIndex &index,
                                    std::size_t partition, std::size_t group,
                                    std::span<const MessagesOnDisk> blocks,
                                    std::size_t messageBytes,
                                    std::uint64_t seekBytes);

} // namespace heddle::graph::ooc

#endif
