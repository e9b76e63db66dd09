//===- GrowingArray.h - An array whose size shows as it is read -*- C++ -*-===//
//
// The number of elements is known only at the end of a file, and a header may
// be wrong. The capacity is therefore estimated from the part that has been
// read. Pages that are never touched take no memory, so that too much capacity
// costs nothing, and with a fair estimate nothing is ever copied.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPHLIB_FILES_GROWINGARRAY_H
#define HEDDLE_GRAPHLIB_FILES_GROWINGARRAY_H

#include "heddle/graph/detail/Array.h"

#include <algorithm>
#include <cstddef>
#include <new>
#include <utility>

namespace heddle::graph {

template <typename T> class GrowingArray {
public:
  std::size_t size() const { return used; }
  T &operator[](std::size_t index) { return elements[index]; }
  const T &operator[](std::size_t index) const { return elements[index]; }

  /// Whether `count` more elements fit without moving the present ones.
  bool hasRoom(std::size_t count) const {
    return count <= elements.size() - used;
  }

  /// Appends `count` elements of undefined value and returns the first. If the
  /// capacity is too small, it grows to `expectedSize` elements.
  T *extend(std::size_t count, std::size_t expectedSize) {
    if (!hasRoom(count)) {
      const std::size_t enough = used + std::max(count, used / 2);
      Array<T> larger = allocate(std::max(enough, expectedSize), enough);
      std::copy(elements.begin(), elements.begin() + used, larger.begin());
      elements = std::move(larger);
    }
    T *first = elements.data() + used;
    used += count;
    return first;
  }

  /// Moves the elements out of this array.
  Array<T> take() {
    elements.shrink(used);
    used = 0;
    return std::move(elements);
  }

private:
  /// Allocates `expected` elements, or only `enough` if memory is short: an
  /// estimate may be far too high.
  static Array<T> allocate(std::size_t expected, std::size_t enough) {
    try {
      return Array<T>(expected);
    } catch (const std::bad_alloc &) {
      return Array<T>(enough);
    }
  }

  Array<T> elements;
  std::size_t used = 0;
};

} // namespace heddle::graph

#endif
