//===- IoModelMessages.cpp - Predicts the cost of messages ---------------===//

#include "heddle/graph/detail/ooc/model/IoModel.h"

#include "../messages/ChunkPieces.h"
#include "heddle/graph/detail/ooc/messages/Messages.h"
#include "heddle/graph/detail/ooc/ranks/Passing.h"

#include <algorithm>

namespace heddle::graph::ooc {

namespace {

std::uint64_t bytesOfMessages(std::uint64_t count, std::size_t messageBytes,
                              bool isFromAll) {
  MessageBlock block;
  block.count = static_cast<std::uint32_t>(count);
  block.isFromAll = isFromAll;
  return block.bytes(messageBytes);
}

} // namespace

/// Stores the messages of a block, in memory as long as there is room.
void IoModel::put(std::size_t partition, std::size_t block, std::uint64_t count,
                  bool isFromAll) {
  if (count == 0)
    return;
  const std::uint64_t bytes = bytesOfMessages(count, messageBytes, isFromAll);
  messagesInMemory += MessageStore::aligned(bytes);
  if (messagesInMemory <= memory.messages)
    return;
  messagesOnDisk[partition][block] = roundUpToBlock(bytes);
  writtenBytes += static_cast<double>(roundUpToBlock(bytes));
}

//===----------------------------------------------------------------------===//
// Between ranks.
//===----------------------------------------------------------------------===//

void IoModel::messagesPassed(const MessageCounts &counts) {
  if (!ranks.hasOthers())
    return;
  for (unsigned i = 1; i < ranks.ranks(); ++i)
    passTo(shareOf(layout, (ranks.rank() + i) % ranks.ranks(), ranks.ranks()));
  for (std::size_t part = 0; part < layout.partitions(); ++part) {
    if (part >= share.firstPartition && part < share.endPartition)
      continue;
    messageCounts[part] = counts[part];
    for (std::size_t block = 0; block < counts[part].size(); ++block)
      put(part, block, counts[part][block],
          counts[part][block] == verticesOfBlock(layout, part, block));
  }
}

/// Sends like Passing. Assumes that another rank needs the same fraction of the
/// sent messages as of the vertices with edges.
void IoModel::passTo(const Share &to) {
  for (std::size_t part = share.firstPartition; part < share.endPartition;
       ++part) {
    const FilterCounts::Counts &filters =
        filterCounts.partitions[part - share.firstPartition];
    for (std::size_t block = 0; block < messageCounts[part].size(); ++block) {
      const std::uint64_t count = messageCounts[part][block];
      const FilterNeed need =
          needOf(layout, filters.ofFilters, part, block, to);
      if (count == 0 || need.most == 0)
        continue;
      readBytes += static_cast<double>(messagesOnDisk[part][block]);
      const std::uint64_t vertices = verticesOfBlock(layout, part, block);
      double passed = static_cast<double>(count);
      if (need.least / 2 < count) {
        for (std::size_t toPart = to.firstPartition; toPart < to.endPartition;
             ++toPart)
          read(part - share.firstPartition,
               {layout.files[part].filtersOffset +
                    layout.filterIndex(part, toPart, block) * FilterBytes,
                FilterBytes});
        const std::optional<std::uint32_t> &needed =
            filters
                .ofRanks[to.firstPartition * layout.sourceBlocks(part) + block];
        passed = messagesToBatch(
            static_cast<double>(needed.value_or(std::min(need.most, vertices))),
            static_cast<double>(sourcesOf(part, block)), passed);
      }
      const auto messages = static_cast<std::uint64_t>(passed + 0.5);
      if (messages > 0)
        sentBytes += static_cast<double>(Passing::bytesInPacket(
            bytesOfMessages(messages, messageBytes, messages == vertices)));
    }
  }
  // The header that ends the messages.
  sentBytes += static_cast<double>(Passing::bytesInPacket(0));
}

/// A lower bound of the number of vertices of a block that have edges.
std::uint64_t IoModel::sourcesOf(std::size_t partition,
                                 std::size_t block) const {
  const FilterCounts::Counts &filters =
      filterCounts.partitions[partition - share.firstPartition];
  std::uint64_t sources = 0;
  for (std::size_t to = 0; to < layout.partitions(); ++to) {
    if (to != partition)
      sources = std::max<std::uint64_t>(
          sources, filters.ofFilters[layout.filterIndex(partition, to, block)]);
    sources = std::max<std::uint64_t>(
        sources,
        filters.ofRanks[to * layout.sourceBlocks(partition) + block].value_or(
            0));
  }
  for (std::size_t batch = share.firstBatch; batch < share.endBatch; ++batch)
    sources = std::max<std::uint64_t>(
        sources, SourceIndex::sources(startsOf(partition, batch), block));
  return sources;
}

//===----------------------------------------------------------------------===//
// Within a rank.
//===----------------------------------------------------------------------===//

void IoModel::dispatch() {
  for (std::size_t group = layout.groupOf[share.firstBatch];
       group <= layout.groupOf[share.endBatch - 1]; ++group)
    for (std::size_t part = 0; part < layout.partitions(); ++part) {
      const std::vector<SourceBlock> &starts =
          index.ofDispatching[group * layout.partitions() + part];
      std::vector<MessagesOnDisk> blocks;
      for (std::size_t block = 0; block + 1 < starts.size(); ++block)
        if (messagesOnDisk[part][block] > 0 &&
            SourceIndex::sources(starts, block) > 0)
          blocks.push_back({block, messageCounts[part][block]});
      // Pulls depend on which batches wait, which cannot be predicted.
      if (!blocks.empty() &&
          chooseDispatching(costsOfDispatching(layout, index, part, group,
                                               blocks, messageBytes, seekBytes),
                            false) == Dispatching::Push)
        push(part, group, blocks);
    }
}

void IoModel::push(std::size_t partition, std::size_t group,
                   std::span<const MessagesOnDisk> blocks) {
  const BatchGroup &batches = layout.groups[group];
  const std::vector<SourceBlock> &starts =
      index.ofDispatching[group * layout.partitions() + partition];
  const ChunkPlaces places = layout.placesOfDispatching(
      partition, layout.dispatchingGraph(partition, group));
  for (const auto &[block, count] : blocks) {
    readBytes += static_cast<double>(messagesOnDisk[partition][block]);
    std::vector<ChunkPiece> pieces;
    PieceCutter cutter(partition, starts, pieces);
    cutter.add(block);
    cutter.cut();
    readPieces(batches.partition - share.firstPartition, pieces, places, 1, 0);
  }
  for (std::size_t batch = batches.firstBatch; batch < batches.endBatch;
       ++batch) {
    double bytes = 0;
    for (const auto &[block, count] : blocks) {
      const auto messages = static_cast<std::uint64_t>(
          messagesToBatch(
              SourceIndex::sources(startsOf(partition, batch), block),
              SourceIndex::sources(starts, block), static_cast<double>(count)) +
          0.5);
      bytes += static_cast<double>(MessageStore::aligned(bytesOfMessages(
          messages, messageBytes,
          messages == verticesOfBlock(layout, partition, block))));
    }
    dispatched[{batch, partition}] = bytes;
    writtenBytes +=
        static_cast<double>(roundUpToBlock(static_cast<std::uint64_t>(bytes)));
  }
}

/// Reads the messages on disk that a batch needs, or its copies of them.
void IoModel::readMessages(std::size_t partition, std::size_t batch) {
  if (const auto own = dispatched.find({batch, partition});
      own != dispatched.end()) {
    // Groups of blocks begin and end within blocks of the file.
    const double most = static_cast<double>(mostBytesOfMessages(messageBytes));
    readBytes += own->second * (1 + BlockBytes / most) +
                 (own->second > 0 ? BlockBytes / 2 : 0);
    return;
  }
  const std::vector<SourceBlock> &starts = startsOf(partition, batch);
  for (std::size_t block = 0; block + 1 < starts.size(); ++block)
    if (isUsed(partition, block) && SourceIndex::sources(starts, block) > 0)
      readBytes += static_cast<double>(messagesOnDisk[partition][block]);
}

} // namespace heddle::graph::ooc
