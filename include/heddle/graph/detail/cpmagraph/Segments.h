//===- cpmagraph/Segments.h - Elements to be redistributed -----*- C++ -*-===//

#ifndef HEDDLE_GRAPH_DETAIL_CPMAGRAPH_SEGMENTS_H
#define HEDDLE_GRAPH_DETAIL_CPMAGRAPH_SEGMENTS_H

#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/cpmagraph/MergedLeaves.h"
#include "heddle/graph/detail/pma/Rebalance.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

namespace heddle::graph::cpmagraph {

/// The future elements of a region: those of its leaves, and of the pieces that
/// replace some of its leaves.
template <typename Layout>
class Segments : public detail::SegmentList<typename Layout::Traits> {
  using Traits = typename Layout::Traits;
  using Leaves = typename Layout::Leaves;
  using View = detail::LeafView<Traits>;
  using Base = detail::SegmentList<Traits>;

public:
  using Space = detail::SegmentSpace<Traits>;

  /// An upper bound of the number of segments.
  static std::size_t most(const MergedLeaves<Layout> &merged, std::size_t first,
                          std::size_t last) {
    std::size_t pieces = 0;
    for (std::size_t group = merged.find(first);
         group < merged.groupCount() && merged.leafOf(group) < last; ++group)
      pieces += merged.piecesOf(group).size();
    return last - first + pieces;
  }

  /// The segments of leaves that will be overwritten; they are copied. Patches
  /// have been applied.
  Segments(const Leaves &leaves, const MergedLeaves<Layout> &merged,
           std::size_t first, std::size_t last, Space &space,
           std::size_t thread)
      : Base(space, thread) {
    collect(leaves, merged, first, last, [&](std::size_t, std::size_t leaf) {
      return detail::copied(leaves.view(leaf), nextCopy());
    });
  }

  /// Room for the segments of all leaves. Throws std::bad_alloc.
  static Space spaceForAll(const Leaves &leaves,
                           const MergedLeaves<Layout> &merged) {
    return {patchCount(merged),
            most(merged, 0, std::max<std::size_t>(leaves.size(), 1)), 1};
  }

  /// The segments of all leaves, which stay as they are; patches are applied to
  /// copies. `space` is that of spaceForAll().
  template <typename Changes>
  Segments(const Leaves &leaves, const MergedLeaves<Layout> &merged,
           const Changes &changes, Space &space)
      : Base(space, 0) {
    collect(leaves, merged, 0, leaves.size(),
            [&](std::size_t group, std::size_t leaf) {
              const View view = leaves.view(leaf);
              if (group == merged.groupCount() || !merged.isChanged(group))
                return view;
              std::byte *const copy = nextCopy();
              return patch<Layout>(copy, detail::copied(view, copy),
                                   merged.placeOf(group),
                                   changes[merged.firstKey(group)]);
            });
  }

  std::size_t load() const { return totalLoad; }
  std::size_t heads() const { return count; }

private:
  static std::size_t patchCount(const MergedLeaves<Layout> &merged) {
    std::size_t count = 0;
    for (std::size_t group = 0; group < merged.groupCount(); ++group)
      count += merged.isPatched(group) && merged.isChanged(group);
    return count;
  }

  /// `viewOf(group, leaf)` returns the elements of a leaf that is not merged;
  /// `group` is its group, or the end of all groups.
  template <typename ViewOf>
  void collect(const Leaves &leaves, const MergedLeaves<Layout> &merged,
               std::size_t first, std::size_t last, ViewOf viewOf) {
    std::size_t group = merged.find(first);
    for (std::size_t leaf = first; leaf < last; ++leaf) {
      const bool hasGroup =
          group < merged.groupCount() && merged.leafOf(group) == leaf;
      if (hasGroup && merged.isChanged(group) && !merged.isPatched(group)) {
        for (const View &piece : merged.piecesOf(group))
          add(piece);
      } else {
        add(viewOf(hasGroup ? group : merged.groupCount(), leaf));
      }
      group += hasGroup;
    }
    // Without leaves, the first group has all elements.
    if (leaves.empty())
      for (const View &piece : merged.piecesOf(0))
        add(piece);
    HEDDLE_ASSERT(totalWeight == Layout::Density::mostWeight(totalLoad, count));
  }

  std::byte *nextCopy() {
    return std::exchange(copies, copies + Traits::LeafBytes);
  }

  void add(const View &view) {
    if (view.count == 0)
      return;
    views[count] = view;
    weights[count++] = totalWeight;
    totalWeight += detail::weightOf(view);
    totalLoad += view.load();
  }

  using Base::copies, Base::views, Base::weights;
  using Base::count, Base::totalWeight;
  std::size_t totalLoad = 0;
};

} // namespace heddle::graph::cpmagraph

#endif
