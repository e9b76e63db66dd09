//===- pma/MergeRebuild.h - Old and new elements to a new array -*- C++ -*-===//
//
// A batch that is large compared with the array is merged with all elements
// into a new array (CPMA, section 4); this is also how an array is built at
// first. The merge is cut at some keys into blocks. Threads pass over each
// block twice, to weigh its elements and to write them to leaves; the list of
// all elements is never stored.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_PMA_MERGEREBUILD_H
#define HEDDLE_GRAPH_DETAIL_PMA_MERGEREBUILD_H

#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/pma/Density.h"
#include "heddle/graph/detail/pma/SortedBatch.h"
#include "heddle/graph/detail/pma/Spread.h"
#include "heddle/graph/detail/sort/PrefixSum.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace heddle::graph::detail {

/// The elements of leaves, possibly none, merged with a batch that is not
/// empty. A key that is in both has the value of the leaves. A source of
/// spread().
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

  /// The number of elements and their weight.
  std::size_t count() const { return allElements; }
  std::size_t weight() const { return total; }

  std::size_t segments() const { return starts.size(); }
  std::size_t before(std::size_t block) const { return weights[block]; }
  Stream stream(std::size_t block) const { return Stream(*this, block); }

private:
  /// Chooses the keys at which blocks begin, from the heads and from the batch,
  /// so that no block has many leaves or many keys of the batch. The first
  /// block begins with key 0.
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
    HEDDLE_ASSERT(starts[0] == 0);
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
    HEDDLE_ASSERT(allElements >= batch.size());
  }

  const Leaves<Traits> &leaves;
  const SortedBatch<Traits> &batch;
  Array<Key> starts;
  Array<std::uint64_t> weights; ///< later, sums of those before
  std::size_t allElements, total;
};

/// The elements from the start of a block on. The weight of a block's first
/// element does not depend on the element before it. Elements are decoded and
/// merged a few dozen at a time, in loops without branches that depend on keys.
template <typename Traits> class Merge<Traits>::Stream {
public:
  Stream(const Merge &merge, std::size_t block)
      : merge(&merge), currentBlock(block) {
    const Key start = merge.starts[block];
    next = static_cast<std::size_t>(
        std::lower_bound(merge.batch.begin(), merge.batch.end(), start) -
        merge.batch.begin());
    if (!merge.leaves.empty()) {
      leaf = merge.leaves.find(start);
      do
        decode();
      while (skipBelow(start));
    }
    fill();
    elementWeight = Traits::MostElementBytes;
  }

  bool done() const { return at == filled; }
  std::size_t block() const { return currentBlock; }
  Key key() const { return keys[at]; }
  const std::byte *value() const {
    return Traits::HasValues ? values[at] : nullptr;
  }
  std::size_t weight() const { return elementWeight; }

  void advance() {
    const Key before = keys[at];
    if (++at == filled)
      fill();
    if (done())
      return;
    elementWeight =
        Traits::Codec::codeBytes(before, keys[at]) + Traits::ValueBytes;
    if (currentBlock + 1 < merge->starts.size() &&
        keys[at] >= merge->starts[currentBlock + 1]) {
      ++currentBlock;
      elementWeight = Traits::MostElementBytes;
    }
  }

private:
  static constexpr std::size_t AtOnce = 64;

  /// Decodes the next elements of the leaves, if any are left.
  void decode() {
    oldAt = oldEnd = 0;
    if (oldLeft == 0) {
      if (leaf == merge->leaves.size())
        return;
      const LeafView<Traits> view = merge->leaves.view(leaf++);
      cursor = LeafCursor<Traits>(view);
      oldLeft = view.count;
    }
    oldEnd = std::min(oldLeft, AtOnce);
    oldValues = cursor.valueBytes();
    oldKeys[0] = cursor.key();
    for (std::size_t i = 1; i < oldEnd; ++i) {
      cursor.advance();
      oldKeys[i] = cursor.key();
    }
    oldLeft -= oldEnd;
    if (oldLeft != 0)
      cursor.advance();
  }

  /// Skips decoded elements below `start`. Returns whether these were all that
  /// were decoded, and more may follow.
  bool skipBelow(Key start) {
    while (oldAt < oldEnd && oldKeys[oldAt] < start)
      ++oldAt;
    return oldAt == oldEnd && oldEnd != 0;
  }

  /// Fills the buffer with the next elements of the merge.
  void fill() {
    at = filled = 0;
    while (filled < AtOnce) {
      if (oldAt == oldEnd)
        decode();
      const std::size_t room = AtOnce - filled;
      const std::size_t old = std::min(room, oldEnd - oldAt);
      const std::size_t fresh = std::min(room, merge->batch.size() - next);
      if (old == 0 && fresh == 0)
        return;
      if (old == 0)
        takeFresh(fresh);
      else if (fresh == 0)
        takeOld(old);
      else
        takeLower(std::min(old, fresh));
    }
  }

  void takeFresh(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
      put(merge->batch[next + i], merge->batch.value(next + i));
    next += count;
  }
  void takeOld(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
      put(oldKeys[oldAt + i], oldValues + (oldAt + i) * Traits::ValueBytes);
    oldAt += count;
  }

  /// Takes `count` elements; leaves and batch must both have as many ready.
  void takeLower(std::size_t count) {
    for (; count != 0; --count) {
      const Key old = oldKeys[oldAt], fresh = merge->batch[next];
      put(std::min(old, fresh), old <= fresh
                                    ? oldValues + oldAt * Traits::ValueBytes
                                    : merge->batch.value(next));
      oldAt += old <= fresh;
      next += fresh <= old;
    }
  }

  void put(Key key, const std::byte *value) {
    HEDDLE_ASSERT(filled < AtOnce && (filled == 0 || keys[filled - 1] < key));
    keys[filled] = key;
    if constexpr (Traits::HasValues)
      values[filled] = value;
    ++filled;
  }

  const Merge *merge;
  std::size_t currentBlock;
  std::size_t next;          ///< in the batch
  std::size_t leaf = 0;      ///< behind the one that is decoded
  LeafCursor<Traits> cursor; ///< in that
  std::size_t oldLeft = 0;   ///< of it
  std::size_t oldAt = 0, oldEnd = 0;
  const std::byte *oldValues = nullptr;
  std::size_t at = 0, filled = 0;
  std::size_t elementWeight;
  std::array<Key, AtOnce> oldKeys, keys;
  std::array<const std::byte *, Traits::HasValues ? AtOnce : 1> values;
};

/// New leaves with all elements of a merge: as many as before if that is within
/// bounds. Throws std::bad_alloc.
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
  HEDDLE_ASSERT(count > 0 && count <= merge.count());
  Leaves<Traits> leaves(count);
  spread(merge, merge.weight(), leaves, 0, count);
  return leaves;
}

} // namespace heddle::graph::detail

#endif
