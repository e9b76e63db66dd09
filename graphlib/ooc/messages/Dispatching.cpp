//===- Dispatching.cpp - Whether messages are dispatched -----------------===//

#include "heddle/graph/detail/ooc/messages/Dispatching.h"

#include "heddle/graph/detail/ooc/disk/BlockFile.h"

#include <algorithm>

namespace heddle::graph::ooc {

Dispatching chooseDispatching(const DispatchingCosts &costs, bool mayWait) {
  const std::uint64_t pushed =
      costs.messages + costs.graph + 2 * costs.dispatched;
  if (pushed < costs.scanned)
    return Dispatching::Push;
  if (mayWait && 2 * costs.dispatched < costs.scanned)
    return Dispatching::Pull;
  return Dispatching::None;
}

DispatchingCosts costsOfDispatching(const GraphLayout &layout,
                                    const SourceIndex &index,
                                    std::size_t partition, std::size_t group,
                                    std::span<const MessagesOnDisk> blocks,
                                    std::size_t messageBytes,
                                    std::uint64_t seekBytes) {
  const std::size_t partitions = layout.partitions();
  const Chunk &graph = layout.dispatchingGraph(partition, group);
  const std::vector<SourceBlock> &starts =
      index.ofDispatching[group * partitions + partition];
  const BatchGroup &batches = layout.groups[group];
  const std::uint64_t recordBytes = messageBytes + sizeof(std::uint16_t);
  DispatchingCosts costs;
  double dispatched = 0;
  for (const auto &[block, count] : blocks) {
    const std::uint64_t sources = SourceIndex::sources(starts, block);
    if (sources == 0)
      continue;
    const std::uint64_t bytes = roundUpToBlock(count * recordBytes);
    const std::uint64_t pairs = starts[block + 1].edge - starts[block].edge;
    const std::uint64_t graphBytes =
        pairs + sources * (sizeof(std::uint16_t) + sizeof(std::uint32_t));
    costs.messages += bytes;
    costs.graph += graph.hasRows ? std::min(graphBytes, 2 * count * seekBytes)
                                 : graphBytes;
    for (std::size_t batch = batches.firstBatch; batch < batches.endBatch;
         ++batch)
      costs.scanned +=
          SourceIndex::sources(index.ofChunks[batch * partitions + partition],
                               block) > 0
              ? bytes
              : 0;
    // Each of the graph's edges leads to a source of a chunk.
    dispatched += messagesToBatch(static_cast<double>(pairs),
                                  static_cast<double>(sources),
                                  static_cast<double>(count));
  }
  costs.dispatched =
      static_cast<std::uint64_t>(dispatched * static_cast<double>(recordBytes));
  return costs;
}

} // namespace heddle::graph::ooc
