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
  using Codec = typename Traits::Codec;
  HEDDLE_ASSERT(leaf.count > 0);
  if (key <= leaf.head)
    return {0, 0, 0, 0, leaf.head, key == leaf.head};
  const auto place = Codec::search(leaf.codes, leaf.codeBytes, leaf.head, key);
  const bool isLast = place.code == leaf.codeBytes;
  const std::size_t index =
      isLast ? leaf.count : 1 + Codec::codesIn(leaf.codes, place.code);
  return {index,        place.code, place.codeEnd,
          place.before, place.at,   !isLast && place.at == key};
}

/// The codes of a key that is not there, at its position, and of the element
/// behind it. They replace the code of the latter.
template <typename Traits>
typename Traits::Codec::Patch
codesWith(const LeafView<Traits> &leaf,
          const LeafPlace<typename Traits::Key> &place,
          typename Traits::Key key) {
  HEDDLE_ASSERT(place.index == 0 || place.before < key);
  HEDDLE_ASSERT(place.index == leaf.count || key < place.at);
  typename Traits::Codec::Patch codes;
  if (place.index > 0)
    codes.put(place.before, key);
  if (place.index < leaf.count)
    codes.put(key, place.at);
  return codes;
}

/// What is left of the codes of a key and of the element behind it when the key
/// is gone: one code, or none.
template <typename Traits> struct CodesWithout {
  typename Traits::Key after; ///< behind the key, or the key if it is the last
  std::size_t end;            ///< of the codes that are replaced
  typename Traits::Codec::Patch codes;

  CodesWithout(const LeafView<Traits> &leaf,
               const LeafPlace<typename Traits::Key> &place)
      : after(place.at), end(place.codeEnd) {
    if (place.index + 1 == leaf.count)
      return;
    typename Traits::Codec::Reader behind(leaf.codes, end);
    behind.next(after);
    end = behind.position();
    if (place.index > 0)
      codes.put(place.before, after);
  }
};

/// Inserts a key and its value into the leaf at `start`, whose elements are
/// `old` and which has room for one more. Returns its new elements.
template <typename Traits>
LeafView<Traits> insertAt(std::byte *start, const LeafView<Traits> &old,
                          const LeafPlace<typename Traits::Key> &place,
                          typename Traits::Key key, const std::byte *value) {
  std::byte *const codes = start + Traits::FrontBytes;
  std::byte *const values =
      start + Traits::LeafBytes - (old.count + 1) * Traits::ValueBytes;
  const auto fresh = codesWith(old, place, key);
  Traits::Codec::splice(codes, old.codeBytes, place.code, place.codeEnd, fresh);
  if constexpr (Traits::HasValues) {
    std::memmove(values, old.values, place.index * Traits::ValueBytes);
    std::memcpy(values + place.index * Traits::ValueBytes, value,
                Traits::ValueBytes);
  }
  return {place.index > 0 ? old.head : key, codes, values,
          old.codeBytes + fresh.position() + place.code - place.codeEnd,
          old.count + 1};
}

/// Takes a key that is there out of such a leaf. A leaf that becomes empty
/// keeps its head.
template <typename Traits>
LeafView<Traits> eraseAt(std::byte *start, const LeafView<Traits> &old,
                         const LeafPlace<typename Traits::Key> &place) {
  std::byte *const codes = start + Traits::FrontBytes;
  std::byte *const values =
      start + Traits::LeafBytes - (old.count - 1) * Traits::ValueBytes;
  const CodesWithout<Traits> rest(old, place);
  Traits::Codec::splice(codes, old.codeBytes, place.code, rest.end, rest.codes);
  if constexpr (Traits::HasValues)
    std::memmove(values, old.values, place.index * Traits::ValueBytes);
  return {place.index > 0 ? old.head : rest.after, codes, values,
          old.codeBytes + rest.codes.position() + place.code - rest.end,
          old.count - 1};
}

/// Records the elements of a leaf that has been changed in place.
template <typename Traits>
void setElements(Leaves<Traits> &leaves, std::size_t leaf,
                 const LeafView<Traits> &elements) {
  HEDDLE_ASSERT(elements.load() <= Traits::Capacity);
  leaves.fill(leaf) = {static_cast<std::uint16_t>(elements.codeBytes),
                       static_cast<std::uint16_t>(elements.count)};
  if (elements.head != leaves.head(leaf))
    leaves.setHead(leaf, elements.head);
}

/// Puts a key and its value into a leaf that has room for them. Unlike
/// elsewhere, the leaf may be empty. Returns false, and changes nothing, if the
/// leaf has the key already.
template <typename Traits>
bool insertOne(Leaves<Traits> &leaves, std::size_t leaf,
               typename Traits::Key key, typename Traits::Value value) {
  if (leaves.fill(leaf).count == 0) {
    leaves.setHead(leaf, key);
    leaves.fill(leaf) = {0, 1};
    storeValue(leaves.values(leaf, 1), value);
    return true;
  }
  const LeafView<Traits> view = leaves.view(leaf);
  const auto place = locate(view, key);
  if (place.found)
    return false;
  setElements(leaves, leaf,
              insertAt(leaves.start(leaf), view, place, key,
                       reinterpret_cast<const std::byte *>(&value)));
  return true;
}

/// Takes a key out of a leaf and sets `value` to its value. A leaf that becomes
/// empty keeps its head. Returns false if the key was not there.
template <typename Traits>
bool eraseOne(Leaves<Traits> &leaves, std::size_t leaf,
              typename Traits::Key key, typename Traits::Value &value) {
  const LeafView<Traits> view = leaves.view(leaf);
  if (view.count == 0)
    return false;
  const auto place = locate(view, key);
  if (!place.found)
    return false;
  value = loadValue<typename Traits::Value>(view.values +
                                            place.index * Traits::ValueBytes);
  setElements(leaves, leaf, eraseAt(leaves.start(leaf), view, place));
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
