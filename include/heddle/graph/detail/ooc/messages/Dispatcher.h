//===- Dispatcher.h - Messages are dealt out to batches --------*- C++ -*-===//
//
// The intra-node dispatching of DFOGraph (J. Yu et al., PPoPP 2021, section
// 4.2). Messages that are in memory are left where they are, for any batch to
// find; of those on disk, batches get what they need in a place of their own,
// if that costs less than to read all of them.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_OOC_MESSAGES_DISPATCHER_H
#define HEDDLE_GRAPH_DETAIL_OOC_MESSAGES_DISPATCHER_H

#include "heddle/graph/detail/ooc/messages/BatchQueue.h"
#include "heddle/graph/detail/ooc/messages/ChunkScan.h"
#include "heddle/graph/detail/ooc/messages/Dispatching.h"
#include "heddle/graph/detail/ooc/messages/Messages.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

namespace heddle::graph::ooc {

/// The part of a graph that a rank works on.
struct ShareOfGraph {
  const GraphLayout &layout;
  const Share &share;
  std::deque<CheckedFile> &files; ///< per partition of the share
  const SourceIndex &index;
};

class DispatchedWriters;

/// Which messages of a block each batch of a group gets.
class PlacesByBatch {
public:
  explicit PlacesByBatch(std::size_t batches)
      : begins(batches), ends(batches) {}

  /// Makes room for as many places for each batch as `mostOf(batch)`.
  template <typename MostOf> void clear(MostOf mostOf) {
    std::uint32_t end = 0;
    for (std::size_t i = 0; i < begins.size(); ++i) {
      begins[i] = ends[i] = end;
      end += mostOf(i);
    }
    if (places.size() < end)
      places.resize(end);
  }

  void add(std::size_t batch, std::uint16_t place) {
    places[ends[batch]++] = place;
  }

  std::span<const std::uint16_t> of(std::size_t batch) const {
    return {places.data() + begins[batch], places.data() + ends[batch]};
  }

private:
  std::vector<std::uint32_t> begins, ends;
  std::vector<std::uint16_t> places;
};

/// Deals out the messages of one step.
class Dispatcher {
public:
  /// `forced`, if there is such, takes the place of what costs least, and then
  /// holds for messages in memory, too. Batches wait for others if `mayWait`.
  Dispatcher(const ShareOfGraph &graph, const SeekCost &seekCost,
             MessageStore &store, KeptBytes &keptBytes,
             const StepMessages &messages, std::optional<Dispatching> forced,
             bool mayWait);

  /// Takes a turn that does not follow edges: decides how the messages from a
  /// partition reach a group of batches and pushes them, or pulls those that
  /// one batch needs. Returns what was decided. One decision at a time, and
  /// before messagesOf() for the same messages; a pull, not while another
  /// thread works on its batch.
  Dispatching dispatch(const BatchQueue::Turn &turn, ChunkScan &scan,
                       IoQueue &queue);

  /// What a batch sees of the messages from these partitions, after a pull if
  /// pulls are forced. Valid until something is dealt out to the batch.
  class View;
  View messagesOf(std::size_t batch, std::span<const std::size_t> partitions,
                  IoQueue &queue);

  DispatchingCounts counts() const { return {pushes, pulls, messageCount}; }

  /// Bytes of memory that this takes for messages of so many bytes, beside what
  /// each thread has to read messages with.
  static std::uint64_t bytes(const GraphLayout &layout, const Share &share,
                             const SourceIndex &index, std::size_t messageBytes,
                             std::size_t threads);

private:
  /// A block of messages among those that were dealt out to a batch. They lie
  /// in the order of blocks.
  struct Run {
    std::uint32_t count = 0, checksum = 0;
  };

  /// What was dealt out to a batch from a partition.
  struct Dealt {
    MessageStore::Area area;
    std::vector<Run> runs; ///< per block, if anything was dealt out
  };

  Dealt &dealtOf(std::size_t batch, std::size_t partition) {
    return dealt[(batch - graph.share.firstBatch) * graph.layout.partitions() +
                 partition];
  }
  const std::vector<SourceBlock> &startsOf(std::size_t partition,
                                           std::size_t batch) const {
    return graph.index.ofChunks[batch * graph.layout.partitions() + partition];
  }
  CheckedFile &fileOf(std::size_t batch) const {
    return graph
        .files[graph.layout.partitionOf[batch] - graph.share.firstPartition];
  }
  Dispatching decide(std::size_t partition, std::size_t group, ChunkScan &scan,
                     IoQueue &queue);
  void pull(std::size_t batch, std::size_t partition, IoQueue &queue);
  bool isDealtOut(const MessageBlock &block) const {
    return block.count > 0 && (forced || block.isOnDisk());
  }
  std::vector<MessagesOnDisk>
  blocksToDealOut(std::size_t partition,
                  const std::vector<SourceBlock> &starts) const;
  std::vector<const MessageBlock *>
  onDisk(std::size_t partition, std::span<const MessagesOnDisk> blocks) const;
  Dealt &beginDealing(std::size_t batch, std::size_t partition,
                      std::span<const MessagesOnDisk> blocks);
  void push(std::size_t partition, std::size_t group,
            std::span<const MessagesOnDisk> blocks, ChunkScan &scan,
            IoQueue &queue);
  void findPlaces(ChunkScan &scan, const MessageBlock &block,
                  PlacesByBatch &places) const;
  Run write(std::size_t partition, std::size_t index, const MessageBlock &block,
            std::span<const std::uint16_t> places, DispatchedWriters &writers,
            std::size_t writer);
  MessageBlock runOf(std::size_t partition, std::size_t index,
                     const Run &run) const;

  const ShareOfGraph graph;
  const SeekCost &seekCost;
  MessageStore &store;
  KeptBytes &keptBytes;
  const StepMessages &messages;
  const std::optional<Dispatching> forced;
  const bool mayWait;
  std::vector<Dealt> dealt; ///< per batch of the share and partition
  std::atomic<std::uint64_t> pushes = 0, pulls = 0, messageCount = 0;
};

/// The messages that a batch sees where some were dealt out to it.
class Dispatcher::View {
public:
  const BatchMessages &messages() const { return seen; }

private:
  friend class Dispatcher;
  explicit View(const StepMessages &step) : seen(step) {}

  BatchMessages seen;
  std::vector<std::vector<MessageBlock>> blocks;
  std::vector<std::vector<std::uint8_t>> hasAny;
};

} // namespace heddle::graph::ooc

#endif
