//===- cpmagraph/PointEdit.h - One change of one direction -----*- C++ -*-===//
//
// If a leaf stays within its bounds, changing a single key takes no memory and
// cannot fail, and needs none of the steps of a batch.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_CPMAGRAPH_POINTEDIT_H
#define HEDDLE_GRAPH_DETAIL_CPMAGRAPH_POINTEDIT_H

#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/cpmagraph/FindStarts.h"
#include "heddle/graph/detail/cpmagraph/ShiftStarts.h"

#include <cstddef>

namespace heddle::graph::cpmagraph {

/// The change of one key in its leaf. There must be a leaf.
template <typename Layout> class PointEdit {
public:
  using Traits = typename Layout::Traits;

  PointEdit(Rows<Layout> &rows, Key key)
      : rows(rows), key(key), leaf(rows.leaves().find(key)),
        view(rows.leaves().view(leaf)), place(detail::locate(view, key)) {}

  bool exists() const { return place.found; }
  std::size_t leafIndex() const { return leaf; }

  /// Whether the leaf stays within its bounds. Only if this has returned true
  /// may apply() be called.
  bool fits(Effect effect) {
    patch = measurePatch<Layout>(view, place, key, effect);
    const std::size_t load = patch.codeBytes + patch.count * Traits::ValueBytes;
    return rows.density().leafIsWithin(
        Layout::Density::rootLevel(rows.leaves().size()), load, patch.count);
  }

  void apply(Effect effect, typename Layout::Weight weight) noexcept {
    HEDDLE_ASSERT(exists() == (effect != Effect::Insert));
    const StartShift shift = shiftFor(rows, key, leaf, patch, true);
    const bool isShifted = shiftStarts(rows.allStarts(), shift);
    patchLeaf(rows.leaves(), leaf, patch, Change<Layout>{key, weight, effect});
    if (!isShifted)
      StartFinder<Layout>(rows).find(leaf, leaf + 1, true);
    const int more = effect == Effect::Insert  ? 1
                     : effect == Effect::Erase ? -1
                                               : 0;
    rows.start(rowOf(key)).size += static_cast<std::uint32_t>(more);
    rows.setEdgeCount(rows.edgeCount() + static_cast<std::uint64_t>(more));
    HEDDLE_ASSERT(rows.leaves().load(leaf) <= Traits::MostLoad);
  }

private:
  Rows<Layout> &rows;
  const Key key;
  const std::size_t leaf;
  const detail::LeafView<Traits> view;
  const detail::LeafPlace<Key> place;
  PatchPlace patch;
};

} // namespace heddle::graph::cpmagraph

#endif
