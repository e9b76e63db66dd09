//===- Json.h - Results as JSON --------------------------------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_OUTPUT_JSON_H
#define HEDDLE_TOOLS_OUTPUT_JSON_H

#include <cmath>
#include <concepts>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

/// Members in the order in which they are added, on one line.
///
///   JsonObject().add("graph", path).add("edges", 3).text()
class JsonObject {
public:
  JsonObject &add(std::string_view name, std::string_view value) {
    return addRaw(name, quote(value));
  }
  JsonObject &add(std::string_view name, const char *value) {
    return add(name, std::string_view(value));
  }
  JsonObject &add(std::string_view name, bool value) {
    return addRaw(name, value ? "true" : "false");
  }
  template <std::integral Number>
  JsonObject &add(std::string_view name, Number value) {
    return addRaw(name, fmt::format("{}", value));
  }
  /// Adds a number. JSON has no numbers for infinities and NaN; they become
  /// null.
  template <std::floating_point Number>
  JsonObject &add(std::string_view name, Number value) {
    return addRaw(name,
                  std::isfinite(value) ? fmt::format("{:.6g}", value) : "null");
  }
  JsonObject &add(std::string_view name, const JsonObject &value) {
    return addRaw(name, value.text());
  }

  std::string text() const { return "{" + members + "}"; }

private:
  JsonObject &addRaw(std::string_view name, std::string_view value) {
    members += fmt::format("{}{}: {}", members.empty() ? "" : ", ", quote(name),
                           value);
    return *this;
  }

  static std::string quote(std::string_view text) {
    std::string quoted = "\"";
    for (const char character : text) {
      const auto code = static_cast<unsigned char>(character);
      if (character == '"' || character == '\\')
        quoted += fmt::format("\\{}", character);
      else if (code < ' ')
        quoted += fmt::format("\\u{:04x}", code);
      else
        quoted += character;
    }
    return quoted + '"';
  }

  std::string members;
};

/// An array with every object on a line of its own.
inline std::string arrayOf(const std::vector<JsonObject> &objects) {
  std::string text = "[";
  const char *separator = "\n";
  for (const JsonObject &object : objects) {
    text += separator + object.text();
    separator = ",\n";
  }
  return text + "\n]\n";
}

} // namespace heddle

#endif
