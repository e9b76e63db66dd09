//===- RadixSort.h - Edges by their two ends -------------------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_DETAIL_SORT_RADIXSORT_H
#define HEDDLE_GRAPH_DETAIL_SORT_RADIXSORT_H

#include "heddle/graph/detail/Assert.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace heddle::graph::detail {

/// A stable, serial radix sort, from the lowest digit, of values that fit in a
/// cache.
template <typename T> class RadixSort {
public:
  static constexpr unsigned DigitBits = 11;

  /// Sorts the `size` values at `values`, of fewer than 2^32; `scratch` has
  /// room for as many.
  RadixSort(T *values, T *scratch, std::size_t size)
      : values(values), from(values), to(scratch), size(size) {
    HEDDLE_ASSERT(size <= UINT32_MAX && (size == 0 || values != scratch));
  }

  /// Sorts by the bits of `key(value)` that are set in `bits`, and possibly by
  /// others between these. Takes a pass for each digit of 11 bits with a bit in
  /// `bits`.
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

  /// Moves the sorted values to `values`, if they are in the scratch space.
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
