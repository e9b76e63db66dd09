//===- cpmagraph/FindStarts.h - Where rows begin ---------------*- C++ -*-===//
//
// F-Graph computes the offsets of all vertices before each algorithm, in a pass
// over the whole set. Here the starts of the rows in a leaf are updated
// whenever the leaf has changed, so they are always valid. Queries from any
// number of threads need not compute anything first, and the time of an update
// does not depend on the number of vertices.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_CPMAGRAPH_FINDSTARTS_H
#define HEDDLE_GRAPH_DETAIL_CPMAGRAPH_FINDSTARTS_H

#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/Tasks.h"
#include "heddle/graph/detail/cpmagraph/Rows.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace heddle::graph::cpmagraph {

/// Sets the starts of rows, but not their sizes.
template <typename Layout> class StartFinder {
public:
  explicit StartFinder(Rows<Layout> &rows) : rows(rows) {}

  /// Sets the starts of all rows that begin in the leaves `first` to `last` - 1
  /// and, if `withNext`, of the row that may now begin with leaf `last`, as its
  /// edges before that leaf may have been erased. Threads may do this for
  /// different leaves at once.
  void find(std::size_t first, std::size_t last, bool withNext) {
    const Leaves &leaves = rows.leaves();
    HEDDLE_ASSERT(first <= last && last <= leaves.size());
    std::uint64_t before = first == 0 ? NoRow : lastRow(first - 1);
    for (std::size_t leaf = first; leaf < last; ++leaf)
      before = findIn(leaf, before);
    if (withNext && last < leaves.size() && rowOf(leaves.head(last)) != before)
      setStart(leaves.head(last), last, leaves.fill(last).count, 0);
  }

  /// Sets the starts of all rows, on the threads of OpenMP if there are many
  /// leaves.
  void findAll() {
    constexpr std::size_t LeavesAtOnce = 512;
    detail::forEachRange(
        rows.leaves().size(), LeavesAtOnce, true,
        [&](std::size_t first, std::size_t last) { find(first, last, false); });
  }

private:
  using Leaves = typename Layout::Leaves;
  using Reader = typename Layout::Traits::Codec::Reader;

  static constexpr std::uint64_t NoRow = UINT64_MAX;

  void setStart(Key key, std::size_t leaf, std::size_t rest,
                std::size_t codesEnd) {
    HEDDLE_ASSERT(rest > 0 && leaf < RowStart::NoLeaf);
    RowStart &start = rows.start(rowOf(key));
    start.leaf = static_cast<std::uint32_t>(leaf);
    start.rest = static_cast<std::uint16_t>(rest);
    start.codesEnd = static_cast<std::uint16_t>(codesEnd);
    start.target = targetOf(key);
  }

  /// Sets the starts of the rows that begin in a leaf. `before` is the row of
  /// the edge before the leaf. Returns the row of the leaf's last edge.
  std::uint64_t findIn(std::size_t leaf, std::uint64_t before) {
    const auto view = rows.leaves().view(leaf);
    Key key = view.head;
    if (rowOf(key) != before)
      setStart(key, leaf, view.count, 0);
    if (isOneRow(leaf))
      return rowOf(key);
    std::uint32_t row = rowOf(key);
    Reader codes(view.codes);
    for (std::size_t rest = view.count - 1; rest > 0; --rest) {
      codes.next(key);
      if (rowOf(key) != row) {
        row = rowOf(key);
        setStart(key, leaf, rest, codes.position());
      }
    }
    HEDDLE_ASSERT(codes.position() == view.codeBytes);
    return row;
  }

  /// Whether all edges of a leaf are in one row, as the next leaf begins with
  /// it.
  bool isOneRow(std::size_t leaf) const {
    const Leaves &leaves = rows.leaves();
    return leaf + 1 < leaves.size() &&
           rowOf(leaves.head(leaf)) == rowOf(leaves.head(leaf + 1));
  }

  std::uint64_t lastRow(std::size_t leaf) const {
    const Leaves &leaves = rows.leaves();
    return rowOf(isOneRow(leaf) ? leaves.head(leaf)
                                : detail::lastKey(leaves.view(leaf)));
  }

  Rows<Layout> &rows;
};

} // namespace heddle::graph::cpmagraph

#endif
