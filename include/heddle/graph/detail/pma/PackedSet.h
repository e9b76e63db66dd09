//===- pma/PackedSet.h - Ordered sets in one array -------------*- C++ -*-===//
//
// The set of the batch-parallel packed memory array: B. Wheatman, R. Burns, A.
// Buluc, H. Xu, CPMA: An Efficient Batch-Parallel Compressed Set Without
// Pointers (PPoPP 2024), sections 3 to 5. Keys lie in order in one array that
// has some room in every leaf; that is what makes scans as fast as those of an
// array and updates as local as those of a tree.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_PMA_PACKEDSET_H
#define HEDDLE_GRAPH_DETAIL_PMA_PACKEDSET_H

#include "heddle/graph/detail/pma/PackedBase.h"

#include <cstddef>
#include <span>

namespace heddle::graph {

/// An ordered set of numbers; all numbers are allowed. It is used through its
/// names Pma and Cpma.
///
/// Any number of threads may read a set while none changes it. Functions on
/// many keys run on the threads of OpenMP; a batch may be of any size and in
/// any order, may have keys more than once, and is never changed itself.
/// Functions that change a set throw std::bad_alloc if there is no memory, and
/// have then changed nothing; they make all iterators invalid. A set that grows
/// takes the memory of the old array and the new one while it does, and 3 %
/// more.
///
///   Cpma<std::uint64_t> seen;
///   const std::size_t fresh = seen.insert(batch);
template <OrderedKey KeyType, typename Codec, std::size_t LeafBytes>
class PackedSet : public detail::PackedBase<
                      detail::LeafTraits<Codec, detail::NoValue, LeafBytes>> {
  using Traits = detail::LeafTraits<Codec, detail::NoValue, LeafBytes>;
  using Base = detail::PackedBase<Traits>;
  using Base::array;

public:
  using Key = KeyType;

  /// A set without keys, which takes no memory. Throws Error if the growing
  /// factor is out of its range.
  explicit PackedSet(const PmaOptions &options = {}) : Base(options) {}

  /// The set of some keys, in any order and each any number of times. Takes as
  /// long as sorting them, unless they are sorted. Throws like the other
  /// constructor, and std::bad_alloc.
  explicit PackedSet(std::span<const Key> keys, const PmaOptions &options = {})
      : Base(options) {
    insert(keys);
  }

  /// Inserts one key. False if it was there already. Takes amortised time
  /// O(log^2 n / B + log n) with cache lines of B bytes.
  bool insert(Key key) { return array.insert(key, {}); }

  /// Inserts many keys. Returns how many were not there.
  std::size_t insert(std::span<const Key> keys) {
    return array.insert(detail::SortedBatch<Traits>(keys));
  }
};

} // namespace heddle::graph

#endif
