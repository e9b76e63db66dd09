//===- pma/HeadIndex.h - Which leaf a key belongs to -----------*- C++ -*-===//
//
// The heads of all leaves, and a static search tree over them: each level holds
// every n-th key of the level below, where n keys fill a cache line. A search
// reads one cache line per level and compares all of its keys at once in vector
// code. A binary search would wait for three or four lines instead.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_PMA_HEADINDEX_H
#define HEDDLE_GRAPH_DETAIL_PMA_HEADINDEX_H

#include "heddle/graph/detail/Array.h"
#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/pma/Codec.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

namespace heddle::graph::detail {

/// One key per leaf. The keys must ascend strictly whenever find() is called.
template <OrderedKey Key> class HeadIndex {
public:
  static constexpr std::size_t KeysInNode = 64 / sizeof(Key);

  HeadIndex() = default;

  /// Room for the heads of `leaves` leaves, at least one. Throws
  /// std::bad_alloc.
  explicit HeadIndex(std::size_t leaves) {
    HEDDLE_ASSERT(leaves > 0);
    std::size_t size = leaves, total = 0;
    for (;;) {
      HEDDLE_ASSERT(levels < MostLevels);
      level[levels++] = {total, size};
      total += (size + KeysInNode - 1) / KeysInNode * KeysInNode;
      if (size <= KeysInNode)
        break;
      size = (size + KeysInNode - 1) / KeysInNode;
    }
    keys = Array<Key>(total);
    for (std::size_t i = 0; i < levels; ++i) {
      const std::size_t end = i + 1 < levels ? level[i + 1].begin : total;
      std::fill(keys.begin() + level[i].begin + level[i].size,
                keys.begin() + end, std::numeric_limits<Key>::max());
    }
  }

  std::size_t bytes() const { return keys.size() * sizeof(Key); }

  /// The head of a leaf.
  Key operator[](std::size_t leaf) const { return keys[leaf]; }
  const Key *begin() const { return keys.data(); }

  /// Sets the head of a leaf. Threads may set the heads of different leaves at
  /// once.
  void set(std::size_t leaf, Key head) {
    HEDDLE_ASSERT(leaf < level[0].size);
    keys[leaf] = head;
    for (std::size_t i = 1; i < levels && leaf % KeysInNode == 0; ++i) {
      leaf /= KeysInNode;
      keys[level[i].begin + leaf] = head;
    }
  }

  /// The last leaf whose head is not above `key`, or the first if all are.
  ///
  /// A node's first key needs no comparison: the level above found that it is
  /// not above `key`, or it is the first of all. Unused slots of a node hold
  /// the highest key; the result is clamped, as a search for that key counts
  /// them too.
  ///
  /// Always inlined, because loops over keys have to see the loads that it
  /// waits for.
  [[gnu::always_inline]] std::size_t find(Key key) const noexcept {
    std::size_t node = 0;
    for (std::size_t i = levels; i-- > 0;) {
      const Key *first = keys.data() + level[i].begin + node * KeysInNode;
      std::size_t notAbove = 0;
      for (std::size_t k = 1; k < KeysInNode; ++k)
        notAbove += first[k] <= key;
      node = std::min(node * KeysInNode + notAbove, level[i].size - 1);
    }
    return node;
  }

private:
  struct Level {
    std::size_t begin, size;
  };
  static constexpr std::size_t MostLevels = 22;

  Array<Key> keys;
  std::array<Level, MostLevels> level = {};
  std::size_t levels = 0;
};

} // namespace heddle::graph::detail

#endif
