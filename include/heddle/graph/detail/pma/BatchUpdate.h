//===- pma/BatchUpdate.h - Many updates at once ----------------*- C++ -*-===//
//
// The batch updates of CPMA, section 4, in three phases: merge the keys into
// leaves; count, to find the nodes that are to be redistributed; redistribute
// their elements.
//
// All memory for the merges is allocated before the first of them, and it is
// recorded which keys of the batch changed the set. If the later phases run out
// of memory, the merges are undone.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_PMA_BATCHUPDATE_H
#define HEDDLE_GRAPH_DETAIL_PMA_BATCHUPDATE_H

#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/Tasks.h"
#include "heddle/graph/detail/pma/NearLeaves.h"
#include "heddle/graph/detail/pma/Overflows.h"
#include "heddle/graph/detail/pma/Rebalance.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <new>

namespace heddle::graph::detail {

/// One batch. There must be a leaf.
template <typename Traits> class BatchUpdate {
public:
  using Key = typename Traits::Key;
  using Value = typename Traits::Value;

  /// All functions throw std::bad_alloc and have then changed nothing.
  BatchUpdate(Leaves<Traits> &leaves, const Density<Traits> &density,
              const SortedBatch<Traits> &batch)
      : leaves(leaves), density(density), batch(batch), groups(leaves, batch),
        regions(groups.size()), changes(batch.size()) {
    HEDDLE_ASSERT(!leaves.empty());
  }

  /// Inserts the keys of the batch; `count` is the number of elements before.
  /// Returns the number of keys inserted.
  std::size_t insert(std::size_t count) {
    Overflows<Traits> overflows(leaves, groups);
    const std::size_t inserted = mergeAll(overflows);
    try {
      rebalance(overflows, count + inserted);
    } catch (const std::bad_alloc &) {
      undoMerges(overflows);
      throw;
    }
    return inserted;
  }

  /// Erases the keys of the batch; `count` is the previous number of elements.
  /// Returns the number of keys erased. If no element is left, the leaves are
  /// invalid and must be discarded.
  std::size_t erase(std::size_t count) {
    if constexpr (Traits::HasValues)
      erasedValues.allocate(batch.size());
    const std::size_t erased = subtractAll();
    HEDDLE_ASSERT(erased <= count);
    try {
      if (erased < count)
        rebalance(Overflows<Traits>(leaves, groups), count - erased);
    } catch (const std::bad_alloc &) {
      undoSubtractions();
      throw;
    }
    return erased;
  }

private:
  /// Calls `change(group, view)` for all groups, where `view` is a copy of the
  /// group's leaf. Returns the sum of the results.
  template <typename Change> std::size_t forEachGroup(Change change) {
    return sumOfRanges(groups.size(), NearLeaves<Traits>::Most,
                       worthThreads(batch.size()),
                       [&](std::size_t first, std::size_t last) {
                         NearLeaves<Traits> near;
                         near.take(leaves, groups, first, last);
                         std::size_t sum = 0;
                         for (std::size_t i = first; i < last; ++i)
                           sum += change(i, near.view(i - first));
                         return sum;
                       });
  }

  std::size_t mergeAll(Overflows<Traits> &overflows) {
    return forEachGroup([&](std::size_t group, const LeafView<Traits> &old) {
      return mergeGroup(group, old, overflows);
    });
  }

  std::size_t mergeGroup(std::size_t group, const LeafView<Traits> &old,
                         Overflows<Traits> &overflows) {
    const std::size_t leaf = groups[group].leaf;
    const std::size_t first = groups[group].begin;
    if (groups.sizeOf(group) == 1)
      return changes[first] = insertOne(leaves, leaf, batch[first],
                                        loadValue<Value>(batch.value(first)));
    if (!overflows.hasRoom(group)) {
      std::byte values[Traits::HasValues ? Traits::LeafBytes : 1];
      ElementWriter<Traits> writer(leaves.codes(leaf), values);
      const std::size_t inserted = merge(old, group, writer);
      writeLeaf(leaves, leaf, writer.view());
      return inserted;
    }
    auto writer = overflows.writer(group, old.count + groups.sizeOf(group));
    const std::size_t inserted = merge(old, group, writer);
    if (writer.view().load() > Traits::Capacity)
      overflows.keep(group, writer.view(), leaves.fill(leaf));
    else
      writeLeaf(leaves, leaf, writer.view());
    return inserted;
  }

  /// Writes the elements of a leaf, which must not be empty, merged with the
  /// keys of a group.
  std::size_t merge(const LeafView<Traits> &view, std::size_t group,
                    ElementWriter<Traits> &writer) {
    LeafCursor<Traits> old(view);
    bool hasOld = true;
    const auto putOld = [&] {
      writer.put(old.key(), old.valueBytes());
      hasOld = !old.isLast();
      if (hasOld)
        old.advance();
    };
    std::size_t inserted = 0;
    for (std::size_t i = groups[group].begin; i < groups[group + 1].begin;
         ++i) {
      while (hasOld && old.key() < batch[i])
        putOld();
      const bool isNew = !hasOld || old.key() != batch[i];
      if (isNew)
        writer.put(batch[i], batch.value(i));
      changes[i] = isNew;
      inserted += isNew;
    }
    while (hasOld)
      putOld();
    return inserted;
  }

  std::size_t subtractAll() {
    return forEachGroup([&](std::size_t group, const LeafView<Traits> &old) {
      return subtractGroup(group, old);
    });
  }

  std::size_t subtractGroup(std::size_t group, const LeafView<Traits> &view) {
    const std::size_t leaf = groups[group].leaf;
    if (groups.sizeOf(group) == 1)
      return eraseFrom(leaf, groups[group].begin);
    std::byte values[Traits::HasValues ? Traits::LeafBytes : 1];
    ElementWriter<Traits> writer(leaves.codes(leaf), values);
    LeafCursor<Traits> old(view);
    std::size_t i = groups[group].begin;
    const std::size_t end = groups[group + 1].begin;
    std::size_t erased = 0;
    for (std::size_t left = view.count; left > 0; --left) {
      for (; i < end && batch[i] < old.key(); ++i)
        changes[i] = false;
      if (i < end && batch[i] == old.key()) {
        if constexpr (Traits::HasValues)
          erasedValues[i] = loadValue<Value>(old.valueBytes());
        changes[i++] = true;
        ++erased;
      } else {
        writer.put(old.key(), old.valueBytes());
      }
      if (left > 1)
        old.advance();
    }
    for (; i < end; ++i)
      changes[i] = false;
    writeLeaf(leaves, leaf, writer.view());
    return erased;
  }

  bool eraseFrom(std::size_t leaf, std::size_t i) {
    Value value;
    changes[i] = eraseOne(leaves, leaf, batch[i], value);
    if constexpr (Traits::HasValues)
      erasedValues[i] = value;
    return changes[i];
  }

  void undoMerges(const Overflows<Traits> &overflows) {
    Value value;
    for (std::size_t group = 0; group < groups.size(); ++group) {
      const std::size_t leaf = groups[group].leaf;
      if (Overflows<Traits>::isMarked(leaves.fill(leaf))) {
        overflows.forget(group, leaves.fill(leaf));
        continue;
      }
      for (std::size_t i = groups[group].begin; i < groups[group + 1].begin;
           ++i)
        if (changes[i])
          eraseOne(leaves, leaf, batch[i], value);
    }
  }

  void undoSubtractions() {
    for (std::size_t group = 0; group < groups.size(); ++group)
      for (std::size_t i = groups[group].begin; i < groups[group + 1].begin;
           ++i)
        if (changes[i])
          insertOne(leaves, groups[group].leaf, batch[i], erasedValue(i));
  }
  Value erasedValue(std::size_t i) const {
    if constexpr (Traits::HasValues)
      return erasedValues[i];
    else
      return {};
  }

  /// Brings all leaves back within their bounds.
  void rebalance(const Overflows<Traits> &overflows, std::size_t count) {
    const auto viewOf = [&](std::size_t leaf) {
      return Overflows<Traits>::isMarked(leaves.fill(leaf))
                 ? overflows.view(groups.find(leaf))
                 : leaves.view(leaf);
    };
    const std::size_t found = findRegions(overflows);
    Rebalance(leaves, density, viewOf).run({regions.data(), found}, count);
  }

  /// The counting phase. Each thread climbs from the leaves of a subtree to its
  /// root; one thread climbs on from these roots.
  std::size_t findRegions(const Overflows<Traits> &overflows) {
    constexpr unsigned subtreeLevels = 6;
    const RegionFinder<Traits> finder(leaves, density);
    const unsigned root = finder.rootLevel();
    const unsigned low = worthThreads(groups.size())
                             ? root - std::min(root, subtreeLevels)
                             : root;
    const std::size_t subtrees = ((leaves.size() - 1) >> low) + 1;
    std::array<Region *, std::size_t(1) << subtreeLevels> begins, ends;
    HEDDLE_ASSERT(subtrees <= begins.size());
    forEachTask(subtrees, subtrees > 1, [&](std::size_t subtree) {
      const std::size_t first = groups.find(subtree << low);
      const std::size_t last = groups.find((subtree + 1) << low);
      begins[subtree] = regions.data() + first;
      Region *end = violations(overflows, first, last, root);
      ends[subtree] = finder.climb(begins[subtree], end, 0, low);
    });
    Region *end = regions.data();
    for (std::size_t subtree = 0; subtree < subtrees; ++subtree)
      end = std::copy(begins[subtree], ends[subtree], end);
    return static_cast<std::size_t>(
        finder.climb(regions.data(), end, low, root) - regions.data());
  }

  /// Lists the leaves of the groups `first` to `last` - 1 that are out of
  /// bounds, in `regions` from index `first` on. Returns the end of the list.
  Region *violations(const Overflows<Traits> &overflows, std::size_t first,
                     std::size_t last, unsigned rootLevel) {
    Region *end = regions.data() + first;
    for (std::size_t i = first; i < last; ++i) {
      const LeafFill fill = leaves.fill(groups[i].leaf);
      const std::size_t load = Overflows<Traits>::isMarked(fill)
                                   ? overflows.view(i).load()
                                   : leaves.load(groups[i].leaf);
      if (!density.leafIsWithin(rootLevel, load, fill.count))
        *end++ = {groups[i].leaf, load, 0, false};
    }
    return end;
  }

  Leaves<Traits> &leaves;
  const Density<Traits> &density;
  const SortedBatch<Traits> &batch;
  const Groups<Traits> groups;
  Scratch<Region> regions;
  Scratch<std::uint8_t> changes; ///< whether a key changed the set
  Scratch<Value> erasedValues;
};

} // namespace heddle::graph::detail

#endif
