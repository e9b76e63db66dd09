//===- pma/SortedBatch.h - The keys of a batch, in order --------*- C++ -*-===//
//
// A caller's batch may be in any order and have keys more than once, and is not
// changed. Updates need strictly ascending keys. A batch that is in this order
// is used in place; any other is copied and sorted (KeySort.h).
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_PMA_SORTEDBATCH_H
#define HEDDLE_GRAPH_DETAIL_PMA_SORTEDBATCH_H

#include "heddle/graph/VertexArray.h"
#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/pma/Leaves.h"
#include "heddle/graph/detail/pma/Scratch.h"
#include "heddle/graph/detail/sort/KeySort.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>

namespace heddle::graph::detail {

/// Whether `precedes(i)` is true for all i from 1 to `size` - 1.
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

/// Keeps the first of neighbouring elements that are the same, like
/// std::unique, and returns their number. Runs on the threads of OpenMP if
/// there are many elements.
template <typename Element, typename AreSame>
std::size_t dropRepeated(std::span<Element> elements, AreSame areSame) {
  const auto unique = [&](std::size_t begin, std::size_t end) {
    return std::unique(elements.begin() + begin, elements.begin() + end,
                       areSame) -
           elements.begin();
  };
  if (!worthThreads(elements.size()))
    return unique(0, elements.size());
  // A block begins with the first of elements that are the same.
  constexpr std::size_t Blocks = 64;
  std::array<std::size_t, Blocks + 1> begins;
  begins[0] = 0;
  for (std::size_t block = 1; block < Blocks; ++block) {
    std::size_t begin =
        std::max(begins[block - 1], elements.size() / Blocks * block);
    while (begin < elements.size() &&
           areSame(elements[begin - 1], elements[begin]))
      ++begin;
    HEDDLE_ASSERT(begins[block - 1] <= begin);
    begins[block] = begin;
  }
  begins[Blocks] = elements.size();
  std::array<std::size_t, Blocks> ends;
  forEachTask(Blocks, true, [&](std::size_t block) {
    ends[block] = unique(begins[block], begins[block + 1]);
  });
  auto end = elements.begin() + ends[0];
  for (std::size_t block = 1; block < Blocks; ++block)
    end = std::move(elements.begin() + begins[block],
                    elements.begin() + ends[block], end);
  return end - elements.begin();
}

/// Which of its values a key gets that occurs several times in a batch.
enum class WhichOfEqual { First, Last };

/// The keys of a batch, strictly ascending, with their values.
template <typename Traits> class SortedBatch {
public:
  using Key = typename Traits::Key;
  using Value = typename Traits::Value;

  /// Keys without values. They must outlive this object. Throws std::bad_alloc.
  explicit SortedBatch(std::span<const Key> batch);

  /// Keys with values, as elements with a `key` and a `value`. Throws
  /// std::bad_alloc.
  template <typename Entry>
  SortedBatch(std::span<const Entry> batch, WhichOfEqual which)
      : count(batch.size()) {
    // The sort is stable.
    Scratch<Entry> sorted(count);
    const bool isForward =
        which == WhichOfEqual::First || holdsForAll(count, [&](std::size_t i) {
          return batch[i - 1].key < batch[i].key;
        });
    sortByKey(
        [&](std::size_t i) { return batch[isForward ? i : count - 1 - i]; },
        std::span(sorted.data(), count),
        [](const Entry &entry) { return entry.key; });
    count = dropRepeated(
        std::span(sorted.data(), count),
        [](const Entry &a, const Entry &b) { return a.key == b.key; });
    keys.allocate(count);
    values.allocate(count);
    const auto takeApart = [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        keys[i] = sorted[i].key;
        values[i] = sorted[i].value;
      }
    };
    constexpr std::size_t AtOnce = 4096;
    forEachRange(count, AtOnce, true, takeApart);
    first = keys.data();
    HEDDLE_ASSERT(ascends());
  }

  std::size_t size() const { return count; }
  const Key *begin() const { return first; }
  const Key *end() const { return first + count; }
  Key operator[](std::size_t i) const {
    HEDDLE_ASSERT(i < count);
    return first[i];
  }

  /// The address of the value of key `i`.
  const std::byte *value(std::size_t i) const {
    return reinterpret_cast<const std::byte *>(values.data()) +
           i * Traits::ValueBytes;
  }

private:
  bool ascends() const {
    return holdsForAll(count,
                       [&](std::size_t i) { return first[i - 1] < first[i]; });
  }

  const Key *first;
  std::size_t count;
  Scratch<Key> keys;     ///< empty if the caller's are used in place
  Scratch<Value> values; ///< if there are any
};

template <typename Traits>
SortedBatch<Traits>::SortedBatch(std::span<const Key> batch)
    : first(batch.data()), count(batch.size()) {
  if (holdsForAll(count,
                  [&](std::size_t i) { return batch[i - 1] < batch[i]; }))
    return;
  keys.allocate(count);
  sortByKey([&](std::size_t i) { return batch[i]; },
            std::span(keys.data(), count), [](Key key) { return key; });
  count = dropRepeated(std::span(keys.data(), count), std::equal_to());
  first = keys.data();
  HEDDLE_ASSERT(ascends());
}

} // namespace heddle::graph::detail

#endif
