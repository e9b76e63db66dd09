//===- Words.h - The words of a line ---------------------------*- C++ -*-===//

#ifndef HEDDLE_GRAPHLIB_FILES_WORDS_H
#define HEDDLE_GRAPHLIB_FILES_WORDS_H

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

/// Parses the weight at `position` and steps past it. Returns false if there is
/// none, or none that a Weight can hold. If it is Unweighted, any number will
/// do, even one that is too high for any type.
template <EdgeWeight Weight>
bool parseWeight(const char *&position, const char *end, Weight &weight) {
  constexpr bool IsWanted = !std::same_as<Weight, Unweighted>;
  std::conditional_t<IsWanted, Weight, double> number = {};
  const auto [stop, error] = std::from_chars(position, end, number);
  position = stop;
  if constexpr (std::floating_point<decltype(number)>)
    if (!std::isfinite(number))
      return false;
  if constexpr (IsWanted)
    weight = number;
  return error == std::errc() ||
         (!IsWanted && error != std::errc::invalid_argument);
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
