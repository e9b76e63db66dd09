//===- pma/Overflows.h - What leaves could not hold ------------*- C++ -*-===//
//
// A leaf into which more is merged than it can hold stays as it was, and what
// it would have become lies here until it is spread over more leaves (CPMA,
// section 4, figure 4). Nothing of this is kept in the leaf but a mark.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_PMA_OVERFLOWS_H
#define HEDDLE_GRAPH_DETAIL_PMA_OVERFLOWS_H

#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/pma/Groups.h"
#include "heddle/graph/detail/pma/LeafUpdate.h"

#include <cstddef>
#include <cstdint>

namespace heddle::graph::detail {

/// What leaves would have become that could not hold it.
template <typename Traits> class Overflows {
public:
  using Codec = typename Traits::Codec;
  using Key = typename Traits::Key;

  /// Room for all leaves that might overflow. Throws std::bad_alloc.
  Overflows(const Leaves<Traits> &leaves, const Groups<Traits> &groups)
      : groups(groups), begins(groups.size() + 1) {
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < groups.size(); ++i) {
      begins[i] = bytes;
      const std::size_t load = leaves.load(groups[i].leaf);
      if (load + groups.sizeOf(i) * Traits::MostElementBytes > Traits::Capacity)
        bytes += roomFor(load, groups.sizeOf(i));
    }
    begins[groups.size()] = bytes;
    memory.allocate(bytes);
  }

  /// Whether a group's leaf might overflow.
  bool hasRoom(std::size_t group) const {
    return begins[group] < begins[group + 1];
  }

  /// Writes to the room of a group; `elements` is how many there may be.
  ElementWriter<Traits> writer(std::size_t group, std::size_t elements) {
    HEDDLE_ASSERT(hasRoom(group));
    std::byte *begin = memory.data() + begins[group];
    std::byte *end = memory.data() + begins[group + 1];
    return {begin + sizeof(Header) + frontOf(end - begin),
            end - elements * Traits::ValueBytes};
  }

  /// Says of a leaf that it has overflowed into its room.
  void keep(std::size_t group, const LeafView<Traits> &view, LeafFill &fill) {
    HEDDLE_ASSERT(hasRoom(group) && !isMarked(fill));
    const Header header = {view, fill.codeBytes};
    std::memcpy(memory.data() + begins[group], &header, sizeof(header));
    fill.codeBytes = Mark;
  }

  static bool isMarked(LeafFill fill) { return fill.codeBytes == Mark; }
  LeafView<Traits> view(std::size_t group) const { return header(group).view; }

  /// Makes a leaf what it was.
  void forget(std::size_t group, LeafFill &fill) const {
    HEDDLE_ASSERT(isMarked(fill));
    fill.codeBytes = header(group).codeBytesBefore;
  }

private:
  struct Header {
    LeafView<Traits> view;
    std::uint16_t codeBytesBefore;
  };

  static constexpr std::size_t FewBytes = 8 * Traits::LeafBytes;

  /// More than any leaf has.
  static constexpr std::uint16_t Mark = 0xffff;

  static std::size_t roomFor(std::size_t load, std::size_t fresh) {
    const std::size_t bytes = sizeof(Header) + load + Traits::Codec::Slack +
                              fresh * Traits::MostElementBytes;
    return bytes + Traits::Codec::frontBytes(2 * bytes);
  }

  /// What is left for what belongs in front of codes in so large a room.
  static std::size_t frontOf(std::ptrdiff_t room) {
    return Traits::Codec::frontBytes(static_cast<std::size_t>(room));
  }

  Header header(std::size_t group) const {
    HEDDLE_ASSERT(hasRoom(group));
    Header header;
    std::memcpy(&header, memory.data() + begins[group], sizeof(header));
    return header;
  }

  const Groups<Traits> &groups;
  Scratch<std::size_t> begins; ///< of rooms, in bytes
  Scratch<std::byte, FewBytes> memory;
};

/// What is in each leaf while some have overflowed.
template <typename Traits> struct Contents {
  const Leaves<Traits> &leaves;
  const Groups<Traits> &groups;
  const Overflows<Traits> &overflows;

  LeafView<Traits> view(std::size_t leaf) const {
    return Overflows<Traits>::isMarked(leaves.fill(leaf))
               ? overflows.view(groups.find(leaf))
               : leaves.view(leaf);
  }
};

} // namespace heddle::graph::detail

#endif
