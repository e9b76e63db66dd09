//===- Array.h - Arrays on huge pages --------------------------*- C++ -*-===//
//
// Loops over a graph access arrays of vertices and edges at random. Memory
// comes from heddle_remote_alloc, which uses huge pages, so that these accesses
// miss the caches but not the TLB too. It is left uninitialised, so that the
// threads which fill an array are the first to touch its pages. Arrays may also
// be in a mapped file.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_ARRAY_H
#define HEDDLE_GRAPH_DETAIL_ARRAY_H

#include "heddle/graph/detail/Assert.h"
#include "heddle/heddle.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace heddle::graph {

/// A number that becomes 0 when it is moved from: with it beside arrays, a
/// class needs no functions of its own to be moved.
template <typename T> class ZeroWhenMoved {
public:
  ZeroWhenMoved(T number = {}) : number(number) {}
  ZeroWhenMoved(const ZeroWhenMoved &) = default;
  ZeroWhenMoved(ZeroWhenMoved &&other) noexcept
      : number(std::exchange(other.number, T())) {}
  ZeroWhenMoved &operator=(const ZeroWhenMoved &) = default;
  ZeroWhenMoved &operator=(ZeroWhenMoved &&other) noexcept {
    number = std::exchange(other.number, T());
    return *this;
  }
  operator T &() { return number; }
  operator const T &() const { return number; }

private:
  T number;
};

/// A fixed number of values in memory that the array owns. Elements may be read
/// and written by many threads as in any array; moving and destroying are for
/// one thread at a time.
///
///   Array<float> rank(graph.vertexCount());
template <typename T> class Array {
  static_assert(std::is_trivially_copyable_v<T> &&
                    std::is_trivially_default_constructible_v<T>,
                "elements are neither constructed nor destroyed");
  static_assert(alignof(T) <= 64, "blocks are aligned to 64 bytes");

public:
  using value_type = T;

  /// An array without elements; costs nothing.
  Array() = default;

  /// `count` elements of undefined value. Throws std::bad_alloc if there is no
  /// memory for them or their size in bytes is not a size_t. From 1 MiB up this
  /// takes a few system calls for any size.
  explicit Array(std::size_t count) : first(allocate(count)), count(count) {}

  /// `count` elements in memory that `owner` owns, for example a mapped file.
  /// The array keeps `owner` alive. The memory must be writable.
  Array(T *first, std::size_t count, std::shared_ptr<const void> owner)
      : first(first), count(count), owner(std::move(owner)) {
    HEDDLE_ASSERT(this->owner && (first || count == 0));
  }

  Array(Array &&other) noexcept
      : first(std::exchange(other.first, nullptr)),
        count(std::exchange(other.count, 0)), owner(std::move(other.owner)) {}
  Array &operator=(Array &&other) noexcept {
    Array taken(std::move(other));
    std::swap(first, taken.first);
    std::swap(count, taken.count);
    std::swap(owner, taken.owner);
    return *this;
  }
  ~Array() {
    if (!owner)
      heddle_remote_free(first);
  }

  /// Drops the elements from `size` on, in constant time. Their memory stays
  /// allocated; pages that were never touched take no physical memory.
  void shrink(std::size_t size) {
    if (size < count)
      count = size;
  }

  std::size_t size() const { return count; }
  bool empty() const { return count == 0; }
  T *data() { return first; }
  const T *data() const { return first; }
  T &operator[](std::size_t index) { return first[index]; }
  const T &operator[](std::size_t index) const { return first[index]; }
  T *begin() { return first; }
  T *end() { return first + count; }
  const T *begin() const { return first; }
  const T *end() const { return first + count; }

private:
  static T *allocate(std::size_t count) {
    if (count == 0)
      return nullptr;
    if (count > SIZE_MAX / sizeof(T))
      throw std::bad_alloc();
    void *block = heddle_remote_alloc(count * sizeof(T));
    if (!block)
      throw std::bad_alloc();
    return static_cast<T *>(block);
  }

  T *first = nullptr;
  std::size_t count = 0;
  std::shared_ptr<const void>
      owner; ///< of the memory; null if the array owns it
};

} // namespace heddle::graph

#endif
