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
};

/// A leaf that is not empty, to be patched.
template <typename Layout> class LeafPatch {
public:
  using Traits = typename Layout::Traits;
  using View = detail::LeafView<Traits>;

  explicit LeafPatch(const View &old) : old(old) {}

  /// Computes the change of the leaf if `effect` is applied to `key`, whose
  /// position is `place`.
  PatchPlace measure(const detail::LeafPlace<Key> &place, Key key,
                     Effect effect) const {
    HEDDLE_ASSERT(effect == Effect::None ||
                  place.found == (effect != Effect::Insert));
    PatchPlace result = {place.before,          place.at,
                         narrow(place.index),   narrow(place.code),
                         narrow(place.codeEnd), narrow(old.codeBytes),
                         narrow(old.count),     narrow(place.codeEnd),
                         targetOf(key)};
    std::size_t end = place.codeEnd;
    std::size_t fresh = 0;
    if (effect == Effect::Insert) {
      fresh = codesWith(result, key).position();
      result.newEnd = narrow(
          place.index > 0 ? place.code + Codec::codeBytes(place.before, key)
                          : 0);
      ++result.count;
    } else if (effect == Effect::Erase) {
      if (place.index + 1 < old.count)
        result.newTarget = targetOf(keyBehind(result, end));
      fresh = codesWithout(result, end).position();
      result.newEnd = narrow(place.code + fresh);
      --result.count;
    } else {
      return result;
    }
    result.codeBytes = narrow(old.codeBytes - (end - place.code) + fresh);
    return result;
  }

  /// Applies the change to the leaf, or to a copy at `leaf`. Returns the new
  /// elements. A leaf that becomes empty keeps its head.
  View apply(const PatchPlace &place, const Change<Layout> &change,
             std::byte *leaf) const {
    std::byte *const codes = leaf + Traits::FrontBytes;
    std::byte *const values =
        leaf + Traits::LeafBytes - place.count * Traits::ValueBytes;
    if (codes != old.codes)
      Traits::Codec::copy(codes, old.codes, old.codeBytes);
    const auto value = Layout::valueOf(change.weight);
    const auto *bytes = reinterpret_cast<const std::byte *>(&value);
    Key head = old.head;
    std::size_t end = place.codeEnd;
    switch (change.effect) {
    case Effect::None:
      break;
    case Effect::Insert: {
      if (place.index == 0)
        head = change.key;
      moveValues(values, place.index, 0, bytes);
      const Patch fresh = codesWith(place, change.key);
      Codec::splice(codes, old.codeBytes, place.code, end, fresh);
      break;
    }
    case Effect::Erase: {
      if (place.index == 0 && old.count > 1)
        head = keyBehind(place, end);
      end = place.codeEnd;
      moveValues(values, place.index, 1, nullptr);
      const Patch fresh = codesWithout(place, end);
      Codec::splice(codes, old.codeBytes, place.code, end, fresh);
      break;
    }
    case Effect::Assign:
      moveValues(values, place.index, 1, bytes);
      break;
    }
    HEDDLE_ASSERT(place.codeBytes + place.count * Traits::ValueBytes <=
                  Traits::Capacity);
    return {head, codes, values, place.codeBytes, place.count};
  }

private:
  using Codec = typename Traits::Codec;
  using Patch = typename Codec::Patch;

  static std::uint16_t narrow(std::size_t number) {
    HEDDLE_ASSERT(number <= Traits::LeafBytes);
    return static_cast<std::uint16_t>(number);
  }

  /// The code of `key` and that of the key behind it.
  Patch codesWith(const PatchPlace &place, Key key) const {
    Patch fresh;
    if (place.index > 0)
      fresh.put(place.before, key);
    if (place.index < old.count)
      fresh.put(key, place.at);
    return fresh;
  }

  /// The code that replaces the codes of the key and of the element behind it.
  /// Sets `end` to the end of the latter.
  Patch codesWithout(const PatchPlace &place, std::size_t &end) const {
    Patch fresh;
    if (place.index + 1u < old.count) {
      const Key after = keyBehind(place, end);
      if (place.index > 0)
        fresh.put(place.before, after);
    }
    return fresh;
  }

  Key keyBehind(const PatchPlace &place, std::size_t &end) const {
    Key after = place.at;
    typename Codec::Reader behind(old.codes, place.codeEnd);
    behind.next(after);
    end = behind.position();
    return after;
  }

  /// Copies the values to their new addresses, in order. `gone` values from
  /// `index` on are replaced by `value`, or dropped if `value` is null.
  void moveValues(std::byte *to, std::size_t index, std::size_t gone,
                  const std::byte *value) const {
    if constexpr (Traits::HasValues) {
      constexpr std::size_t size = Traits::ValueBytes;
      std::memmove(to, old.values, index * size);
      to += index * size;
      if (value) {
        std::memcpy(to, value, size);
        to += size;
      }
      std::memmove(to, old.values + (index + gone) * size,
                   (old.count - index - gone) * size);
    }
  }

  const View old;
};

/// Applies a change to its leaf.
template <typename Layout>
void patchLeaf(typename Layout::Leaves &leaves, std::size_t leaf,
               const PatchPlace &place, const Change<Layout> &change) {
  const auto view = LeafPatch<Layout>(leaves.view(leaf))
                        .apply(place, change, leaves.start(leaf));
  leaves.fill(leaf) = {static_cast<std::uint16_t>(view.codeBytes),
                       static_cast<std::uint16_t>(view.count)};
  if (view.head != leaves.head(leaf))
    leaves.setHead(leaf, view.head);
}

} // namespace heddle::graph::cpmagraph

#endif
