//===- pma/Leaves.h - The array itself -------------------------*- C++ -*-===//
//
// Leaves of equal size lie side by side. The codes of a leaf's keys begin near
// its start and its values, if there are any, end at its end, so that both move
// together and their bytes are counted together. How much of a leaf is taken is
// kept beside the leaves rather than marked in them: every key is allowed, and
// many leaves are counted without touching one.
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

/// The value of a key that has none.
struct NoValue {
  friend bool operator==(NoValue, NoValue) = default;
};

/// What kind of leaves there are. All sizes are in bytes.
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

  /// What one element may take at most.
  static constexpr std::size_t MostElementBytes =
      Codec::MostCodeBytes + ValueBytes;

  /// What belongs to the codes in front of them, and what is left for these and
  /// for values.
  static constexpr std::size_t FrontBytes = [] {
    std::size_t front = 0;
    while (Codec::frontBytes(LeafBytes - front) > front)
      front += sizeof(std::uint64_t);
    return front;
  }();
  static constexpr std::size_t DataBytes = LeafBytes - FrontBytes;

  /// What fits. The rest keeps codes, which are written as words, away from
  /// values and from the next leaf, which may be another thread's.
  static constexpr std::size_t Capacity = DataBytes - Codec::Slack;

  /// The highest load between updates: one more element always fits.
  static constexpr std::size_t MostLoad = Capacity - MostElementBytes;

  static_assert(LeafBytes >= 6 * MostElementBytes, "leaves are too small");
  static_assert(LeafBytes <= 32768, "loads are kept in 16 bits");
  static_assert(LeafBytes % 8 == 0, "leaves are copied in words");
};

/// How much of a leaf is taken.
struct LeafFill {
  std::uint16_t codeBytes; ///< by all keys but the first
  std::uint16_t count;     ///< of elements
};

/// The elements of a leaf, wherever they are.
template <typename Traits> struct LeafView {
  typename Traits::Key head;
  const std::byte *codes;
  const std::byte *values;
  std::size_t codeBytes;
  std::size_t count;

  std::size_t load() const { return codeBytes + count * Traits::ValueBytes; }
};

/// Steps through the elements of a leaf, of which there is at least one.
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

  /// Where the current element's value lies.
  const std::byte *valueBytes() const { return value; }

  /// Goes on to the next element, if this is not the last one. Returns how many
  /// bytes it takes.
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

/// A number of leaves, with what lies beside them. Any number of threads may
/// read them, or change different ones.
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
      : memory(bytesFor(count)), fills(count), heads(count), count(count) {}

  Leaves(Leaves &&other) noexcept
      : memory(std::move(other.memory)), fills(std::move(other.fills)),
        heads(std::move(other.heads)), count(std::exchange(other.count, 0)) {}
  Leaves &operator=(Leaves &&other) noexcept {
    memory = std::move(other.memory);
    fills = std::move(other.fills);
    heads = std::move(other.heads);
    count = std::exchange(other.count, 0);
    return *this;
  }

  std::size_t size() const { return count; }
  bool empty() const { return count == 0; }
  std::size_t bytes() const {
    return memory.size() + fills.size() * sizeof(LeafFill) + heads.bytes();
  }

  /// Copies all leaves from others, of which there are as many. In parallel.
  void copyFrom(const Leaves &other) {
    HEDDLE_ASSERT(count == other.count);
#pragma omp parallel for
    for (std::size_t leaf = 0; leaf < count; ++leaf) {
      std::memcpy(start(leaf), other.start(leaf), Traits::LeafBytes);
      fills[leaf] = other.fills[leaf];
      heads.set(leaf, other.heads[leaf]);
    }
  }

  /// Where a leaf begins, and its codes.
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

  /// Where the values of a leaf with so many elements begin.
  std::byte *values(std::size_t leaf, std::size_t elements) {
    return codes(leaf) + Traits::DataBytes - elements * Traits::ValueBytes;
  }
  const std::byte *values(std::size_t leaf, std::size_t elements) const {
    return codes(leaf) + Traits::DataBytes - elements * Traits::ValueBytes;
  }

  /// What is at a place within the leaves, to be changed.
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

  /// The leaf that has `key`, or would have it; there is at least one leaf.
  [[gnu::always_inline]] std::size_t find(Key key) const noexcept {
    return heads.find(key);
  }

  /// What all elements of the leaves from `first` to `last` - 1 take. In
  /// parallel if these are many.
  std::size_t load(std::size_t first, std::size_t last) const {
    HEDDLE_ASSERT(first <= last && last <= count);
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
  std::size_t count = 0;
};

/// Reads a value that lies anywhere.
template <typename Value> Value loadValue(const std::byte *from) {
  Value value{};
  if constexpr (!std::is_same_v<Value, NoValue>)
    std::memcpy(&value, from, sizeof(value));
  return value;
}

/// Writes a value anywhere.
template <typename Value> void storeValue(std::byte *to, Value value) {
  if constexpr (!std::is_same_v<Value, NoValue>)
    std::memcpy(to, &value, sizeof(value));
}

} // namespace heddle::graph::detail

#endif
