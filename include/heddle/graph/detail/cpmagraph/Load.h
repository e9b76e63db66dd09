//===- cpmagraph/Load.h - Rows that are written at once --------*- C++ -*-===//
//
// The edges of a graph come in the order of their keys, so nothing has to be
// sorted. They are cut into blocks of equal size, also within rows. Each block
// gets leaves of its own, so that threads can write them independently.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_CPMAGRAPH_LOAD_H
#define HEDDLE_GRAPH_DETAIL_CPMAGRAPH_LOAD_H

#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/cpmagraph/FindStarts.h"
#include "heddle/graph/detail/pma/Spread.h"
#include "heddle/graph/detail/sort/PrefixSum.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <utility>

namespace heddle::graph::cpmagraph {

/// Copies one direction of a graph. `edges(v)` must return the edges of a
/// vertex sorted by target. Of parallel edges, the first is kept.
template <typename Layout, typename Edges> class RowLoader {
public:
  using VertexId = typename Layout::VertexId;
  using Traits = typename Layout::Traits;
  using Leaves = typename Layout::Leaves;

  RowLoader(VertexId vertices, Edges edges, double growingFactor)
      : vertices(vertices), edges(edges),
        edgesBefore(std::size_t(vertices) + 1), rows(vertices, growingFactor) {}

  /// Throws Error if the edges of a vertex are not sorted, and std::bad_alloc.
  Rows<Layout> load() && {
    edgesBefore[vertices] = 0;
    const std::uint64_t total =
        detail::countEdges(vertices, edges, [&](VertexId v, VertexId size) {
          rows.start(v).size = size;
          edgesBefore[v] = size;
        });
    exclusivePrefixSum(edgesBefore);
    rows.setEdgeCount(total);
    HEDDLE_ASSERT(edgesBefore[vertices] == total);
    if (total == 0)
      return std::move(rows);
    blocks = (total + EdgesInBlock - 1) / EdgesInBlock;
    measure();
    write();
    StartFinder<Layout>(rows).findAll();
    return std::move(rows);
  }

private:
  class Stream;

  // Large enough that the last leaf of a block, which may be emptier, hardly
  // counts.
  static constexpr std::size_t EdgesInBlock = std::size_t(1) << 15;

  std::uint64_t blockBegin(std::size_t block) const {
    const std::uint64_t total = rows.edgeCount();
    return total / blocks * block +
           std::min<std::uint64_t>(block, total % blocks);
  }

  /// The edges of a block. A source of spreadPart().
  struct Block {
    const RowLoader &loader;
    std::size_t index;

    std::size_t segments() const { return 1; }
    std::size_t before(std::size_t) const { return 0; }
    Stream stream(std::size_t) const { return Stream(loader, index); }
  };

  /// Computes the number of leaves of each block, and where they begin.
  void measure() {
    weights = Array<std::uint64_t>(blocks);
    firstLeaf = Array<std::uint64_t>(blocks + 1);
    firstLeaf[blocks] = 0;
    constexpr double density = Layout::Density::packed();
    detail::forEachTask(blocks, blocks > 1, [&](std::size_t block) {
      std::uint64_t weight = 0;
      for (Stream at(*this, block); !at.done(); at.advance())
        weight += at.weight();
      weights[block] = weight;
      const auto wanted = static_cast<std::uint64_t>(
          std::ceil(static_cast<double>(weight) / density));
      firstLeaf[block] =
          std::min<std::uint64_t>(wanted, weight / Traits::MostElementBytes);
      HEDDLE_ASSERT(firstLeaf[block] > 0);
    });
    const std::uint64_t leaves = exclusivePrefixSum(firstLeaf);
    if (leaves >= RowStart::NoLeaf)
      throw std::bad_alloc();
    rows.leaves() = Leaves(leaves);
  }

  void write() {
    detail::forEachTask(blocks, blocks > 1, [&](std::size_t block) {
      const std::size_t first = firstLeaf[block];
      const std::size_t leaves = firstLeaf[block + 1] - first;
      detail::spreadPart(Block{*this, block},
                         detail::Shares(weights[block], leaves), leaves,
                         rows.leaves(), first, 0, leaves);
    });
  }

  const VertexId vertices;
  const Edges edges;
  Array<std::uint64_t> edgesBefore;
  Array<std::uint64_t> weights, firstLeaf; ///< of blocks
  std::size_t blocks = 0;
  Rows<Layout> rows;
};

/// The edges of a block, one after the other.
template <typename Layout, typename Edges>
class RowLoader<Layout, Edges>::Stream {
public:
  Stream(const RowLoader &loader, std::size_t block)
      : loader(loader), at(loader.blockBegin(block)),
        left(loader.blockBegin(block + 1) - at) {
    HEDDLE_ASSERT(left > 0 && at < loader.rows.edgeCount());
    const auto *const begin = loader.edgesBefore.begin();
    vertex = static_cast<VertexId>(
        std::upper_bound(begin, loader.edgesBefore.end(), at) - begin - 1);
    enter(vertex);
    for (std::uint64_t skipped = begin[vertex]; skipped < at; ++skipped)
      step();
    settle();
    elementWeight = Traits::MostElementBytes;
  }
  Stream(const Stream &) = delete;

  bool done() const { return left == 0; }
  Key key() const { return current; }
  const std::byte *value() const {
    return reinterpret_cast<const std::byte *>(&currentValue);
  }
  std::size_t weight() const { return elementWeight; }

  void advance() {
    HEDDLE_ASSERT(left > 0);
    if (--left == 0)
      return;
    step();
    while (edge == rowEnd)
      enter(++vertex);
    const Key before = current;
    settle();
    elementWeight =
        Traits::Codec::codeBytes(before, current) + Traits::ValueBytes;
  }

private:
  using Range =
      std::remove_cvref_t<decltype(std::declval<const Edges &>()(VertexId()))>;
  using Iterator = decltype(std::declval<const Range &>().begin());

  void enter(VertexId entered) {
    HEDDLE_ASSERT(entered < loader.vertices);
    range.emplace(loader.edges(entered));
    edge = std::as_const(*range).begin();
    rowEnd = std::as_const(*range).end();
  }

  /// Goes on to the next edge of the row that is not parallel to this one.
  void step() {
    const auto target = (*edge).target;
    do
      ++edge;
    while (edge != rowEnd && (*edge).target == target);
  }

  void settle() {
    const auto [target, weight] = *edge;
    current = keyOf(vertex, static_cast<std::uint32_t>(target));
    currentValue = Layout::valueOf(weight);
  }

  const RowLoader &loader;
  std::uint64_t at, left;
  VertexId vertex;
  std::optional<Range> range; // iterators may refer to it
  Iterator edge, rowEnd;
  Key current;
  typename Layout::Value currentValue;
  std::size_t elementWeight;
};

/// See RowLoader.
template <typename Layout, typename Edges>
Rows<Layout> loadRows(typename Layout::VertexId vertices, Edges edges,
                      double growingFactor) {
  return RowLoader<Layout, Edges>(vertices, edges, growingFactor).load();
}

} // namespace heddle::graph::cpmagraph

#endif
