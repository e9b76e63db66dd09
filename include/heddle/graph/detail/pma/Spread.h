//===- pma/Spread.h - Elements evenly over leaves --------------*- C++ -*-===//
//
// The second copy of a redistribution, and the only one of a rebuild (CPMA,
// section 4). Elements have weights, the bytes that they take, and thereby
// positions in the sequence of all. Each leaf has an equal share of the
// positions, and begins with the element that is where its share begins: which
// elements it gets is known without those before, so that every thread can
// write leaves of its own.
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

/// Equal shares of a weight. Each is at least as large as any element.
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
/// on. The first one of a leaf weighs as if its code were the longest: that of
/// the element before it, which it depends on, need not be known.
///
/// A source has segments() leaves, of which view(i) is one, and before(i) is
/// the weight of those before it.
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

/// Fills the leaves `first` + i with the elements of a source for i from `from`
/// to `to` - 1. Source::stream(i) goes over all elements from segment i on.
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

/// Spreads the elements of a source, which weigh `weight`, over `leaves` leaves
/// from `first` on. Runs on the threads of OpenMP if that is worth it.
template <typename Traits, typename Source>
void spread(const Source &source, std::size_t weight, Leaves<Traits> &target,
            std::size_t first, std::size_t leaves) {
  constexpr std::size_t LeavesAtOnce = 256;
  const Shares shares(weight, leaves);
  const std::size_t parts = (leaves - 1) / LeavesAtOnce + 1;
  forEachTask(parts, parts > 1, [&](std::size_t part) {
    const std::size_t from = part * LeavesAtOnce;
    spreadPart(source, shares, leaves, target, first, from,
               std::min(from + LeavesAtOnce, leaves));
  });
}

} // namespace heddle::graph::detail

#endif
