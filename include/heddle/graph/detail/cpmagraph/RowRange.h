//===- cpmagraph/RowRange.h - The edges of one vertex ----------*- C++ -*-===//
//
// The inner loop of every algorithm. To the compiler it is one flat loop: a
// step decodes the next code; only when a word of end bits is used up, every 64
// bytes, does it check for the end of the leaf. Codes are those of DeltaCodec,
// but only 32 bits are read: targets of one row are not further apart.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_CPMAGRAPH_ROWRANGE_H
#define HEDDLE_GRAPH_DETAIL_CPMAGRAPH_ROWRANGE_H

#include "heddle/graph/detail/cpmagraph/Layout.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>

namespace heddle::graph::cpmagraph {

/// The address of a value; empty for Unweighted.
template <typename Layout, bool = Layout::IsWeighted> struct ValueCursor {
  const std::byte *at = nullptr;

  [[gnu::always_inline]] void enter(const std::byte *leafEnd,
                                    std::size_t rest) {
    at = leafEnd - rest * sizeof(typename Layout::Weight);
  }
  [[gnu::always_inline]] void advance() {
    at += sizeof(typename Layout::Weight);
  }
  [[gnu::always_inline]] typename Layout::Weight weight() const {
    return Layout::weightAt(at);
  }
};
template <typename Layout> struct ValueCursor<Layout, false> {
  [[gnu::always_inline]] void enter(const std::byte *, std::size_t) {}
  [[gnu::always_inline]] void advance() {}
  [[gnu::always_inline]] Unweighted weight() const { return {}; }
};

/// The edges of a row, which may continue in the following leaves. Valid until
/// the graph changes.
template <typename Layout> class RowRange {
public:
  using VertexId = typename Layout::VertexId;
  using Weight = typename Layout::Weight;
  using Leaves = typename Layout::Leaves;
  static constexpr bool IsDistinct = true; ///< and sorted by target

  class Iterator {
  public:
    using value_type = Neighbour<VertexId, Weight>;
    using difference_type = std::ptrdiff_t;
    using iterator_concept = std::forward_iterator_tag;

    /// Behind the last edge.
    Iterator() = default;

    [[gnu::always_inline]] Iterator(const Leaves &leaves, const RowStart &start)
        : left(start.size), target(start.target), leaf(start.leaf),
          leaves(&leaves) {
      if (left == 0)
        return;
      const std::byte *const codes = leaves.codes(leaf);
      const unsigned word = start.codesEnd / WordBits;
      const unsigned bit = start.codesEnd % WordBits;
      bytes = codes + word * WordBits;
      last = static_cast<int>(bit) - 1;
      // The words of end bits behind the last code are uninitialised.
      ends = start.rest == 1
                 ? 0
                 : endsAt(codes, word) & ~((std::uint64_t(1) << bit) - 1);
      value.enter(codes + Layout::Traits::DataBytes, start.rest);
    }

    [[gnu::always_inline]] value_type operator*() const {
      return {target, value.weight()};
    }

    [[gnu::always_inline]] Iterator &operator++() {
      if (--left == 0)
        return *this;
      value.advance();
      if (ends == 0) {
        const std::byte *const codes = leaves->codes(leaf);
        const auto passed = static_cast<std::size_t>(bytes - codes);
        const std::size_t position =
            passed + static_cast<std::size_t>(static_cast<long>(last) + 1);
        if (position == leaves->fill(leaf).codeBytes) {
          enterNextLeaf();
          return *this;
        }
        ends = endsAt(codes, passed / WordBits + 1);
        bytes += WordBits;
        last -= static_cast<int>(WordBits);
      }
      const int end = __builtin_ctzll(ends);
      ends &= ends - 1;
      std::uint32_t code;
      std::memcpy(&code, bytes + end - 3, sizeof(code));
      target += (code >> (8 * (last - end) & 31)) + 1;
      last = end;
      return *this;
    }
    [[gnu::always_inline]] Iterator operator++(int) {
      Iterator before = *this;
      ++*this;
      return before;
    }
    [[gnu::always_inline]] bool operator==(const Iterator &other) const {
      return left == other.left;
    }

  private:
    static constexpr std::size_t WordBits = 64;

    [[gnu::always_inline]] static std::uint64_t endsAt(const std::byte *codes,
                                                       std::size_t word) {
      std::uint64_t ends;
      std::memcpy(&ends, codes - (word + 1) * sizeof(ends), sizeof(ends));
      return ends;
    }

    [[gnu::always_inline]] void enterNextLeaf() {
      ++leaf;
      const detail::LeafFill fill = leaves->fill(leaf);
      bytes = leaves->codes(leaf);
      last = -1;
      ends = fill.codeBytes == 0 ? 0 : endsAt(bytes, 0);
      target = targetOf(leaves->head(leaf));
      value.enter(bytes + Layout::Traits::DataBytes, fill.count);
    }

    std::uint32_t left = 0; ///< edges, with the current one
    VertexId target = 0;
    std::uint64_t ends = 0;           ///< of codes behind the current one
    const std::byte *bytes = nullptr; ///< the bytes of these end bits
    int last = -1;                    ///< the last byte of the current code
    std::uint32_t leaf = 0;
    const Leaves *leaves = nullptr;
    [[no_unique_address]] ValueCursor<Layout> value;
  };

  [[gnu::always_inline]] RowRange(const Leaves &leaves, const RowStart &start)
      : leaves(&leaves), start(start) {}

  [[gnu::always_inline]] Iterator begin() const { return {*leaves, start}; }
  [[gnu::always_inline]] Iterator end() const { return {}; }
  std::size_t size() const { return start.size; }
  bool empty() const { return start.size == 0; }

private:
  const Leaves *leaves;
  RowStart start;
};

} // namespace heddle::graph::cpmagraph

#endif
