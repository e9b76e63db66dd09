//===- pma/BatchSearch.h - Many searches at once ---------------*- C++ -*-===//
//
// Annotated loops over keys to be searched for, in any order. Each search waits
// for the heads that lead to its leaf, and then for the whole leaf. The
// compiler interleaves the searches, so that these waits overlap.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_PMA_BATCHSEARCH_H
#define HEDDLE_GRAPH_DETAIL_PMA_BATCHSEARCH_H

#include "heddle/graph/detail/pma/NearLeaves.h"

#include <cstddef>
#include <optional>
#include <span>

namespace heddle::graph::detail {

inline constexpr std::size_t NotFound = ~std::size_t(0);

/// Whether a key is in the set. Inlined, because the loops over keys have to
/// see the loads that it waits for. There must be a leaf.
template <typename Traits>
[[gnu::always_inline]] inline bool containsFar(const Leaves<Traits> &leaves,
                                               typename Traits::Key key) {
  const std::size_t leaf = leaves.find(key);
  const std::byte *near = leaves.start(leaf);
  LeafWords<Traits> words;
  if constexpr (!Traits::Codec::FixedWidth) {
    copyWords<Traits>(near, words);
    near = reinterpret_cast<const std::byte *>(words.data());
  }
  return Traits::Codec::contains(near + Traits::FrontBytes,
                                 leaves.fill(leaf).codeBytes, leaves.head(leaf),
                                 key);
}

/// The index of a key among the elements of a leaf, or `count` if it is not
/// there.
template <typename Traits>
[[gnu::pure, gnu::noinline]] inline std::size_t
indexOf(const std::byte *codes, std::size_t codeBytes, std::size_t count,
        typename Traits::Key head, typename Traits::Key key) noexcept {
  const auto place =
      locate<Traits>({head, codes, nullptr, codeBytes, count}, key);
  return place.found ? place.index : count;
}

/// The offset of a key's value from the first leaf, in bytes, and sets `value`
/// to it; NotFound if there is no such key.
template <typename Traits>
[[gnu::always_inline]] inline std::size_t
findFar(const Leaves<Traits> &leaves, typename Traits::Key key,
        typename Traits::Value &value) {
  const std::size_t leaf = leaves.find(key);
  LeafWords<Traits> words;
  copyWords<Traits>(leaves.start(leaf), words);
  const auto *bytes = reinterpret_cast<const std::byte *>(words.data());
  const std::size_t codeBytes = leaves.fill(leaf).codeBytes;
  const std::size_t count = leaves.fill(leaf).count;
  const std::size_t index = indexOf<Traits>(
      bytes + Traits::FrontBytes, codeBytes, count, leaves.head(leaf), key);
  if (index == count)
    return NotFound;
  const std::size_t at =
      Traits::LeafBytes - (count - index) * Traits::ValueBytes;
  value = loadValue<typename Traits::Value>(bytes + at);
  return leaf * Traits::LeafBytes + at;
}

/// Sets `found[i]` to whether `keys[i]` is there. Returns the number of keys
/// found.
template <typename Traits>
std::size_t containsAll(const Leaves<Traits> &leaves,
                        std::span<const typename Traits::Key> keys,
                        std::span<bool> found) {
  std::size_t hits = 0;
#pragma omp parallel for reduction(+ : hits) if (worthThreads(keys.size()))
#pragma heddle async
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const bool hit = containsFar(leaves, keys[i]);
    found[i] = hit;
    hits += hit;
  }
  return hits;
}

/// Sets `values[i]` to the value of `keys[i]`, or to nullopt. Returns the
/// number of keys found.
template <typename Traits>
std::size_t findAll(const Leaves<Traits> &leaves,
                    std::span<const typename Traits::Key> keys,
                    std::span<std::optional<typename Traits::Value>> values) {
  std::size_t hits = 0;
#pragma omp parallel for reduction(+ : hits) if (worthThreads(keys.size()))
#pragma heddle async
  for (std::size_t i = 0; i < keys.size(); ++i) {
    typename Traits::Value value{};
    const bool hit = findFar(leaves, keys[i], value) != NotFound;
    values[i] = hit ? std::optional(value) : std::nullopt;
    hits += hit;
  }
  return hits;
}

/// Sets `places[i]` to the offset of the value of `keys[i]` from the first
/// leaf, in bytes, or to NotFound.
template <typename Traits>
void locateAll(const Leaves<Traits> &leaves,
               std::span<const typename Traits::Key> keys,
               std::span<std::size_t> places) {
#pragma omp parallel for if (worthThreads(keys.size()))
#pragma heddle async
  for (std::size_t i = 0; i < keys.size(); ++i) {
    typename Traits::Value value{};
    places[i] = findFar(leaves, keys[i], value);
  }
}

} // namespace heddle::graph::detail

#endif
