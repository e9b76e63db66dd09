//===- BatchQueue.h - Which batches have messages to work on ---*- C++ -*-===//
//
// A batch follows the edges from one partition after the other, in an order
// that does not depend on when messages come, so that what a program does
// depends on nothing but the graph. While messages of the next are on their
// way, other batches have their turn.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_OOC_BATCHQUEUE_H
#define HEDDLE_GRAPH_OOC_BATCHQUEUE_H

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
  BatchQueue(const GraphLayout &layout, const Share &share);

  /// How many batches there are that edges lead to.
  std::size_t size() const { return count; }

  /// A batch and the partitions whose edges to it are followed next. Nobody
  /// else works on this batch meanwhile.
  struct Turn {
    std::size_t batch;
    std::vector<std::size_t> partitions;
  };

  /// Waits until there is something to do, and takes that of the first batch or
  /// of the last. Nothing once all is done or others are at it. Throws what
  /// fail() was given.
  std::optional<Turn> take(bool isBackward);

  /// Ends a turn. Returns whether all that leads to the batch has been
  /// followed.
  bool finish(const Turn &turn);

  /// All messages of these partitions are there.
  void arrive(std::size_t firstPartition, std::size_t endPartition);

  /// Nothing more will be done.
  void fail(std::exception_ptr reason);

private:
  struct Batch {
    std::vector<std::size_t> partitions; ///< in order
    std::size_t done = 0, taken = 0;     ///< of these
    bool isTaken = false;
  };

  std::size_t arrivedOf(const Batch &entry) const;

  const std::size_t firstBatch;
  std::vector<Batch> batches;
  std::vector<bool> hasArrived; ///< per partition
  std::size_t count = 0;
  std::exception_ptr failure;
  std::mutex mutex;
  std::condition_variable changed;
};

} // namespace heddle::graph::ooc

#endif
