//===- BatchQueue.cpp - Which batches have messages to work on -----------===//

#include "heddle/graph/ooc/BatchQueue.h"

#include <algorithm>

namespace heddle::graph::ooc {

BatchQueue::BatchQueue(const GraphLayout &layout, const Share &share)
    : firstBatch(share.firstBatch), hasArrived(layout.partitions()) {
  const std::size_t partitions = layout.partitions();
  for (std::size_t batch = share.firstBatch; batch < share.endBatch; ++batch) {
    Batch &entry = batches.emplace_back();
    // A node gets its own messages first, and then those of the nodes before it
    // (section 4.4).
    for (std::size_t i = 0; i < partitions; ++i) {
      const std::size_t partition =
          (layout.partitionOf[batch] + partitions - i) % partitions;
      if (layout.chunk(partition, batch).edges > 0)
        entry.partitions.push_back(partition);
    }
    count += !entry.partitions.empty();
  }
  arrive(share.firstPartition, share.endPartition);
}

std::optional<BatchQueue::Turn> BatchQueue::take(bool isBackward) {
  std::unique_lock lock(mutex);
  for (;; changed.wait(lock)) {
    if (failure)
      std::rethrow_exception(failure);
    bool mayHaveMore = false; // than what others are at
    std::optional<std::size_t> chosen;
    for (std::size_t i = 0; i < batches.size(); ++i) {
      const std::size_t index = isBackward ? batches.size() - 1 - i : i;
      const Batch &entry = batches[index];
      const std::size_t all = entry.partitions.size();
      const std::size_t begun = entry.isTaken ? entry.taken : entry.done;
      mayHaveMore |= begun < all;
      if (entry.isTaken || arrivedOf(entry) == entry.done)
        continue;
      // One whose windows need not come again, if there is such.
      if (arrivedOf(entry) == all) {
        chosen = index;
        break;
      }
      if (!chosen)
        chosen = index;
    }
    if (chosen) {
      Batch &entry = batches[*chosen];
      entry.isTaken = true;
      entry.taken = arrivedOf(entry);
      const auto first = entry.partitions.begin();
      return Turn{firstBatch + *chosen,
                  {first + static_cast<std::ptrdiff_t>(entry.done),
                   first + static_cast<std::ptrdiff_t>(entry.taken)}};
    }
    if (!mayHaveMore)
      return std::nullopt;
  }
}

/// Of the partitions of a batch, those before the first whose messages are not
/// there.
std::size_t BatchQueue::arrivedOf(const Batch &entry) const {
  const auto end =
      std::ranges::find_if(entry.partitions, [&](std::size_t partition) {
        return !hasArrived[partition];
      });
  return static_cast<std::size_t>(end - entry.partitions.begin());
}

bool BatchQueue::finish(const Turn &turn) {
  const std::lock_guard lock(mutex);
  Batch &entry = batches[turn.batch - firstBatch];
  entry.isTaken = false;
  entry.done = entry.taken;
  changed.notify_all();
  return entry.done == entry.partitions.size();
}

void BatchQueue::arrive(std::size_t firstPartition, std::size_t endPartition) {
  const std::lock_guard lock(mutex);
  for (std::size_t part = firstPartition; part < endPartition; ++part)
    hasArrived[part] = true;
  changed.notify_all();
}

void BatchQueue::fail(std::exception_ptr reason) {
  const std::lock_guard lock(mutex);
  failure = reason;
  changed.notify_all();
}

} // namespace heddle::graph::ooc
