//===- pma/PackedSet.h - Ordered sets in one array -------------*- C++ -*-===//
//
// The set of the batch-parallel packed memory array: B. Wheatman, R. Burns, A.
// Buluc, H. Xu, CPMA: An Efficient Batch-Parallel Compressed Set Without
// Pointers (PPoPP 2024), sections 3 to 5. Keys are stored in order in one array
// with free room in every leaf. Scans are therefore as fast as scans of an
// array, and updates as local as updates of a tree.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_PMA_PACKEDSET_H
#define HEDDLE_GRAPH_DETAIL_PMA_PACKEDSET_H

#include "heddle/graph/detail/pma/PackedArray.h"

#include <cstddef>
#include <span>

namespace heddle::graph {

/// An ordered set of unsigned numbers; every number is allowed. Use it by its
/// names Pma and Cpma.
///
/// Any number of threads may read a set while none changes it. Functions on
/// many keys run on the threads of OpenMP; a batch may have any size and order
/// and have keys more than once, and is not changed. Functions that change a
/// set invalidate all iterators. They throw std::bad_alloc if there is no
/// memory, and have then changed nothing. While a set grows, it takes the
/// memory of the old array and of the new one, and 3 % more.
///
///   Cpma<std::uint64_t> seen;
///   const std::size_t fresh = seen.insert(batch);
template <OrderedKey KeyType, typename Codec, std::size_t LeafBytes>
class PackedSet : public detail::PackedArray<
                      detail::LeafTraits<Codec, detail::NoValue, LeafBytes>> {
  using Traits = detail::LeafTraits<Codec, detail::NoValue, LeafBytes>;
  using Base = detail::PackedArray<Traits>;

public:
  using Key = KeyType;

  /// An empty set, which takes no memory. Throws Error if the growing factor is
  /// not within 1.05 to 4.
  explicit PackedSet(const PmaOptions &options = {}) : Base(options) {}

  /// The set of `keys`, which may be in any order and occur more than once.
  /// Takes as long as sorting the keys, or linear time if they are sorted.
  /// Throws like the other constructor, and std::bad_alloc.
  explicit PackedSet(std::span<const Key> keys, const PmaOptions &options = {})
      : Base(options) {
    insert(keys);
  }

  /// Inserts one key. Returns false if it was there. Takes amortised time
  /// O(log^2 n / B + log n) with cache lines of B bytes (CPMA, section 3).
  bool insert(Key key) { return Base::insert(key, {}); }

  /// Inserts many keys. Returns the number of keys inserted. Takes time O(k
  /// (log^2 n / B + log n)) for k keys, less for a large batch, divided among
  /// the threads (CPMA, section 4).
  std::size_t insert(std::span<const Key> keys) {
    return Base::insert(detail::SortedBatch<Traits>(keys));
  }
};

} // namespace heddle::graph

#endif
