//===- pma/Spread.h - Elements evenly over leaves --------------*- C++ -*-===//
//
// The second copy of a redistribution, and the only copy of a rebuild (CPMA,
// section 4). The weight of an element is its size in bytes; its position is
// the sum of the weights before it. Each leaf gets an equal share of the
// positions: its first element is the one at which its share begins. A thread
// can therefore write a leaf without knowing the leaves before it.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_PMA_SPREAD_H
#define HEDDLE_GRAPH_DETAIL_PMA_SPREAD_H

#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/Tasks.h"
#include "heddle/graph/detail/pma/LeafUpdate.h"

#include <algorithm>
#include <cstddef>

namespace heddle::graph::detail {

/// Equal shares of a weight. A share must be at least as large as any element.
class Shares {
public:
  Shares(std::size_t weight, std::size_t leaves)
      : each(weight / leaves), larger(weight % leaves) {
    HEDDLE_ASSERT(each > 0);
  }

  std::size_t begin(std::size_t leaf) const {
    return leaf * each + std::min(leaf, larger);
  }

private:
  std::size_t each, larger;
};

/// The elements of leaves, one after the other, from leaf `first` of a source
/// on. The first element of a leaf counts with the longest possible code, as
/// its actual code would depend on the leaf before.
///
/// A source has segments() leaves. view(i) is leaf i, and before(i) is the
/// weight of the leaves before it.
template <typename Traits, typename Source> class LeafStream {
public:
  using Key = typename Traits::Key;

  LeafStream(const Source &source, std::size_t first)
      : source(&source), segment(first) {
    enter();
  }

  bool done() const { return segment == source->segments(); }
  Key key() const { return cursor.key(); }
  const std::byte *value() const { return cursor.valueBytes(); }
  std::size_t weight() const { return elementWeight; }

  void advance() {
    if (cursor.isLast()) {
      ++segment;
      enter();
    } else {
      elementWeight = cursor.advance();
    }
  }

private:
  void enter() {
    for (; segment < source->segments(); ++segment) {
      const LeafView<Traits> view = source->view(segment);
      if (view.count == 0)
        continue;
      cursor = LeafCursor<Traits>(view);
      elementWeight = Traits::MostElementBytes;
      return;
    }
  }

  const Source *source;
  std::size_t segment;
  LeafCursor<Traits> cursor;
  std::size_t elementWeight = 0;
};

/// The last segment of a source that begins at or before a position.
template <typename Source>
std::size_t segmentAt(const Source &source, std::size_t position) {
  std::size_t first = 0, last = source.segments();
  HEDDLE_ASSERT(last > 0 && source.before(0) == 0);
  while (last - first > 1) {
    const std::size_t middle = first + (last - first) / 2;
    (source.before(middle) <= position ? first : last) = middle;
  }
  return first;
}

/// Fills the leaves `first` + i, for i from `from` to `to` - 1, with elements
/// of a source. Source::stream(i) iterates over all elements from segment i on.
template <typename Traits, typename Source>
void spreadPart(const Source &source, const Shares &shares, std::size_t leaves,
                Leaves<Traits> &target, std::size_t first, std::size_t from,
                std::size_t to) {
  std::byte values[Traits::HasValues ? Traits::LeafBytes : 1];
  HEDDLE_ASSERT(from < to && to <= leaves && first + to <= target.size());
  const std::size_t begin = shares.begin(from);
  const std::size_t segment = segmentAt(source, begin);
  std::size_t position = source.before(segment);
  auto stream = source.stream(segment);
  for (; position + stream.weight() <= begin; stream.advance())
    position += stream.weight();

  for (std::size_t i = from; i < to; ++i) {
    ElementWriter<Traits> writer(target.codes(first + i), values);
    const std::size_t end = shares.begin(i + 1);
    do {
      HEDDLE_ASSERT(!stream.done());
      writer.put(stream.key(), stream.value());
      position += stream.weight();
      stream.advance();
    } while (i + 1 == leaves ? !stream.done()
                             : position + stream.weight() <= end);
    HEDDLE_ASSERT(writer.view().load() <= Traits::MostLoad);
    writeLeaf(target, first + i, writer.view());
  }
}

/// Spreads the elements of a source, of total weight `weight`, over `leaves`
/// leaves from `first` on. Runs on the threads of OpenMP if there are many
/// leaves.
template <typename Traits, typename Source>
void spread(const Source &source, std::size_t weight, Leaves<Traits> &target,
            std::size_t first, std::size_t leaves) {
  constexpr std::size_t LeavesAtOnce = 256;
  const Shares shares(weight, leaves);
  forEachRange(leaves, LeavesAtOnce, true,
               [&](std::size_t from, std::size_t to) {
                 spreadPart(source, shares, leaves, target, first, from, to);
               });
}

} // namespace heddle::graph::detail

#endif
