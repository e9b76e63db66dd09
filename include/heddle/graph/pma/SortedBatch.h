//===- pma/SortedBatch.h - What a batch has, in order ----------*- C++ -*-===//
//
// A caller's batch may be in any order, have keys more than once, and is not
// changed. Updates want each key once, ascending. What comes like that is used
// as it is; anything else is copied and sorted by its digits, of which those
// that all keys share cost nothing.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_PMA_SORTEDBATCH_H
#define HEDDLE_GRAPH_PMA_SORTEDBATCH_H

#include "heddle/graph/VertexArray.h"
#include "heddle/graph/pma/Leaves.h"
#include "heddle/graph/pma/Scratch.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace heddle::graph::detail {

/// Sorts elements by their keys, keeping the order of those with the same.
/// `keyOf(element)` is a number without sign. Runs on the threads of OpenMP.
template <typename Element, typename KeyOf> class DigitSort {
public:
  /// There is at least one element, and `scratch` has room for as many. Throws
  /// std::bad_alloc.
  DigitSort(std::span<Element> elements, std::span<Element> scratch,
            KeyOf keyOf)
      : from(elements), to(scratch), keyOf(keyOf),
        blocks(std::clamp<std::size_t>(elements.size() / LeastBlock, 1,
                                       MostBlocks)),
        counts(blocks) {}

  /// Where the sorted elements are: in the scratch, or where they were.
  std::span<Element> run() {
    const auto differing = differingBits();
    for (unsigned shift = 0; shift < 8 * sizeof(differing); shift += DigitBits)
      if ((differing >> shift) % Digits != 0) {
        sortByDigit(shift);
        std::swap(from, to);
      }
    return from;
  }

private:
  static constexpr unsigned DigitBits = 8;
  static constexpr std::size_t Digits = std::size_t(1) << DigitBits;
  static constexpr std::size_t LeastBlock = std::size_t(1) << 14;
  static constexpr std::size_t MostBlocks = 64;
  using Counts = std::array<std::size_t, Digits>;

  std::size_t blockBegin(std::size_t block) const {
    return from.size() / blocks * block + std::min(block, from.size() % blocks);
  }

  auto differingBits() const {
    const auto first = keyOf(from[0]);
    std::uint64_t bits = 0;
#pragma omp parallel for reduction(| : bits) if (blocks > 1)
    for (std::size_t i = 0; i < from.size(); ++i)
      bits |= keyOf(from[i]) ^ first;
    return bits;
  }

  void sortByDigit(unsigned shift) {
    const auto digitOf = [&](const Element &element) {
      return static_cast<std::size_t>(keyOf(element) >> shift) % Digits;
    };
#pragma omp parallel for if (blocks > 1)
    for (std::size_t block = 0; block < blocks; ++block) {
      counts[block].fill(0);
      for (std::size_t i = blockBegin(block); i < blockBegin(block + 1); ++i)
        ++counts[block][digitOf(from[i])];
    }
    std::size_t before = 0;
    for (std::size_t digit = 0; digit < Digits; ++digit)
      for (std::size_t block = 0; block < blocks; ++block)
        before += std::exchange(counts[block][digit], before);
#pragma omp parallel for if (blocks > 1)
    for (std::size_t block = 0; block < blocks; ++block) {
      Counts place = counts[block];
      for (std::size_t i = blockBegin(block); i < blockBegin(block + 1); ++i)
        to[place[digitOf(from[i])]++] = from[i];
    }
  }

  std::span<Element> from, to;
  const KeyOf keyOf;
  const std::size_t blocks;
  Array<Counts> counts;
};

/// Sorts `elements` by their keys, keeping the order of those with the same, by
/// merging ever longer runs. `scratch` has room for as many. Returns where they
/// are afterwards, which is one or the other.
template <typename Element, typename Less>
std::span<Element> mergeSort(std::span<Element> elements,
                             std::span<Element> scratch, Less less) {
  constexpr std::size_t shortRun = 8;
  const std::size_t size = elements.size();
  for (std::size_t i = 1; i < size; ++i)
    for (std::size_t k = i; k % shortRun != 0; --k) {
      if (!less(elements[k], elements[k - 1]))
        break;
      std::swap(elements[k], elements[k - 1]);
    }
  for (std::size_t run = shortRun; run < size; run *= 2) {
    for (std::size_t begin = 0; begin < size; begin += 2 * run) {
      const auto first = elements.begin() + begin;
      const auto middle = elements.begin() + std::min(begin + run, size);
      const auto last = elements.begin() + std::min(begin + 2 * run, size);
      std::merge(first, middle, middle, last, scratch.begin() + begin, less);
    }
    std::swap(elements, scratch);
  }
  return elements;
}

/// Sorts `elements` by their keys, keeping the order of those with the same.
/// Like mergeSort(), but faster if there are many. Throws std::bad_alloc.
template <typename Element, typename KeyOf>
std::span<Element> sortByKey(std::span<Element> elements,
                             std::span<Element> scratch, KeyOf keyOf) {
  constexpr std::size_t fewElements = 512;
  if (elements.size() > fewElements)
    return DigitSort<Element, KeyOf>(elements, scratch, keyOf).run();
  return mergeSort(elements, scratch, [&](const Element &a, const Element &b) {
    return keyOf(a) < keyOf(b);
  });
}

/// Whether `precedes(i)` is true of all i from 1 to `size` - 1.
template <typename Precedes>
bool holdsForAll(std::size_t size, Precedes precedes) {
  const std::size_t few = std::min<std::size_t>(size, 1024);
  for (std::size_t i = 1; i < few; ++i)
    if (!precedes(i))
      return false;
  bool holds = true;
  if (few == size)
    return true;
#pragma omp parallel for reduction(&& : holds)
  for (std::size_t i = few; i < size; ++i)
    holds = holds && precedes(i);
  return holds;
}

/// Which value of a batch a key has that comes more than once.
enum class WhichOfEqual { First, Last };

/// The keys of a batch, strictly ascending, with their values.
template <typename Traits> class SortedBatch {
public:
  using Key = typename Traits::Key;
  using Value = typename Traits::Value;

  /// Keys without values. They must stay as long as this. Throws
  /// std::bad_alloc.
  explicit SortedBatch(std::span<const Key> batch)
      : first(batch.data()), count(batch.size()) {
    if (holdsForAll(count,
                    [&](std::size_t i) { return batch[i - 1] < batch[i]; }))
      return;
    keys.allocate(count);
    std::copy(batch.begin(), batch.end(), keys.begin());
    if (!std::is_sorted(keys.begin(), keys.end())) {
      Scratch<Key> scratch(count);
      const auto identity = [](Key key) { return key; };
      const std::span<Key> sorted =
          sortByKey(std::span(keys.data(), count),
                    std::span(scratch.data(), count), identity);
      if (sorted.data() != keys.data())
        keys.take(scratch);
    }
    count = static_cast<std::size_t>(std::unique(keys.begin(), keys.end()) -
                                     keys.begin());
    first = keys.data();
  }

  /// Keys with values, as elements with a `key` and a `value`. Throws
  /// std::bad_alloc.
  template <typename Entry>
  SortedBatch(std::span<const Entry> batch, WhichOfEqual which)
      : count(batch.size()) {
    Scratch<Entry> entries(count), scratch(count);
    std::span<Entry> sorted(entries.data(), count);
    if (holdsForAll(count, [&](std::size_t i) {
          return batch[i - 1].key < batch[i].key;
        })) {
      std::copy(batch.begin(), batch.end(), entries.begin());
    } else {
      // Sorting keeps the order of what is equal.
      if (which == WhichOfEqual::First)
        std::copy(batch.begin(), batch.end(), entries.begin());
      else
        std::reverse_copy(batch.begin(), batch.end(), entries.begin());
      sorted = sortByKey(sorted, std::span(scratch.data(), count),
                         [](const Entry &entry) { return entry.key; });
    }
    const auto last = std::unique(
        sorted.begin(), sorted.end(),
        [](const Entry &a, const Entry &b) { return a.key == b.key; });
    count = static_cast<std::size_t>(last - sorted.begin());
    keys.allocate(count);
    values.allocate(count);
    for (std::size_t i = 0; i < count; ++i) {
      keys[i] = sorted[i].key;
      values[i] = sorted[i].value;
    }
    first = keys.data();
  }

  std::size_t size() const { return count; }
  const Key *begin() const { return first; }
  const Key *end() const { return first + count; }
  Key operator[](std::size_t i) const { return first[i]; }

  /// Where the value of a key lies.
  const std::byte *value(std::size_t i) const {
    return reinterpret_cast<const std::byte *>(values.data()) +
           i * Traits::ValueBytes;
  }

private:
  const Key *first;
  std::size_t count;
  Scratch<Key> keys;     ///< if they are not the caller's
  Scratch<Value> values; ///< if there are any
};

} // namespace heddle::graph::detail

#endif
