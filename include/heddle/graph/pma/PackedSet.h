//===- pma/PackedSet.h - Ordered sets in one array -------------*- C++ -*-===//
//
// The set of the batch-parallel packed memory array: B. Wheatman, R. Burns, A.
// Buluc, H. Xu, CPMA: An Efficient Batch-Parallel Compressed Set Without
// Pointers (PPoPP 2024), sections 3 to 5. Keys lie in order in one array that
// has some room in every leaf; that is what makes scans as fast as those of an
// array and updates as local as those of a tree.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_PMA_PACKEDSET_H
#define HEDDLE_GRAPH_PMA_PACKEDSET_H

#include "heddle/graph/pma/Check.h"
#include "heddle/graph/pma/PackedArray.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <span>
#include <string>

namespace heddle::graph {

struct PmaOptions {
  /// How much larger an array is made that has become too small: 1.05 to 4.
  /// Less takes less memory, more makes updates faster; the default is that of
  /// the paper's appendix C.
  double growingFactor = 1.2;
};

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
class PackedSet {
  using Traits = detail::LeafTraits<Codec, detail::NoValue, LeafBytes>;

public:
  using Key = KeyType;
  using key_type = Key;
  using value_type = Key;
  using size_type = std::size_t;
  class Iterator;
  using iterator = Iterator;
  using const_iterator = Iterator;

  /// A set without keys, which takes no memory. Throws Error if the growing
  /// factor is out of its range.
  explicit PackedSet(const PmaOptions &options = {})
      : array(options.growingFactor) {}

  /// The set of some keys, in any order and each any number of times. Takes as
  /// long as sorting them, unless they are sorted. Throws like the other
  /// constructor, and std::bad_alloc.
  explicit PackedSet(std::span<const Key> keys, const PmaOptions &options = {})
      : array(options.growingFactor) {
    insert(keys);
  }

  /// How many keys there are.
  std::size_t size() const { return array.size(); }
  bool empty() const { return size() == 0; }

  /// How many bytes of memory the set takes.
  std::size_t bytes() const { return array.bytes() + sizeof(*this); }

  /// Searches for one key, in logarithmic time.
  bool contains(Key key) const { return array.contains(key); }

  /// Searches for many keys in any order, of which the waiting times overlap.
  /// `found`, of the same size, tells of each whether it is there. Returns how
  /// many are.
  std::size_t contains(std::span<const Key> keys, std::span<bool> found) const {
    const auto &leaves = array.allLeaves();
    if (leaves.empty()) {
      std::fill(found.begin(), found.end(), false);
      return 0;
    }
    std::size_t hits = 0;
#pragma omp parallel for reduction(+ : hits) if (worthThreads(keys.size()))
#pragma heddle async
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const bool hit = detail::containsFar(leaves, keys[i]);
      found[i] = hit;
      hits += hit;
    }
    return hits;
  }

  /// The lowest and the highest key of a set that is not empty.
  Key min() const { return array.allLeaves().head(0); }
  Key max() const {
    const auto &leaves = array.allLeaves();
    detail::LeafCursor<Traits> cursor(leaves.view(leaves.size() - 1));
    while (!cursor.isLast())
      cursor.advance();
    return cursor.key();
  }

  /// Inserts one key. False if it was there already. Takes amortised time
  /// O(log^2 n / B + log n) with cache lines of B bytes.
  bool insert(Key key) { return array.insert(key, {}); }

  /// Erases one key. False if it was not there.
  bool erase(Key key) { return array.erase(key); }

  /// Inserts many keys. Returns how many were not there.
  std::size_t insert(std::span<const Key> keys) {
    return array.insert(detail::SortedBatch<Traits>(keys));
  }

  /// Erases many keys. Returns how many were there.
  std::size_t erase(std::span<const Key> keys) {
    return array.erase(detail::SortedBatch<Traits>(keys));
  }

  /// Erases all keys and gives the memory back.
  void clear() { array.clear(); }

  /// All keys, ascending.
  Iterator begin() const { return {{array.allLeaves(), 0}}; }
  Iterator end() const {
    return {{array.allLeaves(), array.allLeaves().size()}};
  }

  /// The first key that is not below `key`, and the first above it.
  Iterator lowerBound(Key key) const { return {array.lowerBound(key)}; }
  Iterator upperBound(Key key) const {
    Iterator position = lowerBound(key);
    if (position != end() && *position == key)
      ++position;
    return position;
  }

  /// Calls `visit` with all keys, ascending.
  template <typename Visit> void map(Visit visit) const {
    for (std::size_t leaf = 0; leaf < array.allLeaves().size(); ++leaf)
      mapLeaf(leaf, visit);
  }

  /// Calls `visit` with all keys on the threads of OpenMP, with those that lie
  /// close to each other ascending on one thread.
  template <typename Visit> void parallelMap(Visit visit) const {
    constexpr std::size_t leavesAtOnce = 64;
#pragma omp parallel for schedule(dynamic, leavesAtOnce)
    for (std::size_t leaf = 0; leaf < array.allLeaves().size(); ++leaf)
      mapLeaf(leaf, visit);
  }

  /// Calls `visit` with the keys from `first` on that are below `last`, or with
  /// all from `first` on, ascending.
  template <typename Visit>
  void rangeMap(Key first, Key last, Visit visit) const {
    for (auto at = array.lowerBound(first); !at.isEnd() && at.key() < last;
         at.advance())
      visit(at.key());
  }
  template <typename Visit> void rangeMap(Key first, Visit visit) const {
    for (auto at = array.lowerBound(first); !at.isEnd(); at.advance())
      visit(at.key());
  }

  /// What is wrong with the set, or nothing: for tests. Takes time in
  /// proportion to its size.
  std::string check() const {
    return detail::checkLeaves(array.allLeaves(), size());
  }

  friend bool operator==(const PackedSet &a, const PackedSet &b) {
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin());
  }

private:
  template <typename Visit> void mapLeaf(std::size_t leaf, Visit &visit) const {
    const auto view = array.allLeaves().view(leaf);
    Key key = view.head;
    typename Codec::Reader codes(view.codes);
    visit(key);
    for (std::size_t left = view.count - 1; left > 0; --left) {
      codes.next(key);
      visit(key);
    }
  }

  detail::PackedArray<Traits> array;
};

/// Goes over the keys of a set. Valid until the set changes.
template <OrderedKey KeyType, typename Codec, std::size_t LeafBytes>
class PackedSet<KeyType, Codec, LeafBytes>::Iterator {
public:
  using value_type = KeyType;
  using difference_type = std::ptrdiff_t;
  using iterator_category = std::input_iterator_tag;
  using iterator_concept = std::forward_iterator_tag;
  using pointer = void;
  using reference = KeyType;

  Iterator() = default;
  Iterator(detail::Position<Traits> position) : position(position) {}

  KeyType operator*() const { return position.key(); }
  Iterator &operator++() {
    position.advance();
    return *this;
  }
  Iterator operator++(int) {
    Iterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const Iterator &other) const {
    return position == other.position;
  }

private:
  detail::Position<Traits> position;
};

} // namespace heddle::graph

#endif
