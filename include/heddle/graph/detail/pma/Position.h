//===- pma/Position.h - Places in an array ---------------------*- C++ -*-===//
//
// Iterators and ranges step through positions.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_PMA_POSITION_H
#define HEDDLE_GRAPH_DETAIL_PMA_POSITION_H

#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/pma/Leaves.h"

#include <cstddef>

namespace heddle::graph::detail {

/// The position of an element, or the end.
template <typename Traits> class Position {
public:
  Position() = default;

  /// The first element of a leaf, or the end if there is no such leaf.
  Position(const Leaves<Traits> &leaves, std::size_t leaf)
      : leaves(&leaves), leaf(leaf) {
    enter();
  }

  typename Traits::Key key() const { return cursor.key(); }
  const std::byte *value() const { return cursor.valueBytes(); }
  bool isEnd() const { return leaf == leaves->size(); }

  void advance() {
    HEDDLE_ASSERT(!isEnd());
    if (cursor.isLast()) {
      ++leaf;
      enter();
    } else {
      cursor.advance();
      ++index;
    }
  }

  bool operator==(const Position &other) const {
    return leaf == other.leaf && index == other.index;
  }

private:
  void enter() {
    index = 0;
    if (leaf < leaves->size())
      cursor = LeafCursor<Traits>(leaves->view(leaf));
  }

  const Leaves<Traits> *leaves = nullptr;
  std::size_t leaf = 0, index = 0;
  LeafCursor<Traits> cursor;
};

} // namespace heddle::graph::detail

#endif
