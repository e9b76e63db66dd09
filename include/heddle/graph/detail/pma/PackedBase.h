//===- pma/PackedBase.h - Operations of sets and maps -----------*- C++ -*-===//
//
// The operations that sets and maps share. An element of a set is a key, an
// element of a map is a key with its value; visitors are called with the key or
// with both.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_PMA_PACKEDBASE_H
#define HEDDLE_GRAPH_DETAIL_PMA_PACKEDBASE_H

#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/pma/Check.h"
#include "heddle/graph/detail/pma/PackedArray.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <span>
#include <string>
#include <type_traits>

namespace heddle::graph {

struct PmaOptions {
  /// The factor by which an array grows when it is full, 1.05 to 4. A smaller
  /// factor takes less memory, a larger one makes updates faster. The default
  /// is from appendix C of the paper.
  double growingFactor = 1.2;
};

/// A key of a map and its value.
template <OrderedKey Key, typename Value> struct KeyValue {
  Key key;
  Value value;

  friend bool operator==(const KeyValue &, const KeyValue &) = default;
};

namespace detail {

/// Iterates over elements. Valid until the set or map changes.
template <typename Traits> class ElementIterator {
public:
  using value_type =
      std::conditional_t<Traits::HasValues,
                         KeyValue<typename Traits::Key, typename Traits::Value>,
                         typename Traits::Key>;
  using difference_type = std::ptrdiff_t;
  using iterator_category = std::input_iterator_tag;
  using iterator_concept = std::forward_iterator_tag;
  using pointer = void;
  using reference = value_type;

  ElementIterator() = default;
  explicit ElementIterator(Position<Traits> position) : position(position) {}

  value_type operator*() const {
    if constexpr (Traits::HasValues)
      return {position.key(),
              loadValue<typename Traits::Value>(position.value())};
    else
      return position.key();
  }
  ElementIterator &operator++() {
    position.advance();
    return *this;
  }
  ElementIterator operator++(int) {
    ElementIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const ElementIterator &other) const {
    return position == other.position;
  }

private:
  Position<Traits> position;
};

/// The documentation of PackedSet applies.
template <typename Traits> class PackedBase {
public:
  using Key = typename Traits::Key;
  using Iterator = ElementIterator<Traits>;
  using key_type = Key;
  using value_type = typename Iterator::value_type;
  using size_type = std::size_t;
  using iterator = Iterator;
  using const_iterator = Iterator;

  /// The number of keys.
  std::size_t size() const { return array.size(); }
  bool empty() const { return size() == 0; }

  /// The memory that this takes, in bytes.
  std::size_t bytes() const { return array.bytes() + sizeof(*this); }

  /// Whether a key is there. Takes logarithmic time.
  bool contains(Key key) const { return array.contains(key); }

  /// Searches for many keys, in any order; their cache misses overlap. Sets
  /// `found[i]` to whether `keys[i]` is there; both must have the same size.
  /// Returns the number of keys found.
  std::size_t contains(std::span<const Key> keys, std::span<bool> found) const {
    return array.contains(keys, found);
  }

  /// The lowest and the highest key. There must be a key.
  Key min() const {
    HEDDLE_ASSERT(!empty());
    return array.allLeaves().head(0);
  }
  Key max() const {
    HEDDLE_ASSERT(!empty());
    const auto &leaves = array.allLeaves();
    LeafCursor<Traits> cursor(leaves.view(leaves.size() - 1));
    while (!cursor.isLast())
      cursor.advance();
    return cursor.key();
  }

  /// Erases one key. Returns false if it was not there.
  bool erase(Key key) { return array.erase(key); }

  /// Erases many keys. Returns the number of keys erased.
  std::size_t erase(std::span<const Key> keys) {
    return array.erase(SortedBatch<Traits>(keys));
  }

  /// Erases all keys and frees the memory.
  void clear() { array.clear(); }

  /// All elements, with their keys ascending.
  Iterator begin() const { return Iterator({array.allLeaves(), 0}); }
  Iterator end() const {
    return Iterator({array.allLeaves(), array.allLeaves().size()});
  }

  /// The first element whose key is not below `key`, and the first above it.
  Iterator lowerBound(Key key) const { return Iterator(array.lowerBound(key)); }
  Iterator upperBound(Key key) const {
    Position<Traits> position = array.lowerBound(key);
    if (!position.isEnd() && position.key() == key)
      position.advance();
    return Iterator(position);
  }

  /// Calls `visit` with all elements, ascending.
  template <typename Visit> void map(Visit visit) const {
    for (std::size_t leaf = 0; leaf < array.allLeaves().size(); ++leaf)
      mapLeaf(leaf, visit);
  }

  /// Calls `visit` with all elements on the threads of OpenMP. Each thread
  /// visits ranges of neighbouring elements, ascending within each range.
  template <typename Visit> void parallelMap(Visit visit) const {
    constexpr std::size_t leavesAtOnce = 64;
    const std::size_t leaves = array.allLeaves().size();
    forEachTask((leaves + leavesAtOnce - 1) / leavesAtOnce,
                worthThreads(size()), [&](std::size_t block) {
                  const std::size_t first = block * leavesAtOnce;
                  const std::size_t last =
                      std::min(first + leavesAtOnce, leaves);
                  for (std::size_t leaf = first; leaf < last; ++leaf)
                    mapLeaf(leaf, visit);
                });
  }

  /// Calls `visit`, ascending, with the elements whose keys are in [`first`,
  /// `last`), or with all elements whose keys are at least `first`.
  template <typename Visit>
  void rangeMap(Key first, Key last, Visit visit) const {
    for (auto at = array.lowerBound(first); !at.isEnd() && at.key() < last;
         at.advance())
      call(visit, at.key(), at.value());
  }
  template <typename Visit> void rangeMap(Key first, Visit visit) const {
    for (auto at = array.lowerBound(first); !at.isEnd(); at.advance())
      call(visit, at.key(), at.value());
  }

  /// For tests: describes the first violated invariant; empty if there is none.
  /// Takes time in proportion to the number of elements.
  std::string check() const { return checkLeaves(array.allLeaves(), size()); }

  friend bool operator==(const PackedBase &a, const PackedBase &b) {
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin());
  }

protected:
  explicit PackedBase(const PmaOptions &options)
      : array(options.growingFactor) {}

  PackedArray<Traits> array;

private:
  template <typename Visit>
  static void call(Visit &visit, Key key,
                   [[maybe_unused]] const std::byte *value) {
    if constexpr (Traits::HasValues)
      visit(key, loadValue<typename Traits::Value>(value));
    else
      visit(key);
  }

  template <typename Visit> void mapLeaf(std::size_t leaf, Visit &visit) const {
    LeafCursor<Traits> cursor(array.allLeaves().view(leaf));
    call(visit, cursor.key(), cursor.valueBytes());
    while (!cursor.isLast()) {
      cursor.advance();
      call(visit, cursor.key(), cursor.valueBytes());
    }
  }
};

} // namespace detail
} // namespace heddle::graph

#endif
