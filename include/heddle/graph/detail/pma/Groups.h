//===- pma/Groups.h - Which keys of a batch go to which leaf ---*- C++ -*-===//
//
// The searches of a batch update (CPMA, section 4, "batch-merge phase"). The
// paper searches for the median of the batch, finds what else belongs to the
// same leaf, and goes on with the keys below and above. Here a few searches
// come at once, so that they wait for memory together, and only keys between
// two that belong to different leaves are searched for at all; a batch that has
// keys for most leaves is walked along the heads instead. Everything that
// follows is a loop over leaves that have nothing to do with each other.
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

/// Neighbouring keys of a batch that belong to one leaf: those from `begin` on,
/// up to the next group's.
struct Group {
  std::size_t leaf;
  std::size_t begin;
};

/// All groups of a batch that is not empty, in order, and one behind the last
/// that begins where the batch ends.
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

  /// The first group that belongs to `leaf` or one behind it.
  std::size_t find(std::size_t leaf) const {
    return static_cast<std::size_t>(
        std::lower_bound(groups.begin(), groups.begin() + count, leaf,
                         [](const Group &group, std::size_t leaf) {
                           return group.leaf < leaf;
                         }) -
        groups.begin());
  }

private:
  /// Walking over so many heads takes no longer than one search.
  static constexpr std::size_t LeavesWalked = 16;

  /// Between how many keys at most it is seen whether all are for one leaf.
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
    const std::size_t blocks = (batch.size() - 1) / keysAtOnce + 1;
    forEachTask(blocks, blocks > 1, [&](std::size_t block) {
      const std::size_t begin = block * keysAtOnce;
      const std::size_t end = std::min(begin + keysAtOnce, batch.size());
      std::size_t leaf = leaves.find(batch[begin]);
      for (std::size_t i = begin; i < end; ++i) {
        while (leaf + 1 < leaves.size() && leaves.head(leaf + 1) <= batch[i])
          ++leaf;
        groups[i].leaf = leaf;
      }
    });
  }

  /// Leaves one group of those with the same leaf.
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
