//===- Bitmap.h - A bit for every vertex -----------------------*- C++ -*-===//
//
// A set of vertices with one bit per vertex. The bitmap of a graph with
// millions of vertices fits in a core's cache, where a loop over edges can look
// up their ends at random.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_BITMAP_H
#define HEDDLE_GRAPH_DETAIL_BITMAP_H

#include "heddle/graph/VertexArray.h"
#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/Atomic.h"

#include <bit>
#include <cstddef>
#include <cstdint>

namespace heddle::graph {

/// A fixed number of bits. Any number of threads may test them while none sets
/// them. Parallel operations run on the threads of OpenMP.
class Bitmap {
public:
  /// The number of bits in a word. Only one thread at a time may call set() or
  /// reset() for a word.
  static constexpr std::size_t WordBits = 64;

  Bitmap() = default;

  /// All bits are undefined until clear().
  explicit Bitmap(std::size_t bits) : bits(bits), words(wordCount(bits)) {}

  std::size_t size() const { return bits; }

  /// Makes all bits 0. In parallel.
  void clear() { words.fill(0); }

  bool test(std::size_t bit) const {
    return (words[bit / WordBits] >> (bit % WordBits)) & 1;
  }

  /// Makes a bit 1. The other bits of its word must not be set meanwhile.
  void set(std::size_t bit) {
    HEDDLE_ASSERT(bit < bits);
    words[bit / WordBits] |= mask(bit);
  }

  /// Makes a bit 0, on the same condition.
  void reset(std::size_t bit) {
    HEDDLE_ASSERT(bit < bits);
    words[bit / WordBits] &= ~mask(bit);
  }

  /// Makes a bit 1; other threads may do so too.
  void setShared(std::size_t bit) {
    HEDDLE_ASSERT(bit < bits);
    std::atomic_ref(words[bit / WordBits])
        .fetch_or(mask(bit), std::memory_order_relaxed);
  }

  /// The number of bits that are 1. In parallel.
  std::size_t count() const {
    std::size_t ones = 0;
#pragma omp parallel for reduction(+ : ones) if (worthThreads(words.size()))
    for (std::size_t i = 0; i < words.size(); ++i)
      ones += static_cast<std::size_t>(std::popcount(words[i]));
    return ones;
  }

  std::size_t wordCount() const { return words.size(); }

  /// Calls `visit` with the index of each bit of a word that is 1, lowest
  /// first.
  template <typename Visit>
  void forEachInWord(std::size_t word, Visit visit) const {
    HEDDLE_ASSERT(word < words.size());
    for (std::uint64_t rest = words[word]; rest != 0; rest &= rest - 1)
      visit(word * WordBits + static_cast<std::size_t>(std::countr_zero(rest)));
  }

private:
  static std::size_t wordCount(std::size_t bits) {
    return bits / WordBits + (bits % WordBits != 0);
  }
  static std::uint64_t mask(std::size_t bit) {
    return std::uint64_t(1) << (bit % WordBits);
  }

  std::size_t bits = 0;
  VertexArray<std::uint64_t> words;
};

} // namespace heddle::graph

#endif
