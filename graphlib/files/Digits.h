//===- Digits.h - Numbers, a word of text at a time ------------*- C++ -*-===//
//
// A text file of a graph consists mostly of digits. Eight of them are found and
// turned into a number with a few operations on a word, without a branch for
// each.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPHLIB_FILES_DIGITS_H
#define HEDDLE_GRAPHLIB_FILES_DIGITS_H

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace heddle::graph {

/// Only on such machines is the first byte of a text the lowest one of a word.
inline constexpr bool CanParseWords =
    std::endian::native == std::endian::little;

/// Returns the number of digits at the beginning of a word of text, up to 8.
inline unsigned leadingDigits(std::uint64_t text) {
  const std::uint64_t digits = text ^ 0x3030303030303030;
  // The highest bit of each byte that is above 9. A carry reaches only bytes
  // behind such a one.
  const std::uint64_t others =
      ((digits + 0x7676767676767676) | digits) & 0x8080808080808080;
  return static_cast<unsigned>(std::countr_zero(others)) / 8;
}

/// The number that the first `count` bytes of `text` are, with 1 to 8 digits.
inline std::uint64_t numberOf(std::uint64_t text, unsigned count) {
  // Moves the last digit to the highest byte, behind zeros.
  std::uint64_t value = (text ^ 0x3030303030303030) << (64 - 8 * count);
  // Neighbours are joined to numbers below 10^2, 10^4 and 10^8.
  value = (value * (1 + (10 << 8))) >> 8;
  value = ((value & 0x00ff00ff00ff00ff) * (1 + (100 << 16))) >> 16;
  return ((value & 0x0000ffff0000ffff) * (1 + (std::uint64_t(10000) << 32))) >>
         32;
}

/// Parses the up to 15 digits at `position` into `number` and moves past them.
/// Returns false, having moved nothing, if there are none or more. Reads up to
/// 16 bytes.
inline bool parseDigits(const char *&position, std::uint64_t &number) {
  constexpr std::array<std::uint64_t, 8> powers = {
      1, 10, 100, 1000, 10000, 100000, 1000000, 10000000};
  std::uint64_t text;
  std::memcpy(&text, position, sizeof(text));
  const unsigned count = leadingDigits(text);
  if (count == 0)
    return false;
  number = numberOf(text, count);
  if (count < 8) {
    position += count;
    return true;
  }
  std::memcpy(&text, position + 8, sizeof(text));
  const unsigned more = leadingDigits(text);
  if (more == 8)
    return false;
  if (more > 0)
    number = number * powers[more] + numberOf(text, more);
  position += 8 + more;
  return true;
}

} // namespace heddle::graph

#endif
