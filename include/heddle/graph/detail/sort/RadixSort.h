//===- RadixSort.h - Edges by their two ends -------------------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_DETAIL_SORT_RADIXSORT_H
#define HEDDLE_GRAPH_DETAIL_SORT_RADIXSORT_H

#include "heddle/graph/detail/Assert.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace heddle::graph::detail {

/// Sorts values that fit in a cache by some of their bits, a digit at a time
/// from the lowest, keeping the order of those that are equal. One thread's.
template <typename T> class RadixSort {
public:
  static constexpr unsigned DigitBits = 11;

  /// Sorts the `size` values at `values`, of fewer than 2^32; `scratch` has
  /// room for as many.
  RadixSort(T *values, T *scratch, std::size_t size)
      : values(values), from(values), to(scratch), size(size) {
    HEDDLE_ASSERT(size <= UINT32_MAX && (size == 0 || values != scratch));
  }

  /// Sorts by those bits of `key(value)` that are set in `bits`, and those
  /// between them; the fewer digits have any, the better.
  template <typename Key, typename Bits> void sortBy(Key key, Bits bits) {
    for (unsigned shift = 0; bits >> shift != 0; shift += DigitBits) {
      while ((bits >> shift & 1) == 0)
        ++shift;
      sortByDigit([&](const T &value) {
        return static_cast<std::size_t>(key(value) >> shift) & (Digits - 1);
      });
      if (shift + DigitBits >= 8 * sizeof(Bits))
        break;
    }
  }

  /// Brings the values back to where they were.
  void finish() {
    if (from == values)
      return;
    for (std::size_t i = 0; i < size; ++i)
      values[i] = from[i];
    std::swap(from, to);
  }

private:
  static constexpr std::size_t Digits = std::size_t(1) << DigitBits;

  template <typename Digit> void sortByDigit(Digit digit) {
    std::array<std::uint32_t, Digits> place = {};
    for (std::size_t i = 0; i < size; ++i)
      ++place[digit(from[i])];
    std::uint32_t before = 0;
    for (std::uint32_t &count : place)
      before += std::exchange(count, before);
    HEDDLE_ASSERT(before == size);
    for (std::size_t i = 0; i < size; ++i)
      to[place[digit(from[i])]++] = from[i];
    std::swap(from, to);
  }

  T *const values;
  T *from, *to;
  const std::size_t size;
};

} // namespace heddle::graph::detail

#endif
