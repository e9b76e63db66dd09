//===- Dispatcher.h - Dispatches messages to batches -----------*- C++ -*-===//
//
// The intra-node dispatching of DFOGraph (J. Yu et al., PPoPP 2021, section
// 4.2). Messages in memory stay where they are, and all batches read them
// there. Messages on disk are copied for the batches that need them, if that
// costs less than each batch reading all of them.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_OOC_MESSAGES_DISPATCHER_H
#define HEDDLE_GRAPH_DETAIL_OOC_MESSAGES_DISPATCHER_H

#include "heddle/graph/detail/Assert.h"
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

/// For each batch of a group, the indices of the messages of a block that it
/// needs.
class PlacesByBatch {
public:
  explicit PlacesByBatch(std::size_t batches)
      : begins(batches), ends(batches) {}

  /// Empties the lists, and makes room for up to `mostOf(batch)` indices of
  /// each batch.
  template <typename MostOf> void clear(MostOf mostOf) {
    end = 0;
    for (std::size_t i = 0; i < begins.size(); ++i) {
      begins[i] = ends[i] = end;
      end += mostOf(i);
    }
    if (places.size() < end)
      places.resize(end);
  }

  /// Returns false if there is no room.
  bool add(std::size_t batch, std::uint16_t place) {
    const std::size_t limit =
        batch + 1 < begins.size() ? begins[batch + 1] : end;
    if (ends[batch] == limit)
      return false;
    places[ends[batch]++] = place;
    return true;
  }

  std::span<const std::uint16_t> of(std::size_t batch) const {
    return {places.data() + begins[batch], places.data() + ends[batch]};
  }

private:
  std::vector<std::uint32_t> begins, ends;
  std::uint32_t end = 0; ///< of the last list's room
  std::vector<std::uint16_t> places;
};

/// Dispatches the messages of one step.
class Dispatcher {
public:
  /// `forced` replaces the decision about the cheapest way, also for messages
  /// in memory. `mayWait` says whether batches wait for other ranks.
  Dispatcher(const ShareOfGraph &graph, const SeekCost &seekCost,
             MessageStore &store, KeptBytes &keptBytes,
             const StepMessages &messages, std::optional<Dispatching> forced,
             bool mayWait);

  /// Takes a turn that does not follow edges: decides how the messages from a
  /// partition reach a group of batches and pushes them, or pulls those that
  /// one batch needs. Returns the decision. Only one decision may run at a
  /// time, and before messagesOf() for the same messages; a pull must not run
  /// while another thread works on its batch.
  Dispatching dispatch(const BatchQueue::Turn &turn, ChunkScan &scan,
                       IoQueue &queue);

  /// The messages from these partitions as a batch sees them, after a pull if
  /// pulls are forced. Valid until messages are dispatched to the batch again.
  class View;
  View messagesOf(std::size_t batch, std::span<const std::size_t> partitions,
                  IoQueue &queue);

  DispatchingCounts counts() const { return {pushes, pulls, messageCount}; }

  /// The bytes of memory that this takes for messages of this size, in addition
  /// to the memory of each thread for reading messages.
  static std::uint64_t bytes(const GraphLayout &layout, const Share &share,
                             const SourceIndex &index, std::size_t messageBytes,
                             std::size_t threads);

private:
  /// The messages of one block in a batch's copies, which are in the order of
  /// blocks.
  struct Run {
    std::uint32_t count = 0, checksum = 0;
  };

  /// The copies for a batch of messages from a partition.
  struct BatchCopies {
    MessageStore::Area area;
    std::vector<Run> runs; ///< per block; empty if nothing was dispatched
  };

  BatchCopies &copiesOf(std::size_t batch, std::size_t partition) {
    return copies[(batch - graph.share.firstBatch) * graph.layout.partitions() +
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
  bool isDispatched(const MessageBlock &block) const {
    return block.count > 0 && (forced || block.isOnDisk());
  }
  std::vector<MessagesOnDisk>
  blocksToDispatch(std::size_t partition,
                   const std::vector<SourceBlock> &starts) const;
  std::vector<const MessageBlock *>
  onDisk(std::size_t partition, std::span<const MessagesOnDisk> blocks) const;
  BatchCopies &beginCopies(std::size_t batch, std::size_t partition,
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
  std::vector<BatchCopies> copies; ///< per batch of the share and partition
  std::atomic<std::uint64_t> pushes = 0, pulls = 0, messageCount = 0;
};

/// The messages that a batch reads, some of which are its own copies.
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
