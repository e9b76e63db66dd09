//===- array.h - Arrays on pages of a chosen size ---------------*- C++ -*-===//
//
// Memory comes zeroed from mmap, aligned to 2 MB, and asks for huge pages or
// explicitly for small ones, so that both builds are compared on equal terms.
//
//===----------------------------------------------------------------------===//

#ifndef GRAPH_INPUT_ARRAY_H
#define GRAPH_INPUT_ARRAY_H

#include <cstdint>
#include <new>
#include <sys/mman.h>
#include <utility>

enum class Pages { Small, Huge };

/// The page size of all arrays made from here on. Set once, before any is made.
inline Pages arrayPages = Pages::Huge;

template <typename T> class Array {
public:
  Array() = default;

  explicit Array(int64_t count) : count(count), bytes(roundUp(count)) {
    // One huge page more than needed, to align within; untouched pages cost
    // nothing.
    mapping = mmap(nullptr, bytes + HugePage, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapping == MAP_FAILED) {
      mapping = nullptr;
      throw std::bad_alloc();
    }
    uintptr_t start = reinterpret_cast<uintptr_t>(mapping);
    first = reinterpret_cast<T *>((start + HugePage - 1) & ~(HugePage - 1));
    madvise(first, bytes,
            arrayPages == Pages::Huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
  }

  Array(Array &&other) noexcept { swap(other); }
  Array &operator=(Array &&other) noexcept {
    Array(std::move(other)).swap(*this);
    return *this;
  }
  ~Array() {
    if (mapping)
      munmap(mapping, bytes + HugePage);
  }

  int64_t size() const { return count; }
  T *data() { return first; }
  const T *data() const { return first; }
  T &operator[](int64_t i) { return first[i]; }
  const T &operator[](int64_t i) const { return first[i]; }
  T *begin() { return first; }
  T *end() { return first + count; }
  const T *begin() const { return first; }
  const T *end() const { return first + count; }

private:
  static constexpr uintptr_t HugePage = uintptr_t(2) << 20;

  static uintptr_t roundUp(int64_t count) {
    return (count * sizeof(T) + HugePage - 1) & ~(HugePage - 1);
  }
  void swap(Array &other) noexcept {
    std::swap(mapping, other.mapping);
    std::swap(first, other.first);
    std::swap(count, other.count);
    std::swap(bytes, other.bytes);
  }

  void *mapping = nullptr;
  T *first = nullptr;
  int64_t count = 0;
  uintptr_t bytes = 0;
};

#endif
