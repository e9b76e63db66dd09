//===- NumberCursor.h - Steps through numbers whose ends are known -*- C++ -*-//
//
// Digits become numbers with a few operations on words, in which the number of
// digits is data and decides no branch.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPHLIB_FILES_NUMBERCURSOR_H
#define HEDDLE_GRAPHLIB_FILES_NUMBERCURSOR_H

#include "NumberEnds.h"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <system_error>

namespace heddle::graph {

/// Moves through a window of text once. Must not outlive `ends`. Up to 8 bytes
/// before the text must be readable; their values do not matter.
class NumberCursor {
public:
  NumberCursor(const char *text, const NumberEnds &ends)
      : text(text), next(ends.begin()), last(ends.end()) {}

  const char *position() const { return text + begin; }

  /// Whether there are `count` more ends of numbers in the window.
  bool hasEnds(std::size_t count) const {
    return static_cast<std::size_t>(last - next) >= count;
  }

  /// The byte behind the next number, or a later one.
  char endOf(std::size_t number) const { return text[next[number]]; }

  /// Goes to a later position.
  void skipTo(const char *position) {
    begin = static_cast<std::size_t>(position - text);
    while (next != last && *next < begin)
      ++next;
  }

  /// Steps past a letter and a blank, between which there is no number. There
  /// must be two more ends. Returns false, with the cursor where it was, if
  /// they do not come next.
  bool pass(char letter) {
    if (text[begin] != letter || text[begin + 1] != ' ')
      return false;
    begin += 2;
    next += 2;
    return true;
  }

  /// Parses numbers of 1 to 16 digits, and skips the byte behind each. Returns
  /// false, with the cursor anywhere, if there are none.
  bool parseTwo(std::uint64_t &first, std::uint64_t &second) {
    const std::size_t firstCount = next[0] - begin;
    const std::size_t secondCount = next[1] - next[0] - std::size_t(1);
    if (((firstCount - 1) | (secondCount - 1)) >= 8) [[unlikely]]
      return parseOne(first) && parseOne(second);
    const Words numbers =
        numbersOf(Words{wordBefore(next[0]), wordBefore(next[1])} &
                  Words{digitsOf[firstCount], digitsOf[secondCount]});
    first = numbers[0];
    second = numbers[1];
    begin = next[1] + std::size_t(1);
    next += 2;
    return true;
  }

  bool parseOne(std::uint64_t &number) {
    const std::size_t count = *next - begin;
    if (count - 1 >= 16)
      return false;
    const std::size_t low = count < 8 ? count : 8;
    const std::size_t end = *next;
    const Words numbers = numbersOf(
        Words{wordBefore(end) & digitsOf[low],
              wordBefore(count > 8 ? end - 8 : end) & digitsOf[count - low]});
    number = numbers[1] * 100000000 + numbers[0];
    begin = end + 1;
    ++next;
    return true;
  }

  /// Parses a finite number that may contain other characters than digits.
  template <typename Float> bool parseFloat(Float &number) {
    const auto [stop, error] =
        std::from_chars(text + begin, text + last[-1], number);
    if (error != std::errc() || !std::isfinite(number))
      return false;
    skipTo(stop);
    if (next == last)
      return false;
    begin = *next++ + std::size_t(1);
    return text + begin == stop + 1;
  }

  /// Whether the last number was the last of its line. Steps past an LF that
  /// follows a CR.
  bool passLineEnd() {
    if (text[begin - 1] == '\n') [[likely]]
      return true;
    if (text[begin - 1] != '\r' || next == last || *next != begin ||
        text[begin] != '\n')
      return false;
    ++begin;
    ++next;
    return true;
  }

private:
  using Words = std::uint64_t __attribute__((ext_vector_type(2)));
  using Halves = std::uint32_t __attribute__((ext_vector_type(4)));
  using Quarters = std::uint16_t __attribute__((ext_vector_type(8)));

  /// Masks for the values of the last digits of a word, indexed by their
  /// number.
  static constexpr std::array<std::uint64_t, 9> digitsOf = {0,
                                                            0x0f00000000000000,
                                                            0x0f0f000000000000,
                                                            0x0f0f0f0000000000,
                                                            0x0f0f0f0f00000000,
                                                            0x0f0f0f0f0f000000,
                                                            0x0f0f0f0f0f0f0000,
                                                            0x0f0f0f0f0f0f0f00,
                                                            0x0f0f0f0f0f0f0f0f};

  std::uint64_t wordBefore(std::size_t end) const {
    std::uint64_t word;
    std::memcpy(&word, text + end - sizeof(word), sizeof(word));
    return word;
  }

  /// The numbers that the digits of each word are, the first one in its lowest
  /// byte. Neighbours are joined to numbers below 10^2, 10^4 and 10^8.
  static Words numbersOf(Words digits) {
    const Quarters pairs =
        (std::bit_cast<Quarters>(digits) * std::uint16_t(10 * 256 + 1)) >> 8;
    const auto scaled =
        std::bit_cast<Halves>(pairs * Quarters{100, 1, 100, 1, 100, 1, 100, 1});
    const auto fours = std::bit_cast<Words>((scaled + (scaled >> 16)) & 0xffff);
    return (fours & 0xffffffff) * 10000 + (fours >> 32);
  }

  const char *text;
  const std::uint16_t *next, *last;
  std::size_t begin = 0;
};

} // namespace heddle::graph

#endif
