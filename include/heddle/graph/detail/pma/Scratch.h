//===- pma/Scratch.h - Memory for as long as a function runs ----*- C++ -*-===//
//
// Updates need half a dozen lists, each as long as the batch. For a batch of a
// few keys, allocating these lists would take longer than filling them, so
// short lists are stored within the object, on the stack.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_PMA_SCRATCH_H
#define HEDDLE_GRAPH_DETAIL_PMA_SCRATCH_H

#include "heddle/graph/detail/Array.h"
#include "heddle/graph/detail/Assert.h"

#include <algorithm>
#include <cstddef>

namespace heddle::graph::detail {

/// An array of values, undefined at first. Up to `Few` values are stored in the
/// object itself, more in allocated memory.
template <typename T,
          std::size_t Few = std::clamp<std::size_t>(2048 / sizeof(T), 1, 64)>
class Scratch {
public:
  Scratch() = default;

  /// Throws std::bad_alloc.
  explicit Scratch(std::size_t count) { allocate(count); }

  Scratch(const Scratch &) = delete;
  Scratch &operator=(const Scratch &) = delete;

  /// Sets the size; to be called once. Throws std::bad_alloc.
  void allocate(std::size_t count) {
    if (count > Few) {
      many = Array<T>(count);
      first = many.data();
    }
    this->count = count;
  }

  T *data() { return first; }
  const T *data() const { return first; }
  T &operator[](std::size_t i) {
    HEDDLE_ASSERT(i < count);
    return first[i];
  }
  const T &operator[](std::size_t i) const {
    HEDDLE_ASSERT(i < count);
    return first[i];
  }
  T *begin() { return first; }
  T *end() { return first + count; }
  const T *begin() const { return first; }
  const T *end() const { return first + count; }

private:
  T *first = few;
  std::size_t count = 0;
  Array<T> many;
  T few[Few];
};

} // namespace heddle::graph::detail

#endif
