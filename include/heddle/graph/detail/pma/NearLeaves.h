//===- pma/NearLeaves.h - Copies of leaves in the cache --------*- C++ -*-===//
//
// Decoding a leaf waits for memory at addresses that depend on the bytes
// before. So the leaves of many groups are copied first, word by word. All
// addresses of that loop are known, so its iterations, one per leaf, can be
// interleaved and wait together; decoding the copies then hits the cache.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_PMA_NEARLEAVES_H
#define HEDDLE_GRAPH_DETAIL_PMA_NEARLEAVES_H

#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/pma/Groups.h"
#include "heddle/graph/detail/pma/LeafUpdate.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace heddle::graph::detail {

/// The words of a leaf.
template <typename Traits>
using LeafWords = std::array<std::uint64_t, Traits::LeafBytes / 8>;

template <typename Traits>
void copyWords(const std::byte *leaf, LeafWords<Traits> &words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::uint64_t word;
    std::memcpy(&word, leaf + 8 * i, sizeof(word));
    words[i] = word;
  }
}

/// The leaves of some groups of a batch.
template <typename Traits> class NearLeaves {
public:
  /// The most leaves at a time: no more than fit in a core's first-level cache.
  static constexpr std::size_t Most =
      std::clamp<std::size_t>(32768 / Traits::LeafBytes, 1, 256);

  /// Copies the leaves of the groups `first` to `last` - 1.
  void take(const Leaves<Traits> &leaves, const Groups<Traits> &groups,
            std::size_t first, std::size_t last) {
    HEDDLE_ASSERT(first < last && last - first <= Most &&
                  last <= groups.size());
    const Group *group = &groups[first];
#pragma heddle async
    for (std::size_t i = 0; i < last - first; ++i) {
      const std::size_t leaf = group[i].leaf;
      copyWords<Traits>(leaves.start(leaf), words[i]);
      heads[i] = leaves.head(leaf);
      codeBytes[i] = leaves.fill(leaf).codeBytes;
      counts[i] = leaves.fill(leaf).count;
    }
  }

  LeafView<Traits> view(std::size_t i) const {
    const auto *codes = reinterpret_cast<const std::byte *>(words[i].data()) +
                        Traits::FrontBytes;
    return {heads[i], codes,
            codes + Traits::DataBytes - counts[i] * Traits::ValueBytes,
            codeBytes[i], counts[i]};
  }

private:
  std::array<LeafWords<Traits>, Most> words;
  std::array<typename Traits::Key, Most> heads;
  std::array<std::uint16_t, Most> codeBytes, counts;
};

} // namespace heddle::graph::detail

#endif
