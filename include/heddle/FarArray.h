//===- FarArray.h - Far memory for classes ----------------------*- C++ -*-===//
//
// In C++, a pointer to far memory (heddle/far.h) serves numbers and members of
// structures only, since a member function expects its object in memory.
// heddle::far<T> is such a pointer for any class that is copied byte by byte:
//
//   heddle::FarArray<std::complex<double>> field("field.bin",
//                                                HEDDLE_FAR_UPDATE);
//   #pragma heddle async
//   for (std::size_t i = 0; i < count; ++i)
//     field[index[i]] += std::conj(value[i]);
//
// An element is copied to be read, and copied back to be changed.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_FARARRAY_H
#define HEDDLE_FARARRAY_H

#include "heddle/far.h"

#include <cerrno>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>

namespace heddle {

/// One element of far memory. Converts to its value, which get() returns as
/// well, for templates that do not convert; an assignment stores. As with any
/// pointer, no other task of the thread runs between the load and the store of
/// an update.
template <typename T> class FarReference {
public:
  using Value = std::remove_const_t<T>;
  static_assert(std::is_trivially_copyable_v<Value>,
                "far memory has bytes, which are copied");

  explicit FarReference(heddle_far T *at) : at(at) {}
  FarReference(const FarReference &) = default;

  Value get() const {
    Value value;
    __builtin_memcpy(&value, at, sizeof value);
    return value;
  }
  operator Value() const { return get(); }

  FarReference &operator=(const Value &value) {
    __builtin_memcpy(at, &value, sizeof value);
    return *this;
  }
  FarReference &operator=(const FarReference &other) {
    return *this = other.get();
  }

  template <typename U> FarReference &operator+=(const U &other) {
    return *this = get() + other;
  }
  template <typename U> FarReference &operator-=(const U &other) {
    return *this = get() - other;
  }
  template <typename U> FarReference &operator*=(const U &other) {
    return *this = get() * other;
  }

  friend bool operator==(const FarReference &a, const Value &b) {
    return a.get() == b;
  }
  friend bool operator==(const FarReference &a, const FarReference &b) {
    return a.get() == b.get();
  }
  friend void swap(FarReference a, FarReference b) {
    const Value value = a.get();
    a = b.get();
    b = value;
  }

private:
  heddle_far T *at;
};

/// A pointer to far memory, and a random access iterator over it.
template <typename T> class far {
public:
  using value_type = std::remove_const_t<T>;
  using difference_type = std::ptrdiff_t;
  using reference = FarReference<T>;
  using pointer = heddle_far T *;
  using iterator_category = std::random_access_iterator_tag;

  far() : at(nullptr) {}
  explicit far(heddle_far T *at) : at(at) {}
  /// A pointer to a variable is also a pointer to a constant.
  operator far<const T>() const { return far<const T>(at); }

  /// The pointer as the compiler knows it, for members that are numbers and for
  /// atomic accesses to them: __atomic_fetch_add(&p->count, 1,
  /// __ATOMIC_RELAXED).
  heddle_far T *get() const { return at; }
  heddle_far T *operator->() const { return at; }
  explicit operator bool() const { return at != nullptr; }

  reference operator*() const { return reference(at); }
  reference operator[](std::ptrdiff_t distance) const {
    return reference(at + distance);
  }

  far &operator+=(std::ptrdiff_t distance) {
    at += distance;
    return *this;
  }
  far &operator-=(std::ptrdiff_t distance) { return *this += -distance; }
  far &operator++() { return *this += 1; }
  far &operator--() { return *this -= 1; }
  far operator++(int) { return std::exchange(*this, *this + 1); }
  far operator--(int) { return std::exchange(*this, *this - 1); }

  friend far operator+(far p, std::ptrdiff_t distance) { return p += distance; }
  friend far operator+(std::ptrdiff_t distance, far p) { return p += distance; }
  friend far operator-(far p, std::ptrdiff_t distance) { return p -= distance; }
  friend std::ptrdiff_t operator-(far a, far b) { return a.at - b.at; }
  friend bool operator==(far a, far b) { return a.at == b.at; }
  friend std::strong_ordering operator<=>(far a, far b) {
    return (a - b) <=> std::ptrdiff_t(0);
  }

private:
  heddle_far T *at;
};

/// A region of far memory as an array. The destructor closes it. Members that
/// fail throw std::system_error, or end the program if exceptions are off.
template <typename T> class FarArray {
public:
  /// An array in memory, with undefined contents.
  explicit FarArray(std::size_t count)
      : FarArray(heddle_far_allocate(bytes(count)), "far memory") {}
  /// An array in a file, which heddle_far_open opens; `count` is for a new
  /// file.
  FarArray(const std::string &path, heddle_far_mode mode, std::size_t count = 0)
      : FarArray(heddle_far_open(path.c_str(), mode, bytes(count)),
                 path.c_str()) {}
  FarArray(FarArray &&other) noexcept
      : start(std::exchange(other.start, nullptr)) {}
  FarArray &operator=(FarArray &&other) noexcept {
    std::swap(start, other.start);
    return *this;
  }
  ~FarArray() {
    if (start)
      heddle_far_close(start);
  }

  /// Writes all stores to the file and waits until the device has them.
  void sync() { check(heddle_far_sync(start), "sync of far memory"); }
  /// Closes the array like the destructor, but reports failures.
  void close() {
    check(heddle_far_close(std::exchange(start, nullptr)),
          "close of far memory");
  }

  std::size_t size() const { return heddle_far_size(start) / sizeof(T); }
  far<T> data() const { return far<T>(static_cast<heddle_far T *>(start)); }
  far<T> begin() const { return data(); }
  far<T> end() const { return data() + static_cast<std::ptrdiff_t>(size()); }
  FarReference<T> operator[](std::size_t index) const {
    return data()[static_cast<std::ptrdiff_t>(index)];
  }

private:
  heddle_far void *start;

  FarArray(heddle_far void *start, const char *what) : start(start) {
    check(start ? 0 : -1, what);
  }

  static std::size_t bytes(std::size_t count) {
    return count <= SIZE_MAX / sizeof(T) ? count * sizeof(T) : SIZE_MAX;
  }
  static void check(int result, const char *what) {
    if (result == 0)
      return;
#ifdef __cpp_exceptions
    throw std::system_error(errno, std::generic_category(), what);
#else
    perror(what);
    std::abort();
#endif
  }
};

} // namespace heddle

#endif
