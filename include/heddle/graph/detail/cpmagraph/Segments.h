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

/// Memory for the segments of one region per thread.
template <typename Layout> struct SegmentSpace {
  using Traits = typename Layout::Traits;

  SegmentSpace() = default;

  /// For up to `leaves` leaves and `segments` segments per thread. Throws
  /// std::bad_alloc.
  SegmentSpace(std::size_t leaves, std::size_t segments, std::size_t threads)
      : leaves(leaves), segments(segments),
        copies(leaves * threads * Traits::LeafBytes), views(segments * threads),
        weights(segments * threads) {}

  std::size_t leaves = 0, segments = 0;
  Array<std::byte> copies;
  Array<detail::LeafView<Traits>> views;
  Array<std::size_t> weights;
};

/// The future elements of a region: those of its leaves, and of the pieces that
/// replace some of its leaves. A source of spread().
template <typename Layout> class Segments {
public:
  using Traits = typename Layout::Traits;
  using Leaves = typename Layout::Leaves;
  using View = detail::LeafView<Traits>;

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
           std::size_t first, std::size_t last, SegmentSpace<Layout> &space,
           std::size_t thread)
      : views(space.views.data() + thread * space.segments),
        weights(space.weights.data() + thread * space.segments) {
    std::byte *copies =
        space.copies.data() + thread * space.leaves * Traits::LeafBytes;
    collect(leaves, merged, first, last, [&](std::size_t, std::size_t leaf) {
      View view = leaves.view(leaf);
      copyLeaf(leaves.start(leaf), copies, view);
      copies += Traits::LeafBytes;
      return view;
    });
  }

  /// The segments of all leaves, which stay as they are; patches are applied to
  /// copies. Throws std::bad_alloc.
  template <typename Changes>
  Segments(const Leaves &leaves, const MergedLeaves<Layout> &merged,
           const Changes &changes)
      : own(patchCount(merged),
            most(merged, 0, std::max<std::size_t>(leaves.size(), 1)), 1),
        views(own.views.data()), weights(own.weights.data()) {
    std::byte *copies = own.copies.data();
    collect(leaves, merged, 0, leaves.size(),
            [&](std::size_t group, std::size_t leaf) {
              const View view = leaves.view(leaf);
              if (group == merged.groupCount() || !merged.isChanged(group))
                return view;
              copies += Traits::LeafBytes;
              return LeafPatch<Layout>(view).apply(
                  merged.placeOf(group), changes[merged.firstKey(group)],
                  copies - Traits::LeafBytes);
            });
  }

  std::size_t load() const { return totalLoad; }
  std::size_t heads() const { return count; }
  std::size_t weight() const { return totalWeight; }
  std::size_t segments() const { return count; }
  const View &view(std::size_t i) const { return views[i]; }
  std::size_t before(std::size_t i) const { return weights[i]; }
  auto stream(std::size_t i) const {
    return detail::LeafStream<Traits, Segments>(*this, i);
  }

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

  static void copyLeaf(const std::byte *from, std::byte *to, View &view) {
    std::memcpy(to, from, Traits::LeafBytes);
    view.codes = to + (view.codes - from);
    view.values = to + (view.values - from);
  }

  void add(const View &view) {
    if (view.count == 0)
      return;
    views[count] = view;
    weights[count++] = totalWeight;
    totalWeight += detail::weightOf(view);
    totalLoad += view.load();
  }

  SegmentSpace<Layout> own;
  View *views;
  std::size_t *weights; ///< sums of those before
  std::size_t count = 0, totalWeight = 0, totalLoad = 0;
};

} // namespace heddle::graph::cpmagraph

#endif
