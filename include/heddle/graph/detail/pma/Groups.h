//===- pma/Groups.h - Which keys of a batch go to which leaf ---*- C++ -*-===//
//
// The searches of a batch update (CPMA, section 4, "batch-merge phase"). The
// paper searches for the median of the batch, finds the other keys of the same
// leaf, and recurses on the keys below and above. Here many keys are searched
// for at once, so that their cache misses overlap. A large batch searches for
// every 16th key first, and for a key between two of these only if they belong
// to different leaves. A batch with keys for most leaves is merged with the
// heads instead. The leaves of different groups can then be updated
// independently.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_PMA_GROUPS_H
#define HEDDLE_GRAPH_DETAIL_PMA_GROUPS_H

#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/Tasks.h"
#include "heddle/graph/detail/pma/Scratch.h"
#include "heddle/graph/detail/pma/SortedBatch.h"

#include <algorithm>
#include <cstddef>

namespace heddle::graph::detail {

/// The keys of a batch that belong to one leaf: from `begin` up to the `begin`
/// of the next group.
struct Group {
  std::size_t leaf;
  std::size_t begin;
};

/// All groups of a batch that is not empty, in order, and a sentinel that
/// begins where the batch ends.
template <typename Traits> class Groups {
public:
  using Key = typename Traits::Key;

  /// Throws std::bad_alloc.
  Groups(const Leaves<Traits> &leaves, const SortedBatch<Traits> &batch)
      : leaves(leaves), batch(batch), groups(batch.size() + 1) {
    HEDDLE_ASSERT(batch.size() > 0);
    if (batch.size() < leaves.size() / LeavesWalked)
      search();
    else
      walk();
    close();
  }

  std::size_t size() const { return count; }
  const Group &operator[](std::size_t i) const { return groups[i]; }
  std::size_t sizeOf(std::size_t i) const {
    HEDDLE_ASSERT(i < count);
    return groups[i + 1].begin - groups[i].begin;
  }

  /// The first group of `leaf` or of a leaf behind it.
  std::size_t find(std::size_t leaf) const {
    return static_cast<std::size_t>(
        std::lower_bound(groups.begin(), groups.begin() + count, leaf,
                         [](const Group &group, std::size_t leaf) {
                           return group.leaf < leaf;
                         }) -
        groups.begin());
  }

private:
  /// Walking over this many heads takes no longer than one search.
  static constexpr std::size_t LeavesWalked = 16;

  /// The distance of the keys that are searched for first.
  static constexpr std::size_t Stride = 16;

  static void searchForAll(const Leaves<Traits> &leaves, const Key *keys,
                           std::size_t size, Group *groups) {
#pragma heddle async
    for (std::size_t i = 0; i < size; ++i)
      groups[i].leaf = leaves.find(keys[i]);
  }

  void search() {
    const std::size_t size = batch.size();
    const Key *const keys = batch.begin();
    Group *const group = groups.data();
    const Leaves<Traits> &leaves = this->leaves;
    if (!worthThreads(size))
      return searchForAll(leaves, keys, size, group);

    const std::size_t strides = (size + Stride - 1) / Stride;
    Array<std::size_t> ends(strides + 1);
#pragma omp parallel for
#pragma heddle async
    for (std::size_t i = 0; i <= strides; ++i)
      ends[i] = leaves.find(keys[std::min(i * Stride, size - 1)]);
#pragma omp parallel for
#pragma heddle async
    for (std::size_t i = 0; i < size; ++i) {
      std::size_t leaf = ends[i / Stride];
      if (leaf != ends[i / Stride + 1])
        leaf = leaves.find(keys[i]);
      group[i].leaf = leaf;
    }
  }

  void walk() {
    constexpr std::size_t keysAtOnce = 4096;
    const auto walkOver = [&](std::size_t begin, std::size_t end) {
      std::size_t leaf = leaves.find(batch[begin]);
      for (std::size_t i = begin; i < end; ++i) {
        while (leaf + 1 < leaves.size() && leaves.head(leaf + 1) <= batch[i])
          ++leaf;
        groups[i].leaf = leaf;
      }
    };
    forEachRange(batch.size(), keysAtOnce, true, walkOver);
  }

  /// Joins neighbouring keys with the same leaf into one group.
  void close() {
    for (std::size_t i = 0; i < batch.size(); ++i) {
      HEDDLE_ASSERT(i == 0 || groups[count - 1].leaf <= groups[i].leaf);
      if (i == 0 || groups[i].leaf != groups[count - 1].leaf)
        groups[count++] = {groups[i].leaf, i};
    }
    groups[count] = {leaves.size(), batch.size()};
  }

  const Leaves<Traits> &leaves;
  const SortedBatch<Traits> &batch;
  Scratch<Group> groups;
  std::size_t count = 0;
};

} // namespace heddle::graph::detail

#endif
