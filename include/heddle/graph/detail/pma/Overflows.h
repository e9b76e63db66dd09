//===- pma/Overflows.h - Elements that do not fit in leaves -----*- C++ -*-===//
//
// If a merge gives a leaf more elements than fit, the leaf is left unchanged
// and marked. The merged elements are kept in a buffer until they are spread
// over more leaves (CPMA, section 4, figure 4).
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

/// The merged elements of leaves that are too small for them.
template <typename Traits> class Overflows {
public:
  using Codec = typename Traits::Codec;
  using Key = typename Traits::Key;

  /// Allocates a buffer for each leaf that might overflow. Throws
  /// std::bad_alloc.
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

  /// Whether the leaf of a group might overflow, and so has a buffer.
  bool hasRoom(std::size_t group) const {
    return begins[group] < begins[group + 1];
  }

  /// A writer into the buffer of a group, for up to `elements` elements.
  ElementWriter<Traits> writer(std::size_t group, std::size_t elements) {
    HEDDLE_ASSERT(hasRoom(group));
    std::byte *begin = memory.data() + begins[group];
    std::byte *end = memory.data() + begins[group + 1];
    return {begin + sizeof(Header) + frontOf(end - begin),
            end - elements * Traits::ValueBytes};
  }

  /// Marks a leaf as overflowed; `view` is in its buffer.
  void keep(std::size_t group, const LeafView<Traits> &view, LeafFill &fill) {
    HEDDLE_ASSERT(hasRoom(group) && !isMarked(fill));
    const Header header = {view, fill.codeBytes};
    std::memcpy(memory.data() + begins[group], &header, sizeof(header));
    fill.codeBytes = Mark;
  }

  static bool isMarked(LeafFill fill) { return fill.codeBytes == Mark; }
  LeafView<Traits> view(std::size_t group) const { return header(group).view; }

  /// Removes the mark from a leaf.
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

  /// More code bytes than any leaf has.
  static constexpr std::uint16_t Mark = 0xffff;

  static std::size_t roomFor(std::size_t load, std::size_t fresh) {
    const std::size_t bytes = sizeof(Header) + load + Traits::Codec::Slack +
                              fresh * Traits::MostElementBytes;
    return bytes + Traits::Codec::frontBytes(2 * bytes);
  }

  /// The bytes in front of the codes in a buffer of `room` bytes.
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
  Scratch<std::size_t> begins; ///< offset of each group's buffer in `memory`
  Scratch<std::byte, FewBytes> memory;
};

} // namespace heddle::graph::detail

#endif
