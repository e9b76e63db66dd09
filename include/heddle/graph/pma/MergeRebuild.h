//===- pma/MergeRebuild.h - Old and new elements to a new array -*- C++ -*-===//
//
// If a batch is large against what is there, everything is merged into an array
// made anew (CPMA, section 4); from nothing, this builds an array. The merge is
// cut at some keys into blocks, which threads go through twice: to weigh, and
// to write what is spread. No list of all elements is ever made.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_PMA_MERGEREBUILD_H
#define HEDDLE_GRAPH_PMA_MERGEREBUILD_H

#include "heddle/graph/PrefixSum.h"
#include "heddle/graph/pma/Density.h"
#include "heddle/graph/pma/SortedBatch.h"
#include "heddle/graph/pma/Spread.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace heddle::graph::detail {

/// The elements of some leaves, of which there may be none, and of a batch,
/// which is not empty. Those that are in both have the value of the leaves. A
/// source of spread().
template <typename Traits> class Merge {
public:
  using Key = typename Traits::Key;
  class Stream;

  /// Throws std::bad_alloc.
  Merge(const Leaves<Traits> &leaves, const SortedBatch<Traits> &batch)
      : leaves(leaves), batch(batch) {
    cut();
    weigh();
  }

  /// How many elements there are, and what they weigh.
  std::size_t count() const { return allElements; }
  std::size_t weight() const { return total; }

  std::size_t segments() const { return starts.size(); }
  std::size_t before(std::size_t block) const { return weights[block]; }
  Stream stream(std::size_t block) const { return Stream(*this, block); }

private:
  /// Chooses the keys at which blocks begin: some of the heads and some of the
  /// batch, so that no block has many of either. The first begins with all
  /// keys.
  void cut() {
    constexpr std::size_t leavesInBlock = 32, keysInBlock = 2048;
    const std::size_t fromHeads = leaves.size() / leavesInBlock;
    const std::size_t fromBatch = batch.size() / keysInBlock;
    starts = Array<Key>(1 + fromHeads + fromBatch);
    starts[0] = 0;
    Key *heads = starts.begin() + 1, *keys = heads + fromHeads;
    for (std::size_t i = 0; i < fromHeads; ++i)
      heads[i] = leaves.head((i + 1) * leavesInBlock - 1);
    for (std::size_t i = 0; i < fromBatch; ++i)
      keys[i] = batch[(i + 1) * keysInBlock - 1];
    std::sort(starts.begin(), starts.end());
    starts.shrink(static_cast<std::size_t>(
        std::unique(starts.begin(), starts.end()) - starts.begin()));
  }

  void weigh() {
    weights = Array<std::uint64_t>(starts.size());
    const std::size_t blocks = starts.size();
    allElements = sumOfTasks(blocks, blocks > 1, [&](std::size_t block) {
      std::uint64_t weight = 0;
      std::size_t elements = 0;
      for (Stream at = stream(block); !at.done() && at.block() == block;
           at.advance()) {
        weight += at.weight();
        ++elements;
      }
      weights[block] = weight;
      return elements;
    });
    total = exclusivePrefixSum({weights.data(), weights.size()});
  }

  const Leaves<Traits> &leaves;
  const SortedBatch<Traits> &batch;
  Array<Key> starts;
  Array<std::uint64_t> weights; ///< later, what is before
  std::size_t allElements, total;
};

/// The elements from the start of a block on. What the first of a block weighs
/// does not depend on the one before it.
template <typename Traits> class Merge<Traits>::Stream {
public:
  Stream(const Merge &merge, std::size_t block)
      : merge(&merge), currentBlock(block) {
    const Key start = merge.starts[block];
    next = static_cast<std::size_t>(
        std::lower_bound(merge.batch.begin(), merge.batch.end(), start) -
        merge.batch.begin());
    if (!merge.leaves.empty())
      enterLeaf(merge.leaves.find(start));
    while (hasOld && old.key() < start)
      advanceOld();
    settle();
    elementWeight = Traits::MostElementBytes;
  }

  bool done() const { return !hasOld && next == merge->batch.size(); }
  std::size_t block() const { return currentBlock; }
  Key key() const { return current; }
  const std::byte *value() const {
    return isOld ? old.valueBytes() : merge->batch.value(next);
  }
  std::size_t weight() const { return elementWeight; }

  void advance() {
    const Key before = current;
    if (next < merge->batch.size() && merge->batch[next] == current)
      ++next;
    if (isOld)
      advanceOld();
    settle();
    if (done())
      return;
    elementWeight =
        Traits::Codec::codeBytes(before, current) + Traits::ValueBytes;
    if (currentBlock + 1 < merge->starts.size() &&
        current >= merge->starts[currentBlock + 1]) {
      ++currentBlock;
      elementWeight = Traits::MostElementBytes;
    }
  }

private:
  void enterLeaf(std::size_t index) {
    leaf = index;
    hasOld = leaf < merge->leaves.size();
    if (hasOld)
      old = LeafCursor<Traits>(merge->leaves.view(leaf));
  }

  void advanceOld() {
    if (old.isLast())
      enterLeaf(leaf + 1);
    else
      old.advance();
  }

  /// Finds out which element comes next.
  void settle() {
    const bool hasNew = next < merge->batch.size();
    isOld = hasOld && (!hasNew || old.key() <= merge->batch[next]);
    if (isOld)
      current = old.key();
    else if (hasNew)
      current = merge->batch[next];
  }

  const Merge *merge;
  std::size_t currentBlock;
  std::size_t next; ///< in the batch
  std::size_t leaf = 0;
  bool hasOld = false, isOld = false;
  LeafCursor<Traits> old; ///< in the leaf
  Key current = 0;
  std::size_t elementWeight;
};

/// The leaves that have all elements of a merge. There are as many as before if
/// these are within bounds. Throws std::bad_alloc.
template <typename Traits>
Leaves<Traits> rebuild(const Merge<Traits> &merge, std::size_t leavesBefore,
                       const Density<Traits> &density) {
  const std::size_t heads = merge.segments();
  const std::size_t load =
      merge.weight() - heads * Traits::Codec::MostCodeBytes;
  std::size_t count = leavesBefore;
  if (leavesBefore == 0)
    count = density.leavesFor(load, heads, merge.count(), density.built());
  else if (leavesBefore == 1 ||
           !density.isWithin(1, 1, leavesBefore, merge.weight()))
    count =
        density.leavesFor(load, heads, merge.count(),
                          density.resized(static_cast<double>(load) /
                                          static_cast<double>(leavesBefore)));
  Leaves<Traits> leaves(count);
  spread(merge, merge.weight(), leaves, 0, count);
  return leaves;
}

} // namespace heddle::graph::detail

#endif
