//===- Facts.h - The results of a command -----------------------*- C++ -*-===//
//
// The same for a person, as lines on a terminal, and for a program, as a JSON
// object.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_OUTPUT_FACTS_H
#define HEDDLE_TOOLS_OUTPUT_FACTS_H

#include "Json.h"

#include "../../../runtime/host/environment.h"

#include <fmt/color.h>
#include <string>
#include <string_view>
#include <type_traits>
#include <unistd.h>
#include <utility>
#include <vector>

namespace heddle {

class Facts {
public:
  /// Adds `key` to the object and `label` with the value to the lines.
  template <typename Value>
  Facts &add(std::string_view key, std::string_view label, const Value &value) {
    if constexpr (std::is_floating_point_v<Value>)
      return add(key, label, value, fmt::format("{:.6g}", value));
    else if constexpr (std::is_same_v<Value, bool>)
      return add(key, label, value, value ? "yes" : "no");
    else
      return add(key, label, value, fmt::format("{}", value));
  }

  /// Adds a fact with a separate text for the printed line.
  template <typename Value>
  Facts &add(std::string_view key, std::string_view label, const Value &value,
             std::string text) {
    object.add(key, value);
    lines.emplace_back(label, std::move(text));
    return *this;
  }

  /// Adds a fact that is not printed, only part of the JSON.
  template <typename Value>
  Facts &addSilently(std::string_view key, const Value &value) {
    object.add(key, value);
    return *this;
  }

  /// Whether all is well, in green or red where there are colours.
  Facts &addVerdict(std::string_view key, std::string_view label, bool good) {
    const auto color =
        good ? fmt::terminal_color::green : fmt::terminal_color::red;
    std::string text = good ? "yes" : "no";
    if (colorful())
      text = fmt::format(fmt::fg(color), "{}", text);
    return add(key, label, good, std::move(text));
  }

  const JsonObject &json() const { return object; }

  /// Prints the lines to standard output.
  void print() const {
    for (const auto &[label, text] : lines)
      fmt::print("{:<22}{}\n", label, text);
  }

private:
  /// Whether to print colours: only on a terminal, and not if NO_COLOR is set.
  static bool colorful() {
    return isatty(STDOUT_FILENO) && !heddle_environment("NO_COLOR");
  }

  JsonObject object;
  std::vector<std::pair<std::string, std::string>> lines;
};

} // namespace heddle

#endif
