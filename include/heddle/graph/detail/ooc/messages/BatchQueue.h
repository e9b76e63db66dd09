//===- BatchQueue.h - Which batches have messages to work on ---*- C++ -*-===//
//
// A batch follows the edges from one partition after the other, in an order
// that does not depend on when messages come, so that what a program does
// depends on nothing but the graph. While messages of the next are on their
// way, other batches have their turn.
//
// Where messages may be dealt out (Dispatching.h), that is decided and done for
// those from a partition to a group of batches before any of these follows
// their edges.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_OOC_MESSAGES_BATCHQUEUE_H
#define HEDDLE_GRAPH_DETAIL_OOC_MESSAGES_BATCHQUEUE_H

#include "heddle/graph/detail/ooc/messages/Dispatching.h"
#include "heddle/graph/ooc/Layout.h"

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <optional>
#include <vector>

namespace heddle::graph::ooc {

class BatchQueue {
public:
  /// All batches of a share. The messages of its own partitions are there.
  /// Nothing is dealt out unless `mayDealOut`.
  BatchQueue(const GraphLayout &layout, const Share &share, bool mayDealOut);

  /// How many batches there are that edges lead to.
  std::size_t size() const { return count; }

  enum class Work : std::uint8_t {
    Follow,  ///< a batch follows edges
    DealOut, ///< decide, and do it if it comes to a push
    Pull     ///< a batch pulls
  };

  /// Nobody else works on the batch of a turn meanwhile, and nobody deals out.
  struct Turn {
    Work work = Work::Follow;
    std::size_t batch = 0;
    std::size_t group = 0; ///< if it is to deal out
    /// Those whose edges to the batch are followed next, or the one whose
    /// messages are dealt out.
    std::vector<std::size_t> partitions;
  };

  /// Waits until there is something to do, and takes that of the first batch or
  /// of the last. Nothing once all is done or others are at it. Throws what
  /// fail() was given.
  std::optional<Turn> take(bool isBackward);

  /// Ends a turn, in which this was decided if it was to deal out. Returns
  /// whether all that leads to a batch has now been followed.
  bool finish(const Turn &turn, Dispatching decision = Dispatching::None);

  /// All messages of these partitions are there.
  void arrive(std::size_t firstPartition, std::size_t endPartition);

  /// Nothing more will be done.
  void fail(std::exception_ptr reason);

private:
  struct Batch {
    std::size_t group;
    std::vector<std::size_t> partitions; ///< in order
    std::vector<bool> hasPulled;         ///< of these
    std::size_t done = 0, taken = 0;     ///< of these
    bool isTaken = false;
  };

  /// Of the messages from a partition to a group.
  enum class State : std::uint8_t { Undecided, Pullable, Ready };

  State &stateOf(std::size_t group, std::size_t partition) {
    return states[group * hasArrived.size() + partition];
  }
  bool isReady(const Batch &entry, std::size_t partition) {
    return hasArrived[partition] &&
           stateOf(entry.group, partition) != State::Undecided;
  }
  std::optional<Turn> toDealOut();
  std::optional<Turn> toFollow(bool isBackward);
  std::optional<Turn> toPull();
  bool mayHaveMore() const;
  std::size_t readyOf(const Batch &entry);

  const std::size_t firstBatch;
  std::vector<Batch> batches;
  std::vector<bool> hasArrived; ///< per partition
  std::vector<State> states;    ///< per group and partition
  bool isDealingOut = false;
  std::size_t count = 0;
  std::exception_ptr failure;
  std::mutex mutex;
  std::condition_variable changed;
};

} // namespace heddle::graph::ooc

#endif
