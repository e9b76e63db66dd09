//===- Words.h - The words of a line ---------------------------*- C++ -*-===//

#ifndef HEDDLE_GRAPHLIB_FILES_WORDS_H
#define HEDDLE_GRAPHLIB_FILES_WORDS_H

#include "Digits.h"
#include "heddle/graph/Graph.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>

namespace heddle::graph {

/// Takes the next word off a line, in which blanks and tabs separate words;
/// empty at its end.
inline std::string_view takeWord(std::string_view &line) {
  constexpr std::string_view blanks = " \t";
  line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
  const std::string_view word =
      line.substr(0, std::min(line.find_first_of(blanks), line.size()));
  line.remove_prefix(word.size());
  return word;
}

/// The number that all of `word` is, if it is one of 64 bits.
inline std::optional<std::uint64_t> wholeNumber(std::string_view word) {
  std::uint64_t number;
  const char *end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, number);
  if (error != std::errc() || stop != end)
    return std::nullopt;
  return number;
}

/// Whether a decimal number is nearer to 0 than 1 is; `number` has a digit.
inline bool isBelowOne(std::string_view number) {
  const std::size_t mantissaEnd =
      std::min(number.find_first_of("eE"), number.size());
  const std::string_view mantissa = number.substr(0, mantissaEnd);
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  const std::size_t first = mantissa.find_first_of("123456789");
  if (first == mantissa.npos)
    return true;
  std::string_view word =
      number.substr(std::min(mantissaEnd + 1, number.size()));
  if (word.starts_with('+'))
    word.remove_prefix(1);
  std::int32_t exponent = 0;
  const auto result =
      std::from_chars(word.data(), word.data() + word.size(), exponent);
  if (result.ec == std::errc::result_out_of_range)
    return word.starts_with('-');
  // Texts are shorter than 2^31 bytes.
  const std::int64_t magnitude = std::int64_t(point) - std::int64_t(first);
  return exponent + magnitude - (first < point ? 1 : 0) < 0;
}

/// As std::from_chars(), but a plus may come first, and a number too near to 0
/// for its type is 0.
template <typename Number>
std::from_chars_result parseNumber(const char *begin, const char *end,
                                   Number &number) {
  const bool hasPlus =
      end - begin > 1 && *begin == '+' && begin[1] != '-' && begin[1] != '+';
  const char *digits = begin + hasPlus;
  auto result = std::from_chars(digits, end, number);
  if (result.ec == std::errc::invalid_argument)
    result.ptr = begin;
  if constexpr (std::floating_point<Number>)
    if (result.ec == std::errc::result_out_of_range &&
        isBelowOne({digits + (*digits == '-'), result.ptr})) {
      number = *digits == '-' ? -Number() : Number();
      result.ec = std::errc();
    }
  return result;
}

/// Which values are numbers where none are wanted.
enum class UnwantedValues {
  Finite,
  Any ///< also infinity and what is no number
};

/// Parses the weight at `position` and steps past it. Returns false if there is
/// none, or none that a Weight can hold. If it is Unweighted, any number will
/// do, even one that is too high for any type.
template <EdgeWeight Weight>
bool parseWeight(const char *&position, const char *end, Weight &weight,
                 UnwantedValues unwanted = UnwantedValues::Finite) {
  constexpr bool IsWanted = !std::same_as<Weight, Unweighted>;
  std::conditional_t<IsWanted, Weight, double> number = {};
  const auto [stop, error] = parseNumber(position, end, number);
  position = stop;
  if constexpr (std::floating_point<decltype(number)>)
    if (!std::isfinite(number) &&
        (IsWanted || unwanted == UnwantedValues::Finite))
      return false;
  if constexpr (IsWanted)
    weight = number;
  return error == std::errc() ||
         (!IsWanted && error != std::errc::invalid_argument);
}

/// Parses the whole number at `position`, and steps past it. Returns false if
/// there is none of 64 bits. Reads up to 16 bytes, perhaps behind `end`.
inline bool parseWhole(const char *&position, const char *end,
                       std::uint64_t &number) {
  if constexpr (CanParseWords) {
    const char *next = position;
    if (parseDigits(next, number) && next < end) {
      position = next;
      return true;
    }
  }
  const auto [stop, error] = std::from_chars(position, end, number);
  position = stop;
  return error == std::errc();
}

/// Returns `word` with its ASCII letters in lower case.
inline std::string lowerCase(std::string_view word) {
  std::string result(word);
  for (char &letter : result)
    if (letter >= 'A' && letter <= 'Z')
      letter = static_cast<char>(letter - 'A' + 'a');
  return result;
}

} // namespace heddle::graph

#endif
