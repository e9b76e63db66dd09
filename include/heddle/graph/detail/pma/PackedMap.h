//===- pma/PackedMap.h - Ordered maps in one array -------------*- C++ -*-===//
//
// The set of pma/PackedSet.h with a value of fixed width for each key, which
// the paper leaves as future work. Values are stored in the same leaf as their
// keys, in the same order, and move with them.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_PMA_PACKEDMAP_H
#define HEDDLE_GRAPH_DETAIL_PMA_PACKEDMAP_H

#include "heddle/graph/detail/pma/PackedArray.h"

#include <cstddef>
#include <optional>
#include <span>

namespace heddle::graph {

/// An ordered map from unsigned numbers to trivially copyable values. Use it by
/// its name Cpma. The documentation of PackedSet applies. insert() does not
/// change the values of existing keys; insertOrAssign() does. If a batch has a
/// key more than once, insert() takes its first value and insertOrAssign() its
/// last.
///
///   Cpma<std::uint64_t, float> weights;
///   weights.insert(entries);
///   if (std::optional<float> weight = weights.find(edge)) ...
template <OrderedKey KeyType, typename ValueType, typename Codec,
          std::size_t LeafBytes>
class PackedMap : public detail::PackedArray<
                      detail::LeafTraits<Codec, ValueType, LeafBytes>> {
  using Traits = detail::LeafTraits<Codec, ValueType, LeafBytes>;
  using Base = detail::PackedArray<Traits>;

public:
  using Key = KeyType;
  using Value = ValueType;
  using Entry = KeyValue<Key, Value>;
  using mapped_type = Value;

  /// An empty map, which takes no memory. Throws Error if the growing factor is
  /// not within 1.05 to 4.
  explicit PackedMap(const PmaOptions &options = {}) : Base(options) {}

  /// The map of `entries`, which may be in any order; of entries with the same
  /// key, the first counts. Throws like the other constructor, and
  /// std::bad_alloc.
  explicit PackedMap(std::span<const Entry> entries,
                     const PmaOptions &options = {})
      : Base(options) {
    insert(entries);
  }

  /// The value of a key, if it is there. Takes logarithmic time.
  std::optional<Value> find(Key key) const {
    const std::byte *value = Base::find(key);
    return value ? std::optional(detail::loadValue<Value>(value))
                 : std::nullopt;
  }

  /// Searches for many keys, in any order; their cache misses overlap. Sets
  /// `values[i]` to the value of `keys[i]`, or to nullopt; both must have the
  /// same size. Returns the number of keys found.
  std::size_t find(std::span<const Key> keys,
                   std::span<std::optional<Value>> values) const {
    return Base::find(keys, values);
  }

  /// Inserts one key. Returns false if it was there.
  bool insert(Key key, Value value) { return Base::insert(key, value); }

  /// Inserts many keys. Returns the number of keys inserted.
  std::size_t insert(std::span<const Entry> entries) {
    return Base::insert(
        detail::SortedBatch<Traits>(entries, detail::WhichOfEqual::First));
  }

  /// Inserts a key or replaces its value. Returns whether it was inserted.
  bool insertOrAssign(Key key, Value value) {
    if (const std::byte *old = Base::find(key)) {
      Base::assign(old, value);
      return false;
    }
    return Base::insert(key, value);
  }

  /// Inserts many keys or replaces their values. Returns the number of keys
  /// inserted.
  std::size_t insertOrAssign(std::span<const Entry> entries) {
    return Base::insertOrAssign(
        detail::SortedBatch<Traits>(entries, detail::WhichOfEqual::Last));
  }
};

} // namespace heddle::graph

#endif
