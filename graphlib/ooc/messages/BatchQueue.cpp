//===- BatchQueue.cpp - Which batches have messages to work on -----------===//

#include "heddle/graph/detail/ooc/messages/BatchQueue.h"

#include "heddle/graph/detail/Assert.h"

#include <algorithm>

namespace heddle::graph::ooc {

BatchQueue::BatchQueue(const GraphLayout &layout, const Share &share,
                       bool mayDispatch)
    : firstBatch(share.firstBatch), hasArrived(layout.partitions()),
      states(layout.groups.size() * layout.partitions(), State::Ready) {
  const std::size_t partitions = layout.partitions();
  for (std::size_t batch = share.firstBatch; batch < share.endBatch; ++batch) {
    Batch &entry = batches.emplace_back();
    entry.group = layout.groupOf[batch];
    // The messages of this rank come first, and then those of the ranks before
    // it (section 4.4).
    for (std::size_t i = 0; i < partitions; ++i) {
      const std::size_t partition =
          (layout.partitionOf[batch] + partitions - i) % partitions;
      if (layout.chunk(partition, batch).edges == 0)
        continue;
      entry.partitions.push_back(partition);
      if (mayDispatch &&
          layout.dispatchingGraph(partition, entry.group).edges > 0)
        stateOf(entry.group, partition) = State::Undecided;
    }
    entry.hasPulled.resize(entry.partitions.size());
    count += !entry.partitions.empty();
  }
  arrive(share.firstPartition, share.endPartition);
}

std::optional<BatchQueue::Turn> BatchQueue::take(bool isBackward) {
  std::unique_lock lock(mutex);
  for (;; changed.wait(lock)) {
    if (failure)
      std::rethrow_exception(failure);
    // Other threads may be waiting for messages that are dispatched.
    if (std::optional<Turn> turn = toDispatch())
      return turn;
    if (std::optional<Turn> turn = toFollow(isBackward))
      return turn;
    if (std::optional<Turn> turn = toPull())
      return turn;
    if (!mayHaveMore())
      return std::nullopt;
  }
}

std::optional<BatchQueue::Turn> BatchQueue::toDispatch() {
  if (isDispatching)
    return std::nullopt;
  for (const Batch &entry : batches)
    for (const std::size_t partition : entry.partitions)
      if (hasArrived[partition] &&
          stateOf(entry.group, partition) == State::Undecided) {
        isDispatching = true;
        return Turn{.work = Work::Dispatch,
                    .group = entry.group,
                    .partitions = {partition}};
      }
  return std::nullopt;
}

std::optional<BatchQueue::Turn> BatchQueue::toFollow(bool isBackward) {
  std::optional<std::size_t> chosen;
  for (std::size_t i = 0; i < batches.size(); ++i) {
    const std::size_t index = isBackward ? batches.size() - 1 - i : i;
    const Batch &entry = batches[index];
    if (entry.isTaken || readyOf(entry) == entry.done)
      continue;
    // Prefer a batch that can be completed, whose windows are loaded once.
    if (readyOf(entry) == entry.partitions.size()) {
      chosen = index;
      break;
    }
    if (!chosen)
      chosen = index;
  }
  if (!chosen)
    return std::nullopt;
  Batch &entry = batches[*chosen];
  entry.isTaken = true;
  entry.taken = readyOf(entry);
  HEDDLE_ASSERT(entry.taken > entry.done);
  const auto first = entry.partitions.begin();
  return Turn{.batch = firstBatch + *chosen,
              .partitions = {first + static_cast<std::ptrdiff_t>(entry.done),
                             first + static_cast<std::ptrdiff_t>(entry.taken)}};
}

/// A pull of messages for a batch that waits for other messages first.
std::optional<BatchQueue::Turn> BatchQueue::toPull() {
  for (std::size_t index = 0; index < batches.size(); ++index) {
    Batch &entry = batches[index];
    for (std::size_t i = entry.done;
         !entry.isTaken && i < entry.partitions.size(); ++i) {
      const std::size_t partition = entry.partitions[i];
      if (!hasArrived[partition] || entry.hasPulled[i] ||
          stateOf(entry.group, partition) != State::Pullable)
        continue;
      entry.hasPulled[i] = true;
      entry.isTaken = true;
      entry.taken = entry.done;
      return Turn{.work = Work::Pull,
                  .batch = firstBatch + index,
                  .partitions = {partition}};
    }
  }
  return std::nullopt;
}

/// Whether there is work beyond the turns that are taken.
bool BatchQueue::mayHaveMore() const {
  return std::ranges::any_of(batches, [](const Batch &entry) {
    const std::size_t begun = entry.isTaken ? entry.taken : entry.done;
    return begun < entry.partitions.size();
  });
}

/// The number of a batch's partitions before the first whose messages have not
/// arrived or are not decided on.
std::size_t BatchQueue::readyOf(const Batch &entry) {
  const auto end =
      std::ranges::find_if(entry.partitions, [&](std::size_t partition) {
        return !isReady(entry, partition);
      });
  return static_cast<std::size_t>(end - entry.partitions.begin());
}

bool BatchQueue::finish(const Turn &turn, Dispatching decision) {
  const std::lock_guard lock(mutex);
  changed.notify_all();
  if (turn.work == Work::Dispatch) {
    HEDDLE_ASSERT(isDispatching);
    HEDDLE_ASSERT(stateOf(turn.group, turn.partitions[0]) == State::Undecided);
    isDispatching = false;
    stateOf(turn.group, turn.partitions[0]) =
        decision == Dispatching::Pull ? State::Pullable : State::Ready;
    return false;
  }
  Batch &entry = batches[turn.batch - firstBatch];
  HEDDLE_ASSERT(entry.isTaken && entry.done <= entry.taken &&
                entry.taken <= entry.partitions.size());
  entry.isTaken = false;
  if (turn.work == Work::Pull)
    return false;
  entry.done = entry.taken;
  return entry.done == entry.partitions.size();
}

void BatchQueue::arrive(std::size_t firstPartition, std::size_t endPartition) {
  const std::lock_guard lock(mutex);
  for (std::size_t part = firstPartition; part < endPartition; ++part) {
    HEDDLE_ASSERT(!hasArrived[part] && "messages arrive once");
    hasArrived[part] = true;
  }
  changed.notify_all();
}

void BatchQueue::fail(std::exception_ptr reason) {
  HEDDLE_ASSERT(reason);
  const std::lock_guard lock(mutex);
  failure = reason;
  changed.notify_all();
}

} // namespace heddle::graph::ooc
