//===- Occupied.h - Which vertices have edges ------------------*- C++ -*-===//
//
// The chain leads from a vertex to the next one with edges, and whoever changes
// the first chunk of a vertex has to find the one before. In a table that is
// still nearly empty that would be far away: bits are skipped by the thousand.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_CBLIST_OCCUPIED_H
#define HEDDLE_GRAPH_CBLIST_OCCUPIED_H

#include "heddle/graph/Bitmap.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace heddle::graph::cblist {

/// A set of rows below a fixed number. All functions but grow() may be called
/// by any number of threads at once; a search sees each row as it was at some
/// time during the search.
class Occupied {
public:
  Occupied() = default;

  /// The empty set. Throws std::bad_alloc.
  explicit Occupied(std::size_t rows)
      : words((rows + WordBits - 1) / WordBits, 0),
        summary((words.size() + WordBits - 1) / WordBits, 0) {}

  bool test(std::size_t row) const {
    return loadShared(words[row / WordBits]) >> (row % WordBits) & 1;
  }

  void insert(std::size_t row) {
    set(words, row);
    set(summary, row / WordBits);
  }

  /// The summary keeps its bits: they mean that there may be rows.
  void erase(std::size_t row) {
    std::atomic_ref(words[row / WordBits])
        .fetch_and(~(std::uint64_t(1) << row % WordBits),
                   std::memory_order_relaxed);
  }

  /// The highest row below `row`.
  std::optional<std::size_t> before(std::size_t row) const {
    if (const auto found = lastInWord(words, row))
      return found;
    std::size_t word = row / WordBits;
    while (const auto candidate = lastBelow(summary, word)) {
      word = *candidate;
      if (const std::uint64_t bits = loadShared(words[word]))
        return word * WordBits + highest(bits);
    }
    return std::nullopt;
  }

  /// The lowest row that is not below `row`.
  std::optional<std::size_t> from(std::size_t row) const {
    std::size_t word = row / WordBits;
    if (word >= words.size())
      return std::nullopt;
    std::uint64_t bits = loadShared(words[word]) & ~std::uint64_t(0)
                                                       << row % WordBits;
    while (bits == 0) {
      const auto candidate = firstFrom(summary, word + 1);
      if (!candidate)
        return std::nullopt;
      word = *candidate;
      bits = loadShared(words[word]);
    }
    return word * WordBits + lowest(bits);
  }

  std::size_t bytes() const {
    return (words.size() + summary.size()) * sizeof(std::uint64_t);
  }

private:
  using Words = VertexArray<std::uint64_t>;
  static constexpr std::size_t WordBits = 64;

  static std::size_t highest(std::uint64_t bits) {
    return static_cast<std::size_t>(std::bit_width(bits)) - 1;
  }
  static std::size_t lowest(std::uint64_t bits) {
    return static_cast<std::size_t>(std::countr_zero(bits));
  }

  static void set(Words &words, std::size_t bit) {
    std::uint64_t &word = words[bit / WordBits];
    const std::uint64_t mask = std::uint64_t(1) << bit % WordBits;
    if (!(loadShared(word) & mask))
      std::atomic_ref(word).fetch_or(mask, std::memory_order_relaxed);
  }

  /// The highest bit below `end` in the word that `end` would be in.
  static std::optional<std::size_t> lastInWord(const Words &words,
                                               std::size_t end) {
    if (end % WordBits == 0)
      return std::nullopt;
    const std::uint64_t bits = loadShared(words[end / WordBits]) &
                               ~(~std::uint64_t(0) << end % WordBits);
    if (bits == 0)
      return std::nullopt;
    return end / WordBits * WordBits + highest(bits);
  }

  static std::optional<std::size_t> lastBelow(const Words &words,
                                              std::size_t end) {
    if (const auto found = lastInWord(words, end))
      return found;
    for (std::size_t word = end / WordBits; word-- > 0;)
      if (const std::uint64_t bits = loadShared(words[word]))
        return word * WordBits + highest(bits);
    return std::nullopt;
  }

  static std::optional<std::size_t> firstFrom(const Words &words,
                                              std::size_t begin) {
    std::size_t word = begin / WordBits;
    if (word >= words.size())
      return std::nullopt;
    std::uint64_t bits = loadShared(words[word]) & ~std::uint64_t(0)
                                                       << begin % WordBits;
    while (bits == 0) {
      if (++word == words.size())
        return std::nullopt;
      bits = loadShared(words[word]);
    }
    return word * WordBits + lowest(bits);
  }

  Words words, summary;
};

} // namespace heddle::graph::cblist

#endif
