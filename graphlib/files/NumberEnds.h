//===- NumberEnds.h - The ends of the numbers of a text --------*- C++ -*-===//
//
// A branch predictor cannot know the end of a number. All bytes that are no
// digits are therefore found first, 64 at a time and without branches that
// depend on them; the parser knows the end of each number before it begins to
// parse it, and the processor can work on the next ones meanwhile.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPHLIB_FILES_NUMBERENDS_H
#define HEDDLE_GRAPHLIB_FILES_NUMBERENDS_H

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace heddle::graph {

class NumberEnds {
public:
  /// The most bytes that are looked at at once.
  static constexpr std::size_t WindowBytes = 4096;
  /// Bytes behind a text that must be readable; their values do not matter.
  static constexpr std::size_t ReadableBehind = 64;

  /// Finds the ends in the first WindowBytes of a text, or all of it, and
  /// returns the number of bytes searched.
  std::size_t find(const char *text, std::size_t size) {
    size = std::min(size, WindowBytes);
    std::size_t block = 0;
    count = 0;
    for (; block + BlockBytes <= size; block += BlockBytes)
      add(block, nonDigits(text + block));
    if (block < size)
      add(block,
          nonDigits(text + block) & ((std::uint64_t(1) << (size - block)) - 1));
    return size;
  }

  /// Offsets from the start of the text, in ascending order.
  const std::uint16_t *begin() const { return offsets.data(); }
  const std::uint16_t *end() const { return offsets.data() + count; }

private:
  static constexpr std::size_t BlockBytes = 64;
  using Bytes = unsigned char __attribute__((ext_vector_type(BlockBytes)));
  using Bits = bool __attribute__((ext_vector_type(BlockBytes)));

  /// A bit for each of 64 bytes, the lowest for the first.
  static std::uint64_t nonDigits(const char *text) {
    Bytes bytes;
    std::memcpy(&bytes, text, sizeof(bytes));
    const Bytes digits = bytes - static_cast<unsigned char>('0');
    return std::bit_cast<std::uint64_t>(
        __builtin_convertvector(digits > 9, Bits));
  }

  /// Adds the offsets of the bits of `ends`; a few at once, with worthless ones
  /// behind the last.
  void add(std::size_t block, std::uint64_t ends) {
    const auto found = static_cast<std::size_t>(std::popcount(ends));
    std::uint16_t *to = offsets.data() + count;
    count += found;
    for (std::size_t done = 0; done < found; done += AtOnce)
      for (std::size_t i = 0; i < AtOnce; ++i) {
        *to++ = static_cast<std::uint16_t>(
            block + static_cast<unsigned>(std::countr_zero(ends)));
        ends &= ends - 1;
      }
  }

  static constexpr std::size_t AtOnce = 8;

  std::array<std::uint16_t, WindowBytes + AtOnce> offsets;
  std::size_t count = 0;
};

} // namespace heddle::graph

#endif
