//===- pma/BatchSearch.h - Many searches at once ---------------*- C++ -*-===//
//
// The loops over keys that are searched for, in any order. Each search waits
// for the heads that lead to its leaf, and for that leaf as a whole; what
// others do in the meantime is up to the compiler.
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

/// Whether some leaf has a key, for loops over keys, which have to see where
/// this waits. There is at least one leaf.
template <typename Traits>
[[gnu::always_inline]] inline bool containsFar(const Leaves<Traits> &leaves,
                                               typename Traits::Key key) {
  const std::size_t leaf = leaves.find(key);
  if constexpr (Traits::Codec::FixedWidth) {
    return leafContains(leaves.view(leaf), key);
  } else {
    LeafWords<Traits> words;
    copyWords<Traits>(leaves.start(leaf), words);
    return Traits::Codec::contains(
        reinterpret_cast<const std::byte *>(words.data()) + Traits::FrontBytes,
        leaves.fill(leaf).codeBytes, leaves.head(leaf), key);
  }
}

/// The index of a key among the elements of a leaf, or their number if it is
/// not there.
template <typename Traits>
[[gnu::pure, gnu::noinline]] inline std::size_t
indexOf(const std::byte *codes, std::size_t codeBytes, std::size_t count,
        typename Traits::Key head, typename Traits::Key key) noexcept {
  const auto place =
      locate<Traits>({head, codes, nullptr, codeBytes, count}, key);
  return place.found ? place.index : count;
}

/// Where the value of a key lies, in bytes from the first leaf on, or NotFound.
/// If there is one, `value` is set to it.
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

/// For each key, sets `found` to whether there is such a key. Returns how many
/// there are.
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

/// For each key, sets `values` to what it has, or to nothing. Returns how many
/// keys there are.
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

/// For each key, sets `places` to where its value lies, in bytes from the first
/// leaf on, or to NotFound.
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
