//===- pma/PackedMap.h - Ordered maps in one array -------------*- C++ -*-===//
//
// The set of pma/PackedSet.h with a value of fixed width for each key, which
// the paper leaves as future work. Values lie in the leaf of their keys, in the
// same order, and move with them.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_PMA_PACKEDMAP_H
#define HEDDLE_GRAPH_DETAIL_PMA_PACKEDMAP_H

#include "heddle/graph/detail/pma/PackedBase.h"

#include <cstddef>
#include <optional>
#include <span>

namespace heddle::graph {

/// An ordered map from numbers to values that can be copied byte by byte. It is
/// used through its name Cpma. What is said of PackedSet holds of it too. Key
/// by key or many at once, insert() leaves a key that is there its value, and
/// insertOrAssign() gives it another: of equal keys in a batch, the first
/// counts for one, the last for the other.
///
///   Cpma<std::uint64_t, float> weights;
///   weights.insert(entries);
///   if (std::optional<float> weight = weights.find(edge)) ...
template <OrderedKey KeyType, typename ValueType, typename Codec,
          std::size_t LeafBytes>
class PackedMap : public detail::PackedBase<
                      detail::LeafTraits<Codec, ValueType, LeafBytes>> {
  using Traits = detail::LeafTraits<Codec, ValueType, LeafBytes>;
  using Base = detail::PackedBase<Traits>;
  using Base::array;

public:
  using Key = KeyType;
  using Value = ValueType;
  using Entry = KeyValue<Key, Value>;
  using mapped_type = Value;

  /// A map without keys, which takes no memory. Throws Error if the growing
  /// factor is out of its range.
  explicit PackedMap(const PmaOptions &options = {}) : Base(options) {}

  /// The map of some entries, in any order; of those with the same key, the
  /// first counts. Throws like the other constructor, and std::bad_alloc.
  explicit PackedMap(std::span<const Entry> entries,
                     const PmaOptions &options = {})
      : Base(options) {
    insert(entries);
  }

  /// The value of a key, if it is there.
  std::optional<Value> find(Key key) const {
    const std::byte *value = array.find(key);
    return value ? std::optional(detail::loadValue<Value>(value))
                 : std::nullopt;
  }

  /// Searches for many keys in any order, of which the waiting times overlap.
  /// `values`, of the same size, gets the value of each, or nothing. Returns
  /// how many keys there are.
  std::size_t find(std::span<const Key> keys,
                   std::span<std::optional<Value>> values) const {
    return array.find(keys, values);
  }

  /// Inserts one key. False if it was there already.
  bool insert(Key key, Value value) { return array.insert(key, value); }

  /// Inserts many keys. Returns how many were not there.
  std::size_t insert(std::span<const Entry> entries) {
    return array.insert(
        detail::SortedBatch<Traits>(entries, detail::WhichOfEqual::First));
  }

  /// Gives a key a value, whether it was there or not. False if it was.
  bool insertOrAssign(Key key, Value value) {
    if (const std::byte *old = array.find(key)) {
      array.assign(old, value);
      return false;
    }
    return array.insert(key, value);
  }

  /// Gives many keys values. Returns how many keys were not there.
  std::size_t insertOrAssign(std::span<const Entry> entries) {
    return array.insertOrAssign(
        detail::SortedBatch<Traits>(entries, detail::WhichOfEqual::Last));
  }
};

} // namespace heddle::graph

#endif
