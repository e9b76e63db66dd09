//===- pma/LeafUpdate.h - Searching and changing one leaf ------*- C++ -*-===//
//
// The first two steps of an update: searching and changing a leaf (CPMA,
// section 3). These functions ignore densities: the caller makes sure that
// there is room, and brings the leaf back within its bounds.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_PMA_LEAFUPDATE_H
#define HEDDLE_GRAPH_DETAIL_PMA_LEAFUPDATE_H

#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/pma/Leaves.h"

namespace heddle::graph::detail {

/// The position of a key in a leaf: the first element that is not below it.
template <typename Key> struct LeafPlace {
  std::size_t index;      ///< of that element
  std::size_t code;       ///< where its code begins, in bytes
  std::size_t codeEnd;    ///< where its code ends
  Key before = 0, at = 0; ///< the keys of the element before it and its own
  bool found = false;
};

/// Finds a key in a leaf that is not empty.
template <typename Traits>
LeafPlace<typename Traits::Key> locate(const LeafView<Traits> &leaf,
                                       typename Traits::Key key) {
  using Key = typename Traits::Key;
  using Codec = typename Traits::Codec;
  HEDDLE_ASSERT(leaf.count > 0);
  if (key <= leaf.head)
    return {0, 0, 0, 0, leaf.head, key == leaf.head};
  if constexpr (Codec::FixedWidth) {
    std::size_t below = 0;
    Key before = leaf.head, at = 0;
    for (std::size_t i = 0; i + 1 < leaf.count; ++i) {
      std::memcpy(&at, leaf.codes + i * sizeof(Key), sizeof(at));
      below += at < key;
    }
    const std::size_t code = below * sizeof(Key);
    if (below > 0)
      std::memcpy(&before, leaf.codes + code - sizeof(Key), sizeof(before));
    if (below + 1 == leaf.count)
      return {leaf.count, code, code, before, 0, false};
    std::memcpy(&at, leaf.codes + code, sizeof(at));
    return {below + 1, code, code + sizeof(Key), before, at, at == key};
  } else {
    const auto place =
        Codec::search(leaf.codes, leaf.codeBytes, leaf.head, key);
    const bool isLast = place.code == leaf.codeBytes;
    const std::size_t index =
        isLast ? leaf.count : 1 + Codec::codesIn(leaf.codes, place.code);
    return {index,        place.code, place.codeEnd,
            place.before, place.at,   !isLast && place.at == key};
  }
}

/// Whether a leaf that is not empty has a key.
template <typename Traits>
bool leafContains(const LeafView<Traits> &leaf, typename Traits::Key key) {
  using Key = typename Traits::Key;
  using Codec = typename Traits::Codec;
  if constexpr (Codec::FixedWidth) {
    bool found = leaf.head == key;
    for (std::size_t i = 0; i + 1 < leaf.count; ++i) {
      Key at;
      std::memcpy(&at, leaf.codes + i * sizeof(Key), sizeof(at));
      found |= at == key;
    }
    return found;
  } else {
    return Codec::contains(leaf.codes, leaf.codeBytes, leaf.head, key);
  }
}

/// Puts a key and its value into a leaf that has room for them. Unlike
/// elsewhere, the leaf may be empty. Returns false, and changes nothing, if the
/// leaf has the key already.
template <typename Traits>
bool insertOne(Leaves<Traits> &leaves, std::size_t leaf,
               typename Traits::Key key, typename Traits::Value value) {
  using Codec = typename Traits::Codec;
  LeafFill &fill = leaves.fill(leaf);
  if (fill.count == 0) {
    leaves.setHead(leaf, key);
    fill = {0, 1};
    storeValue(leaves.values(leaf, 1), value);
    return true;
  }
  const LeafView<Traits> view = leaves.view(leaf);
  const auto place = locate(view, key);
  if (place.found)
    return false;
  HEDDLE_ASSERT(place.index == 0 || place.before < key);
  HEDDLE_ASSERT(place.index == view.count || key < place.at);

  // The code at the position is replaced by the codes of the key and of the
  // element behind it.
  typename Codec::Patch fresh;
  if (place.index > 0)
    fresh.put(place.before, key);
  else
    leaves.setHead(leaf, key);
  if (place.index < view.count)
    fresh.put(key, place.at);
  Codec::splice(leaves.codes(leaf), view.codeBytes, place.code, place.codeEnd,
                fresh);

  if constexpr (Traits::HasValues) {
    std::byte *values = leaves.values(leaf, view.count + 1);
    std::memmove(values, values + Traits::ValueBytes,
                 place.index * Traits::ValueBytes);
    storeValue(values + place.index * Traits::ValueBytes, value);
  }
  fill = {static_cast<std::uint16_t>(view.codeBytes + fresh.position() +
                                     place.code - place.codeEnd),
          static_cast<std::uint16_t>(view.count + 1)};
  HEDDLE_ASSERT(leaves.load(leaf) <= Traits::Capacity);
  return true;
}

/// Takes a key out of a leaf and sets `value` to its value. A leaf that becomes
/// empty keeps its head. Returns false if the key was not there.
template <typename Traits>
bool eraseOne(Leaves<Traits> &leaves, std::size_t leaf,
              typename Traits::Key key, typename Traits::Value &value) {
  using Key = typename Traits::Key;
  using Codec = typename Traits::Codec;
  const LeafView<Traits> view = leaves.view(leaf);
  if (view.count == 0)
    return false;
  const auto place = locate(view, key);
  if (!place.found)
    return false;

  // The codes of the key and of the element behind it are replaced by one code,
  // or by none.
  typename Codec::Patch fresh;
  std::size_t codeEnd = place.codeEnd;
  if (place.index + 1 < view.count) {
    Key after = place.at;
    typename Codec::Reader codes(view.codes, codeEnd);
    codes.next(after);
    codeEnd = codes.position();
    if (place.index > 0)
      fresh.put(place.before, after);
    else
      leaves.setHead(leaf, after);
  }
  Codec::splice(leaves.codes(leaf), view.codeBytes, place.code, codeEnd, fresh);

  if constexpr (Traits::HasValues) {
    std::byte *values = leaves.values(leaf, view.count);
    value = loadValue<typename Traits::Value>(values +
                                              place.index * Traits::ValueBytes);
    std::memmove(values + Traits::ValueBytes, values,
                 place.index * Traits::ValueBytes);
  }
  leaves.fill(leaf) = {static_cast<std::uint16_t>(view.codeBytes +
                                                  fresh.position() +
                                                  place.code - codeEnd),
                       static_cast<std::uint16_t>(view.count - 1)};
  HEDDLE_ASSERT(leaves.load(leaf) < view.load() + Traits::Codec::MostCodeBytes);
  return true;
}

/// Writes ascending elements in the layout of a leaf. `codes` and `values` must
/// have room for all of them, for the codec's slack, and for the bytes in front
/// of codes.
template <typename Traits> class ElementWriter {
public:
  using Key = typename Traits::Key;

  ElementWriter(std::byte *codes, std::byte *values)
      : codes(codes), writer(codes), values(values), nextValue(values) {}

  /// `value` points to ValueBytes bytes.
  void put(Key key, const std::byte *value) {
    HEDDLE_ASSERT(count == 0 || last < key);
    if (count++ == 0)
      head = key;
    else
      writer.put(last, key);
    last = key;
    if constexpr (Traits::HasValues) {
      std::memcpy(nextValue, value, Traits::ValueBytes);
      nextValue += Traits::ValueBytes;
    }
  }

  LeafView<Traits> view() const {
    return {head, codes, values, writer.position(), count};
  }

private:
  Key head = 0, last = 0;
  std::byte *codes;
  typename Traits::Codec::Writer writer;
  std::byte *values, *nextValue;
  std::size_t count = 0;
};

/// Replaces the elements of a leaf by those of `content`, which must fit. A
/// leaf that becomes empty keeps its head. The codes of `content` may be those
/// of the leaf.
template <typename Traits>
void writeLeaf(Leaves<Traits> &leaves, std::size_t leaf,
               const LeafView<Traits> &content) {
  HEDDLE_ASSERT(content.load() <= Traits::Capacity);
  if (content.codes != leaves.codes(leaf))
    Traits::Codec::copy(leaves.codes(leaf), content.codes, content.codeBytes);
  if constexpr (Traits::HasValues)
    std::memcpy(leaves.values(leaf, content.count), content.values,
                content.count * Traits::ValueBytes);
  leaves.fill(leaf) = {static_cast<std::uint16_t>(content.codeBytes),
                       static_cast<std::uint16_t>(content.count)};
  if (content.count > 0)
    leaves.setHead(leaf, content.head);
}

} // namespace heddle::graph::detail

#endif
