//===- cpmagraph/PatchLeaf.h - One change of a leaf ------------*- C++ -*-===//
//
// A batch of a usual size changes one key in most of the leaves that it
// changes. Patching such a leaf in place reads and writes only the codes around
// the key, where merging would read and write all of them. As leaves always
// have room for one more element, a patch needs no memory and cannot fail.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_CPMAGRAPH_PATCHLEAF_H
#define HEDDLE_GRAPH_DETAIL_CPMAGRAPH_PATCHLEAF_H

#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/cpmagraph/Changes.h"
#include "heddle/graph/detail/pma/LeafUpdate.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace heddle::graph::cpmagraph {

/// The position of a key in a leaf, and the fill of the leaf after the change.
struct PatchPlace {
  Key before, at;              ///< see detail::LeafPlace
  std::uint16_t index;         ///< of the element
  std::uint16_t code, codeEnd; ///< where its code is
  std::uint16_t codeBytes;     ///< of the leaf afterwards
  std::uint16_t count;         ///< of its elements afterwards
  std::uint16_t newEnd;    ///< of the code of the element that is there then
  std::uint32_t newTarget; ///< of that element, if there is one

  detail::LeafPlace<Key> place() const {
    return {index, code, codeEnd, before, at};
  }
};

/// Computes the change of a leaf if `effect` is applied to `key`, whose
/// position is `place`. The leaf must not be empty.
template <typename Layout>
PatchPlace measurePatch(const detail::LeafView<typename Layout::Traits> &old,
                        const detail::LeafPlace<Key> &place, Key key,
                        Effect effect) {
  HEDDLE_ASSERT(effect == Effect::None ||
                place.found == (effect != Effect::Insert));
  const auto narrow = [](std::size_t number) {
    HEDDLE_ASSERT(number <= Layout::Traits::LeafBytes);
    return static_cast<std::uint16_t>(number);
  };
  PatchPlace result = {place.before,          place.at,
                       narrow(place.index),   narrow(place.code),
                       narrow(place.codeEnd), narrow(old.codeBytes),
                       narrow(old.count),     narrow(place.codeEnd),
                       targetOf(key)};
  if (effect == Effect::Insert) {
    const std::size_t fresh = detail::codesWith(old, place, key).position();
    result.codeBytes =
        narrow(old.codeBytes - (place.codeEnd - place.code) + fresh);
    result.newEnd = narrow(
        place.index > 0
            ? place.code + Layout::Traits::Codec::codeBytes(place.before, key)
            : 0);
    ++result.count;
  } else if (effect == Effect::Erase) {
    const detail::CodesWithout<typename Layout::Traits> rest(old, place);
    const std::size_t fresh = rest.codes.position();
    result.codeBytes = narrow(old.codeBytes - (rest.end - place.code) + fresh);
    result.newEnd = narrow(place.code + fresh);
    result.newTarget = targetOf(rest.after);
    --result.count;
  }
  return result;
}

/// Applies a change to the leaf at `start`, whose elements are `old`. Returns
/// its new elements. A leaf that becomes empty keeps its head.
template <typename Layout>
detail::LeafView<typename Layout::Traits>
patch(std::byte *start, const detail::LeafView<typename Layout::Traits> &old,
      const PatchPlace &place, const Change<Layout> &change) {
  using Traits = typename Layout::Traits;
  const auto value = Layout::valueOf(change.weight);
  const auto *bytes = reinterpret_cast<const std::byte *>(&value);
  switch (change.effect) {
  case Effect::None:
    break;
  case Effect::Insert:
    return detail::insertAt(start, old, place.place(), change.key, bytes);
  case Effect::Erase:
    return detail::eraseAt(start, old, place.place());
  case Effect::Assign:
    std::memcpy(start + Traits::LeafBytes -
                    (old.count - place.index) * Traits::ValueBytes,
                bytes, Traits::ValueBytes);
  }
  return old;
}

/// Applies a change to one of `leaves`.
template <typename Layout>
void patchLeaf(typename Layout::Leaves &leaves, std::size_t leaf,
               const PatchPlace &place, const Change<Layout> &change) {
  detail::setElements(
      leaves, leaf,
      patch<Layout>(leaves.start(leaf), leaves.view(leaf), place, change));
  HEDDLE_ASSERT(leaves.fill(leaf).codeBytes == place.codeBytes &&
                leaves.fill(leaf).count == place.count);
}

} // namespace heddle::graph::cpmagraph

#endif
