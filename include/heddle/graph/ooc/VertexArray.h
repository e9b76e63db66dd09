//===- VertexArray.h - A value for every vertex, on disk -------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_OOC_VERTEXARRAY_H
#define HEDDLE_GRAPH_OOC_VERTEXARRAY_H

#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/ooc/memory/WindowPool.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <type_traits>
#include <utility>
#include <vector>

namespace heddle::graph::ooc {

/// A value for each vertex, zero at first. The value of a vertex may be used
/// only by a function that the engine calls for that vertex, in a call that
/// names this array.
template <typename T> class VertexArray {
  static_assert(std::is_trivially_copyable_v<T>);

public:
  static constexpr std::uint64_t ElementBits = 8 * sizeof(T);

  VertexArray(ArrayStorage &storage, std::uint64_t vertices)
      : first(reinterpret_cast<T *>(storage.memory())), count(vertices),
        storage_(&storage) {}

  std::size_t size() const { return count; }
  T &operator[](std::size_t vertex) { return first[vertex]; }
  const T &operator[](std::size_t vertex) const { return first[vertex]; }

  ArrayStorage &storage() const { return *storage_; }

private:
  T *const first;
  const std::size_t count;
  ArrayStorage *const storage_;
};

/// A set of vertices, with a bit for each. Flags in memory tell which groups of
/// vertices are empty, so that searches skip these groups.
template <> class VertexArray<bool> {
public:
  static constexpr std::uint64_t ElementBits = 1;

  VertexArray(ArrayStorage &storage, std::uint64_t vertices)
      : words(reinterpret_cast<std::uint64_t *>(storage.memory())),
        count(vertices), groups(vertices / GroupVertices + 1, 1),
        storage_(&storage) {}

  /// A reference to a bit.
  class Reference {
  public:
    operator bool() const { return (*word & mask) != 0; }

    Reference &operator=(bool value) {
      if (value) {
        *word |= mask;
        *group = 1;
      } else {
        *word &= ~mask;
      }
      return *this;
    }
    Reference &operator=(const Reference &other) {
      return *this = static_cast<bool>(other);
    }

  private:
    friend class VertexArray;
    Reference(std::uint64_t *word, std::uint64_t mask, std::uint8_t *group)
        : word(word), mask(mask), group(group) {}

    std::uint64_t *word;
    std::uint64_t mask;
    std::uint8_t *group;
  };

  std::size_t size() const { return count; }
  bool operator[](std::size_t vertex) const {
    return (words[vertex / 64] >> (vertex % 64) & 1) != 0;
  }
  Reference operator[](std::size_t vertex) {
    return {words + vertex / 64, std::uint64_t(1) << (vertex % 64),
            groups.data() + vertex / GroupVertices};
  }

  /// Whether any of these vertices may be in the set; `begin` begins a group.
  bool mayHaveAny(std::uint64_t begin, std::uint64_t end) const {
    return nextGroup(begin / GroupVertices, end) * GroupVertices < end;
  }

  /// Whether at most `mostWords` words have bits of the set among these
  /// vertices. Subtracts the number of these words from `mostWords`. The
  /// vertices must be in memory; `begin` begins a group.
  bool areFew(std::uint64_t begin, std::uint64_t end,
              std::uint64_t &mostWords) const {
    for (std::uint64_t group = nextGroup(begin / GroupVertices, end);
         group * GroupVertices < end; group = nextGroup(group + 1, end)) {
      const auto [first, last] = wordsOf(group, end);
      std::uint64_t used = 0;
      for (std::uint64_t word = first; word < last; ++word)
        used += words[word] != 0;
      if (used > mostWords)
        return false;
      mostWords -= used;
    }
    return true;
  }

  /// Calls `visit` with those of these vertices that are in the set, in order.
  /// It may remove the vertex that it is called with. `begin` begins a group.
  template <typename Visit>
  void forEach(std::uint64_t begin, std::uint64_t end, Visit visit) {
    HEDDLE_ASSERT(begin % GroupVertices == 0 && begin <= end && end <= count);
    for (std::uint64_t group = nextGroup(begin / GroupVertices, end);
         group * GroupVertices < end; group = nextGroup(group + 1, end)) {
      bool any = false;
      const auto [first, last] = wordsOf(group, end);
      for (std::uint64_t word = first; word < last; ++word) {
        for (std::uint64_t rest = words[word]; rest != 0; rest &= rest - 1)
          visit(word * 64 + static_cast<std::uint64_t>(std::countr_zero(rest)));
        any |= words[word] != 0;
      }
      groups[group] = any;
    }
  }

  ArrayStorage &storage() const { return *storage_; }

private:
  static constexpr std::uint64_t GroupVertices = 4096;

  /// The first group from this one on that may have vertices of the set, or the
  /// one behind the last group with vertices below `end`.
  std::uint64_t nextGroup(std::uint64_t group, std::uint64_t end) const {
    const std::uint64_t last = (end + GroupVertices - 1) / GroupVertices;
    if (group >= last)
      return last;
    const void *const found =
        std::memchr(groups.data() + group, 1, last - group);
    return found ? static_cast<std::uint64_t>(
                       static_cast<const std::uint8_t *>(found) - groups.data())
                 : last;
  }

  /// The words of a group's vertices below `end`.
  static std::pair<std::uint64_t, std::uint64_t> wordsOf(std::uint64_t group,
                                                         std::uint64_t end) {
    return {group * GroupVertices / 64,
            std::min((group + 1) * GroupVertices, end + 63) / 64};
  }

  std::uint64_t *const words;
  const std::size_t count;
  std::vector<std::uint8_t> groups; ///< whether any vertex may be in the set
  ArrayStorage *const storage_;
};

/// An array that a call uses. The call does not write a constant array.
class VertexArrayUse {
public:
  template <typename T>
  VertexArrayUse(VertexArray<T> &array) : use{&array.storage(), true} {}
  template <typename T>
  VertexArrayUse(const VertexArray<T> &array) : use{&array.storage(), false} {}

  ArrayUse use;
};
using VertexArrayUses = std::initializer_list<VertexArrayUse>;

} // namespace heddle::graph::ooc

#endif
