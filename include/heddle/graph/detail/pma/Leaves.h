//===- pma/Leaves.h - The array itself -------------------------*- C++ -*-===//
//
// Leaves of equal size are adjacent in memory. In a leaf, the codes of its keys
// begin near the start and the values, if any, end at the end, so that keys and
// values share the free space between them. The fill of each leaf is kept in an
// array beside the leaves, not marked in them. So every number is allowed as a
// key, and the elements of many leaves can be counted without touching the
// leaves.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_PMA_LEAVES_H
#define HEDDLE_GRAPH_DETAIL_PMA_LEAVES_H

#include "heddle/graph/detail/Array.h"
#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/pma/Codec.h"
#include "heddle/graph/detail/pma/HeadIndex.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace heddle::graph::detail {

/// The value type of sets.
struct NoValue {
  friend bool operator==(NoValue, NoValue) = default;
};

/// The kind of the leaves of an array. All sizes are in bytes.
template <typename CodecType, typename ValueType, std::size_t LeafSize>
struct LeafTraits {
  using Codec = CodecType;
  using Key = typename Codec::Key;
  using Value = ValueType;

  static_assert(std::is_trivially_copyable_v<Value> &&
                    std::is_trivially_default_constructible_v<Value>,
                "values are moved as bytes");

  static constexpr bool HasValues = !std::is_same_v<Value, NoValue>;
  static constexpr std::size_t LeafBytes = LeafSize;
  static constexpr std::size_t ValueBytes = HasValues ? sizeof(Value) : 0;

  /// The largest size of one element.
  static constexpr std::size_t MostElementBytes =
      Codec::MostCodeBytes + ValueBytes;

  /// The bytes in front of the codes that belong to them (end bits), and the
  /// bytes left for codes and values.
  static constexpr std::size_t FrontBytes = [] {
    std::size_t front = 0;
    while (Codec::frontBytes(LeafBytes - front) > front)
      front += sizeof(std::uint64_t);
    return front;
  }();
  static constexpr std::size_t DataBytes = LeafBytes - FrontBytes;

  /// The bytes of codes and values that fit. The rest is slack: codes are
  /// written in words of eight bytes, which must reach neither values nor the
  /// next leaf, which another thread may be writing.
  static constexpr std::size_t Capacity = DataBytes - Codec::Slack;

  /// The highest load between updates. One more element always fits.
  static constexpr std::size_t MostLoad = Capacity - MostElementBytes;

  static_assert(LeafBytes >= 6 * MostElementBytes, "leaves are too small");
  static_assert(LeafBytes <= 32768, "loads are kept in 16 bits");
  static_assert(LeafBytes % 8 == 0, "leaves are copied in words");
};

/// The fill of a leaf.
struct LeafFill {
  std::uint16_t codeBytes; ///< by all keys but the first
  std::uint16_t count;     ///< of elements
};

/// The elements of a leaf, in the array or copied elsewhere.
template <typename Traits> struct LeafView {
  typename Traits::Key head;
  const std::byte *codes;
  const std::byte *values;
  std::size_t codeBytes;
  std::size_t count;

  std::size_t load() const { return codeBytes + count * Traits::ValueBytes; }
};

/// Steps through the elements of a leaf that is not empty.
template <typename Traits> class LeafCursor {
public:
  using Key = typename Traits::Key;
  using Value = typename Traits::Value;

  LeafCursor() = default;
  explicit LeafCursor(const LeafView<Traits> &leaf)
      : current(leaf.head), left(leaf.count), codes(leaf.codes),
        value(leaf.values) {
    HEDDLE_ASSERT(leaf.count > 0);
  }

  Key key() const { return current; }
  bool isLast() const { return left == 1; }

  /// The address of the current element's value.
  const std::byte *valueBytes() const { return value; }

  /// Goes on to the next element; this must not be the last one. Returns the
  /// size of the next element in bytes.
  std::size_t advance() {
    HEDDLE_ASSERT(left > 1);
    const std::size_t before = codes.position();
    codes.next(current);
    value += Traits::ValueBytes;
    --left;
    return codes.position() - before + Traits::ValueBytes;
  }

private:
  Key current = 0;
  std::size_t left = 0;
  typename Traits::Codec::Reader codes;
  const std::byte *value = nullptr;
};

/// The leaves of an array with their fills and heads. Any number of threads may
/// read them, or change different leaves.
template <typename TraitsType> class Leaves {
public:
  using Traits = TraitsType;
  using Key = typename Traits::Key;
  using Value = typename Traits::Value;
  using Codec = typename Traits::Codec;
  using View = LeafView<Traits>;

  Leaves() = default;

  /// Leaves of undefined content. Throws std::bad_alloc.
  explicit Leaves(std::size_t count)
      : memory(bytesFor(count)), fills(count), heads(count) {}

  /// Copies all leaves, in parallel. Throws std::bad_alloc.
  Leaves(const Leaves &other) {
    if (other.empty())
      return;
    *this = Leaves(other.size());
#pragma omp parallel for
    for (std::size_t leaf = 0; leaf < size(); ++leaf) {
      std::memcpy(start(leaf), other.start(leaf), Traits::LeafBytes);
      fills[leaf] = other.fills[leaf];
      heads.set(leaf, other.heads[leaf]);
    }
  }
  Leaves(Leaves &&) = default;
  Leaves &operator=(const Leaves &other) {
    if (this != &other)
      *this = Leaves(other);
    return *this;
  }
  Leaves &operator=(Leaves &&) = default;

  std::size_t size() const { return fills.size(); }
  bool empty() const { return fills.empty(); }
  std::size_t bytes() const {
    return memory.size() + fills.size() * sizeof(LeafFill) + heads.bytes();
  }

  /// The addresses of a leaf and of its codes.
  std::byte *start(std::size_t leaf) {
    return memory.data() + leaf * Traits::LeafBytes;
  }
  const std::byte *start(std::size_t leaf) const {
    return memory.data() + leaf * Traits::LeafBytes;
  }
  std::byte *codes(std::size_t leaf) {
    return start(leaf) + Traits::FrontBytes;
  }
  const std::byte *codes(std::size_t leaf) const {
    return start(leaf) + Traits::FrontBytes;
  }

  /// The address of the values of a leaf with `elements` elements.
  std::byte *values(std::size_t leaf, std::size_t elements) {
    return codes(leaf) + Traits::DataBytes - elements * Traits::ValueBytes;
  }
  const std::byte *values(std::size_t leaf, std::size_t elements) const {
    return codes(leaf) + Traits::DataBytes - elements * Traits::ValueBytes;
  }

  /// Returns the same address within the leaves, for writing.
  std::byte *mutableAt(const std::byte *place) {
    HEDDLE_ASSERT(memory.begin() <= place && place < memory.end());
    return memory.data() + (place - memory.data());
  }

  Key head(std::size_t leaf) const { return heads[leaf]; }
  void setHead(std::size_t leaf, Key head) { heads.set(leaf, head); }

  LeafFill &fill(std::size_t leaf) { return fills[leaf]; }
  const LeafFill &fill(std::size_t leaf) const { return fills[leaf]; }
  std::size_t load(std::size_t leaf) const {
    return fills[leaf].codeBytes + fills[leaf].count * Traits::ValueBytes;
  }

  View view(std::size_t leaf) const {
    const LeafFill fill = fills[leaf];
    return {heads[leaf], codes(leaf), values(leaf, fill.count), fill.codeBytes,
            fill.count};
  }

  /// The leaf that has `key` or would have it. There must be a leaf.
  [[gnu::always_inline]] std::size_t find(Key key) const noexcept {
    return heads.find(key);
  }

  /// The bytes that the elements of the leaves `first` to `last` - 1 take. In
  /// parallel if there are many leaves.
  std::size_t load(std::size_t first, std::size_t last) const {
    HEDDLE_ASSERT(first <= last && last <= size());
    constexpr std::size_t manyLeaves = std::size_t(1) << 16;
    std::size_t codeBytes = 0, elements = 0;
    if (last - first < manyLeaves) {
      for (std::size_t leaf = first; leaf < last; ++leaf) {
        codeBytes += fills[leaf].codeBytes;
        elements += fills[leaf].count;
      }
      return codeBytes + elements * Traits::ValueBytes;
    }
#pragma omp parallel for reduction(+ : codeBytes, elements)
    for (std::size_t leaf = first; leaf < last; ++leaf) {
      codeBytes += fills[leaf].codeBytes;
      elements += fills[leaf].count;
    }
    return codeBytes + elements * Traits::ValueBytes;
  }

private:
  static std::size_t bytesFor(std::size_t leaves) {
    if (leaves > SIZE_MAX / 2 / Traits::LeafBytes)
      throw std::bad_alloc();
    return leaves * Traits::LeafBytes;
  }

  Array<std::byte> memory;
  Array<LeafFill> fills;
  HeadIndex<Key> heads;
};

/// The highest key of a leaf that is not empty.
template <typename Traits>
typename Traits::Key lastKey(const LeafView<Traits> &leaf) {
  LeafCursor<Traits> cursor(leaf);
  while (!cursor.isLast())
    cursor.advance();
  return cursor.key();
}

/// Reads a value at an address of any alignment.
template <typename Value> Value loadValue(const std::byte *from) {
  Value value{};
  if constexpr (!std::is_same_v<Value, NoValue>)
    std::memcpy(&value, from, sizeof(value));
  return value;
}

/// Writes a value at an address of any alignment.
template <typename Value> void storeValue(std::byte *to, Value value) {
  if constexpr (!std::is_same_v<Value, NoValue>)
    std::memcpy(to, &value, sizeof(value));
}

} // namespace heddle::graph::detail

#endif
