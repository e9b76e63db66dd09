//===- cpmagraph/ShiftStarts.h - Starts of rows after a patch --*- C++ -*-===//
//
// When one edge is inserted in a leaf or erased, the other rows that begin in
// the leaf only move by a few bytes, or have one element more or less behind
// them. Their starts are adjusted without decoding the leaf.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_CPMAGRAPH_SHIFTSTARTS_H
#define HEDDLE_GRAPH_DETAIL_CPMAGRAPH_SHIFTSTARTS_H

#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/cpmagraph/PatchLeaf.h"
#include "heddle/graph/detail/cpmagraph/Rows.h"

#include <cstddef>
#include <cstdint>

namespace heddle::graph::cpmagraph {

/// The effect of a patch of a leaf on the rows that begin there.
struct StartShift {
  Key key; ///< inserted or erased
  std::uint32_t leaf;
  std::uint32_t firstRow, lastRow; ///< no others can begin in the leaf
  std::uint32_t newTarget;         ///< see PatchPlace
  std::uint16_t newEnd;
  std::uint16_t index;              ///< of the key's element
  std::uint16_t oldCount, newCount; ///< of elements
  std::int16_t codeBytes;           ///< that codes behind it move by
  bool isAlone;                     ///< no other leaf gets keys of the row
  bool isDone;
};

/// Returns the shift for a key that a leaf gets or loses, or whose value
/// changes. `isAlone`: see StartShift.
template <typename Layout>
StartShift shiftFor(const Rows<Layout> &rows, Key key, std::size_t leaf,
                    const PatchPlace &place, bool isAlone) {
  const auto &leaves = rows.leaves();
  const detail::LeafFill fill = leaves.fill(leaf);
  StartShift shift;
  shift.key = key;
  shift.leaf = static_cast<std::uint32_t>(leaf);
  shift.firstRow = rowOf(leaves.head(leaf));
  shift.lastRow = leaf + 1 < leaves.size() ? rowOf(leaves.head(leaf + 1))
                                           : rows.vertexCount() - 1;
  shift.newTarget = place.newTarget;
  shift.newEnd = place.newEnd;
  shift.index = place.index;
  shift.oldCount = fill.count;
  shift.newCount = place.count;
  shift.codeBytes = static_cast<std::int16_t>(place.codeBytes - fill.codeBytes);
  shift.isAlone = isAlone;
  shift.isDone = false;
  HEDDLE_ASSERT(shift.firstRow <= rowOf(key) || leaf == 0);
  HEDDLE_ASSERT(rowOf(key) <= shift.lastRow);
  return shift;
}

/// Shifts the rows that begin in a leaf, and moves the start of the key's own
/// row if it changes. Returns false, and does nothing, if the new start depends
/// on another leaf, or if there are so many rows that decoding the leaf is
/// faster.
///
/// Threads may do this for different leaves at once: of the rows of other
/// leaves they read only `size` and `leaf`, which do not change here if a row
/// has edges.
[[gnu::always_inline]] inline bool shiftStarts(RowStart *starts,
                                               const StartShift &shift) {
  constexpr std::uint32_t MostRows = 64;
  const int more = shift.newCount - shift.oldCount;
  if (more == 0)
    return true;
  RowStart &own = starts[rowOf(shift.key)];
  const bool moves = own.size == 0 || targetOf(shift.key) <= own.target;
  const bool vanishes = more < 0 && own.size == 1;
  const bool isLast = shift.index >= shift.newCount;
  if (shift.lastRow - shift.firstRow >= MostRows ||
      (moves && !(shift.isAlone && (own.size == 0 || own.leaf == shift.leaf) &&
                  (vanishes || !isLast))))
    return false;
  for (std::uint32_t row = shift.firstRow; row <= shift.lastRow; ++row) {
    RowStart &start = starts[row];
    if (start.size == 0 || start.leaf != shift.leaf)
      continue;
    if (shift.oldCount - start.rest < shift.index)
      start.rest = static_cast<std::uint16_t>(start.rest + more);
    else
      start.codesEnd =
          static_cast<std::uint16_t>(start.codesEnd + shift.codeBytes);
  }
  if (moves && !vanishes) {
    if (own.size == 0)
      own.leaf = shift.leaf;
    own.rest = static_cast<std::uint16_t>(shift.newCount - shift.index);
    own.codesEnd = shift.newEnd;
    own.target = shift.newTarget;
  }
  return true;
}

} // namespace heddle::graph::cpmagraph

#endif
