//===- pma/ElementIterator.h - Places in an array --------------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_DETAIL_PMA_ELEMENTITERATOR_H
#define HEDDLE_GRAPH_DETAIL_PMA_ELEMENTITERATOR_H

#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/pma/Leaves.h"

#include <cstddef>
#include <iterator>
#include <type_traits>

namespace heddle::graph {

/// A key of a map and its value.
template <OrderedKey Key, typename Value> struct KeyValue {
  Key key;
  Value value;

  friend bool operator==(const KeyValue &, const KeyValue &) = default;
};

namespace detail {

/// Iterates over elements: the keys of a set, the keys and values of a map.
/// Valid until the set or map changes.
template <typename Traits> class ElementIterator {
  using Key = typename Traits::Key;
  using Value = typename Traits::Value;

public:
  using value_type =
      std::conditional_t<Traits::HasValues, KeyValue<Key, Value>, Key>;
  using difference_type = std::ptrdiff_t;
  using iterator_category = std::input_iterator_tag;
  using iterator_concept = std::forward_iterator_tag;
  using pointer = void;
  using reference = value_type;

  ElementIterator() = default;

  /// The first element of a leaf, or the end if there is no such leaf.
  ElementIterator(const Leaves<Traits> &leaves, std::size_t leaf)
      : leaves(&leaves), leaf(leaf) {
    enter();
  }

  Key key() const { return cursor.key(); }
  const std::byte *valueBytes() const { return cursor.valueBytes(); }
  bool isEnd() const { return leaf == leaves->size(); }

  value_type operator*() const {
    if constexpr (Traits::HasValues)
      return {key(), loadValue<Value>(valueBytes())};
    else
      return key();
  }
  ElementIterator &operator++() {
    HEDDLE_ASSERT(!isEnd());
    if (cursor.isLast()) {
      ++leaf;
      enter();
    } else {
      cursor.advance();
      ++index;
    }
    return *this;
  }
  ElementIterator operator++(int) {
    ElementIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const ElementIterator &other) const {
    return leaf == other.leaf && index == other.index;
  }

private:
  void enter() {
    index = 0;
    if (leaf < leaves->size())
      cursor = LeafCursor<Traits>(leaves->view(leaf));
  }

  const Leaves<Traits> *leaves = nullptr;
  std::size_t leaf = 0, index = 0;
  LeafCursor<Traits> cursor;
};

} // namespace detail
} // namespace heddle::graph

#endif
