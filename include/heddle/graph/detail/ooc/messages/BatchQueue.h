//===- BatchQueue.h - Batches with messages to work on ---------*- C++ -*-===//
//
// A batch follows the edges from one partition after the other, in an order
// that does not depend on when messages arrive, so that the results of a
// program depend on the graph only. While a batch waits for the messages of its
// next partition, other batches are processed.
//
// If messages may be dispatched (Dispatching.h), this is decided and done for
// the messages from a partition to a group of batches before any batch of the
// group follows their edges.
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
  /// A queue of all batches of a share. The messages of its own partitions have
  /// arrived.
  BatchQueue(const GraphLayout &layout, const Share &share, bool mayDispatch);

  /// The number of batches that edges lead to.
  std::size_t size() const { return count; }

  enum class Work : std::uint8_t {
    Follow,   ///< a batch follows edges
    Dispatch, ///< decide on the messages to a group, and push them or not
    Pull      ///< a batch pulls
  };

  /// The work that a thread has taken. No other thread works on its batch, and
  /// only one turn dispatches at a time.
  struct Turn {
    Work work = Work::Follow;
    std::size_t batch = 0; ///< to Follow or to Pull
    std::size_t group = 0; ///< to Dispatch
    /// The partitions whose edges to the batch are followed, or the one whose
    /// messages are dispatched or pulled.
    std::vector<std::size_t> partitions;
  };

  /// Waits for work, and takes the work of the first batch, or of the last if
  /// `isBackward`. Returns nullopt once all work is done or taken. Throws the
  /// exception that fail() was given.
  std::optional<Turn> take(bool isBackward);

  /// Ends a turn, with the decision if it was to Dispatch. Returns whether all
  /// edges to a batch have been followed now.
  bool finish(const Turn &turn, Dispatching decision = Dispatching::None);

  /// Records that all messages of these partitions have arrived.
  void arrive(std::size_t firstPartition, std::size_t endPartition);

  /// Ends the queue: every take() throws this from now on.
  void fail(std::exception_ptr reason);

private:
  struct Batch {
    std::size_t group;
    std::vector<std::size_t> partitions; ///< in the order of following
    std::vector<bool> hasPulled;         ///< per partition in that order
    /// The number of partitions that are followed, and of those that will be
    /// after the turn that is taken.
    std::size_t done = 0, taken = 0;
    bool isTaken = false;
  };

  /// The state of the messages from a partition to a group.
  enum class State : std::uint8_t { Undecided, Pullable, Ready };

  State &stateOf(std::size_t group, std::size_t partition) {
    return states[group * hasArrived.size() + partition];
  }
  bool isReady(const Batch &entry, std::size_t partition) {
    return hasArrived[partition] &&
           stateOf(entry.group, partition) != State::Undecided;
  }
  std::optional<Turn> toDispatch();
  std::optional<Turn> toFollow(bool isBackward);
  std::optional<Turn> toPull();
  bool mayHaveMore() const;
  std::size_t readyOf(const Batch &entry);

  const std::size_t firstBatch;
  std::vector<Batch> batches;
  std::vector<bool> hasArrived; ///< per partition
  std::vector<State> states;    ///< per group and partition
  bool isDispatching = false;
  std::size_t count = 0;
  std::exception_ptr failure;
  std::mutex mutex;
  std::condition_variable changed;
};

} // namespace heddle::graph::ooc

#endif
