//===- pma/Regions.h - The counting phase ----------------------*- C++ -*-===//
//
// Finds the nodes whose elements must be redistributed so that all leaves are
// within their bounds again (CPMA, section 4, "Counting phase"). Changed leaves
// are visited in order, and so are the parents of the leaves out of bounds. One
// list therefore replaces the sets and caches of the paper: a parent replaces
// all of its descendants in it, and takes over their counts.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_PMA_REGIONS_H
#define HEDDLE_GRAPH_DETAIL_PMA_REGIONS_H

#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/pma/Density.h"
#include "heddle/graph/detail/pma/Leaves.h"

#include <algorithm>
#include <cstddef>

namespace heddle::graph::detail {

/// A node of the implicit tree, and the bytes that its elements take. It is
/// settled if it is within bounds.
struct Region {
  std::size_t first; ///< leaf
  std::size_t load;
  unsigned level;
  bool settled;

  /// Behind its last one, of `leaves` in all.
  std::size_t end(std::size_t leaves) const {
    return std::min(first + (std::size_t(1) << level), leaves);
  }
};

/// Finds, for leaves that are out of bounds, the lowest nodes above them that
/// are within. Counts every leaf at most once.
template <typename Traits> class RegionFinder {
public:
  RegionFinder(const Leaves<Traits> &leaves, const Density<Traits> &density)
      : leaves(leaves), density(density),
        root(Density<Traits>::rootLevel(leaves.size())) {}

  unsigned rootLevel() const { return root; }

  /// Replaces each unsettled region of a list by its lowest ancestor that is
  /// settled, or by its ancestor of level `top`; an ancestor also replaces all
  /// other regions in it. The list must ascend without overlaps, and its
  /// unsettled regions must be of level `level`. Returns the end of the list.
  Region *climb(Region *begin, Region *end, unsigned level,
                unsigned top) const {
    bool unsettled = true;
    for (; level < top && unsettled; ++level) {
      unsettled = false;
      Region *out = begin;
      for (Region *in = begin; in != end;) {
        if (in->settled) {
          *out++ = *in++;
          continue;
        }
        HEDDLE_ASSERT(in->level == level);
        Region parent = {in->first >> (level + 1) << (level + 1), 0, level + 1,
                         false};
        Region *child = out;
        while (child != begin && child[-1].first >= parent.first)
          --child;
        in = count(parent, child, out, in, end);
        unsettled |= !parent.settled;
        out = child;
        *out++ = parent;
      }
      end = out;
    }
    return end;
  }

private:
  /// Counts the load of a parent: the loads of its descendants in the list,
  /// from `child` to `childEnd` and from `in` on, and of the leaves between
  /// these. Returns the first region behind the parent.
  Region *count(Region &parent, const Region *child, const Region *childEnd,
                Region *in, const Region *listEnd) const {
    HEDDLE_ASSERT(parent.first < leaves.size() && parent.level <= root);
    const std::size_t parentEnd = parent.end(leaves.size());
    std::size_t counted = parent.first;
    const auto add = [&](const Region &region) {
      parent.load += leaves.load(counted, region.first) + region.load;
      counted = region.end(leaves.size());
      HEDDLE_ASSERT(region.first < counted && counted <= parentEnd);
    };
    for (; child != childEnd; ++child)
      add(*child);
    for (; in != listEnd && in->first < parentEnd; ++in)
      add(*in);
    parent.load += leaves.load(counted, parentEnd);
    parent.settled = density.isWithin(root, parent.level,
                                      parentEnd - parent.first, parent.load);
    return in;
  }

  const Leaves<Traits> &leaves;
  const Density<Traits> &density;
  const unsigned root;
};

} // namespace heddle::graph::detail

#endif
