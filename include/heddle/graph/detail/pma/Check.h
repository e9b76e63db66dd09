//===- pma/Check.h - Invariants between updates -----------------*- C++ -*-===//
//
// Checks all invariants that hold between updates. For tests.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_PMA_CHECK_H
#define HEDDLE_GRAPH_DETAIL_PMA_CHECK_H

#include "heddle/graph/detail/pma/Density.h"
#include "heddle/graph/detail/pma/Leaves.h"

#include <cstddef>
#include <limits>
#include <string>

namespace heddle::graph::detail {

/// Describes the error in a leaf; empty if there is none. Its keys must be at
/// least `lowest`, which is set to the lowest key that the next leaf may have.
template <typename Traits>
std::string checkLeaf(const Leaves<Traits> &leaves, std::size_t leaf,
                      typename Traits::Key &lowest, bool &mayHaveMore) {
  using Key = typename Traits::Key;
  const LeafView<Traits> view = leaves.view(leaf);
  if (view.count == 0)
    return "is empty";
  if (view.load() > Traits::MostLoad)
    return "is too full";
  if (!mayHaveMore || view.head < lowest)
    return "begins below the end of the one before";
  if (leaves.find(view.head) != leaf)
    return "is not found by its head";

  Key key = view.head;
  typename Traits::Codec::Reader codes(view.codes);
  for (std::size_t i = 1; i < view.count; ++i) {
    const Key before = key;
    const std::size_t position = codes.position();
    if (position >= view.codeBytes)
      return "has fewer codes than elements";
    codes.next(key);
    if (key <= before)
      return "has keys that do not ascend";
    if (codes.position() - position != Traits::Codec::codeBytes(before, key))
      return "has a code longer than needed";
  }
  if (codes.position() != view.codeBytes)
    return "has more codes than elements";
  if (leaves.find(key) != leaf)
    return "is not found by its last key";
  mayHaveMore = key != std::numeric_limits<Key>::max();
  lowest = static_cast<Key>(key + mayHaveMore);
  return "";
}

/// Describes the first error in leaves that should have `count` elements; empty
/// if there is none.
template <typename Traits>
std::string checkLeaves(const Leaves<Traits> &leaves, std::size_t count) {
  typename Traits::Key lowest = 0;
  bool mayHaveMore = true;
  std::size_t found = 0;
  for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
    const std::string fault = checkLeaf(leaves, leaf, lowest, mayHaveMore);
    if (!fault.empty())
      return "leaf " + std::to_string(leaf) + " of " +
             std::to_string(leaves.size()) + " " + fault;
    found += leaves.fill(leaf).count;
  }
  if (found != count)
    return "leaves have " + std::to_string(found) + " elements, not " +
           std::to_string(count);
  return "";
}

} // namespace heddle::graph::detail

#endif
