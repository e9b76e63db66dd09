//===- pma/PackedMap.h - Ordered maps in one array -------------*- C++ -*-===//
//
// The set of pma/PackedSet.h with a value of fixed width for each key, which
// the paper leaves as future work. Values lie in the leaf of their keys, in the
// same order, and move with them.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_PMA_PACKEDMAP_H
#define HEDDLE_GRAPH_PMA_PACKEDMAP_H

#include "heddle/graph/pma/PackedSet.h"

#include <optional>

namespace heddle::graph {

/// A key of a map and what it has.
template <OrderedKey Key, typename Value> struct KeyValue {
  Key key;
  Value value;

  friend bool operator==(const KeyValue &, const KeyValue &) = default;
};

/// An ordered map from numbers to values that can be copied byte by byte. It is
/// used through its name Cpma. What is said of PackedSet holds of it too; a key
/// that is there keeps its value, unless insertOrAssign() gives it another.
///
///   Cpma<std::uint64_t, float> weights;
///   weights.insert(entries);
///   if (std::optional<float> weight = weights.find(edge)) ...
template <OrderedKey KeyType, typename ValueType, typename Codec,
          std::size_t LeafBytes>
class PackedMap {
  using Traits = detail::LeafTraits<Codec, ValueType, LeafBytes>;

public:
  using Key = KeyType;
  using Value = ValueType;
  using Entry = KeyValue<Key, Value>;
  using key_type = Key;
  using mapped_type = Value;
  using value_type = Entry;
  using size_type = std::size_t;
  class Iterator;
  using iterator = Iterator;
  using const_iterator = Iterator;

  /// A map without keys, which takes no memory. Throws Error if the growing
  /// factor is out of its range.
  explicit PackedMap(const PmaOptions &options = {})
      : array(options.growingFactor) {}

  /// The map of some entries, in any order; of those with the same key, the
  /// first counts. Throws like the other constructor, and std::bad_alloc.
  explicit PackedMap(std::span<const Entry> entries,
                     const PmaOptions &options = {})
      : array(options.growingFactor) {
    insert(entries);
  }

  /// How many keys there are.
  std::size_t size() const { return array.size(); }
  bool empty() const { return size() == 0; }

  /// How many bytes of memory the map takes.
  std::size_t bytes() const { return array.bytes() + sizeof(*this); }

  /// Searches for one key, in logarithmic time.
  bool contains(Key key) const { return array.contains(key); }
  std::optional<Value> find(Key key) const {
    const std::byte *value = array.find(key);
    return value ? std::optional(detail::loadValue<Value>(value))
                 : std::nullopt;
  }

  /// Inserts one key. False if it was there already; it keeps its value then.
  bool insert(Key key, Value value) { return array.insert(key, value); }

  /// Gives a key a value, whether it was there or not. False if it was.
  bool insertOrAssign(Key key, Value value) {
    if (const std::byte *old = array.find(key)) {
      array.assign(old, value);
      return false;
    }
    return array.insert(key, value);
  }

  /// Erases one key. False if it was not there.
  bool erase(Key key) { return array.erase(key); }

  /// Inserts many keys, of which the first of those that are the same counts.
  /// Returns how many were not there.
  std::size_t insert(std::span<const Entry> entries) {
    return array.insert(detail::SortedBatch<Traits>(entries));
  }

  /// Erases many keys. Returns how many were there.
  std::size_t erase(std::span<const Key> keys) {
    return array.erase(detail::SortedBatch<Traits>(keys));
  }

  /// Erases all keys and gives the memory back.
  void clear() { array.clear(); }

  /// All entries, with their keys ascending.
  Iterator begin() const { return {{array.allLeaves(), 0}}; }
  Iterator end() const {
    return {{array.allLeaves(), array.allLeaves().size()}};
  }

  /// The first entry whose key is not below `key`.
  Iterator lowerBound(Key key) const { return {array.lowerBound(key)}; }

  /// Calls `visit` with all keys and values, ascending.
  template <typename Visit> void map(Visit visit) const { rangeMap(0, visit); }

  /// Calls `visit` with the keys from `first` on that are below `last`, or with
  /// all from `first` on, ascending, and with their values.
  template <typename Visit>
  void rangeMap(Key first, Key last, Visit visit) const {
    for (auto at = array.lowerBound(first); !at.isEnd() && at.key() < last;
         at.advance())
      visit(at.key(), detail::loadValue<Value>(at.value()));
  }
  template <typename Visit> void rangeMap(Key first, Visit visit) const {
    for (auto at = array.lowerBound(first); !at.isEnd(); at.advance())
      visit(at.key(), detail::loadValue<Value>(at.value()));
  }

  /// What is wrong with the map, or nothing: for tests. Takes time in
  /// proportion to its size.
  std::string check() const {
    return detail::checkLeaves(array.allLeaves(), size());
  }

  friend bool operator==(const PackedMap &a, const PackedMap &b) {
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin());
  }

private:
  detail::PackedArray<Traits> array;
};

/// Goes over the entries of a map. Valid until the map changes.
template <OrderedKey KeyType, typename ValueType, typename Codec,
          std::size_t LeafBytes>
class PackedMap<KeyType, ValueType, Codec, LeafBytes>::Iterator {
public:
  using value_type = Entry;
  using difference_type = std::ptrdiff_t;
  using iterator_category = std::input_iterator_tag;
  using iterator_concept = std::forward_iterator_tag;
  using pointer = void;
  using reference = Entry;

  Iterator() = default;
  Iterator(detail::Position<Traits> position) : position(position) {}

  Entry operator*() const {
    return {position.key(), detail::loadValue<ValueType>(position.value())};
  }
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
