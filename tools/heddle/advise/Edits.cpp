//===- Edits.cpp - Directives in front of loops --------------------------===//

#include "Edits.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace heddle::advise {

namespace {

constexpr std::string_view Blanks = " \t";

std::string_view withoutEnd(std::string_view line) {
  while (line.ends_with('\n') || line.ends_with('\r'))
    line.remove_suffix(1);
  return line;
}

std::string_view withoutIndent(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(Blanks), line.size()));
  return line;
}

bool beginsLoop(std::string_view text) {
  return std::ranges::any_of(
      std::initializer_list<std::string_view>{"for", "while", "do"},
      [&](std::string_view word) {
        if (!text.starts_with(word))
          return false;
        const char next = text.size() > word.size() ? text[word.size()] : ' ';
        return !std::isalnum(static_cast<unsigned char>(next)) && next != '_';
      });
}

bool isContinued(std::string_view line) {
  return withoutEnd(line).ends_with('\\');
}

constexpr char NoLoop[] = "there is no loop in the text at this place";
constexpr char InMacro[] = "a macro makes it";

} // namespace

EditedText::EditedText(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::size_t length =
        end == std::string_view::npos ? text.size() : end + 1;
    lines.emplace_back(text.substr(0, length));
    text.remove_prefix(length);
  }
}

std::string EditedText::endOf(std::size_t line) const {
  return lines[line].ends_with("\r\n") ? "\r\n" : "\n";
}

void EditedText::insertBefore(std::size_t line, std::string_view indented,
                              const std::string &directive) {
  const std::string_view indent =
      indented.substr(0, indented.size() - withoutIndent(indented).size());
  before[line] = fmt::format("{}{}{}", indent, directive, endOf(line));
}

std::string EditedText::annotateBehindDirective(const Loop &loop,
                                                std::size_t line) {
  const std::size_t directive = line;
  while (line < lines.size() && isContinued(lines[line]))
    ++line;
  for (++line; line < lines.size(); ++line) {
    const std::string_view text = withoutIndent(withoutEnd(lines[line]));
    if (beginsLoop(text)) {
      insertBefore(line, lines[directive], loop.directive);
      return {};
    }
    if (!text.empty() && !text.starts_with("//") && !text.starts_with("#"))
      break;
  }
  return NoLoop;
}

std::string EditedText::annotate(const Loop &loop) {
  if (loop.line == 0 || loop.line > lines.size())
    return NoLoop;
  const std::size_t line = loop.line - 1;
  if (line > 0 && isContinued(lines[line - 1]))
    return InMacro;
  if (loop.isBehindDirective)
    return annotateBehindDirective(loop, line);
  const std::string_view text = withoutEnd(lines[line]);
  if (loop.column == 0 || loop.column > text.size() ||
      !beginsLoop(text.substr(loop.column - 1)))
    return NoLoop;
  if (withoutIndent(text).size() == text.size() - (loop.column - 1)) {
    insertBefore(line, text, loop.directive);
    return {};
  }
  if (isContinued(text) || withoutIndent(text).starts_with("#"))
    return InMacro;
  // Something else stands in front of it in its line.
  std::string &changed = instead[line];
  if (!changed.empty())
    return "another loop of its line has the directive";
  const std::string_view name =
      std::string_view(loop.directive)
          .substr(std::string_view("#pragma ").size());
  changed = lines[line];
  changed.insert(loop.column - 1, fmt::format("_Pragma(\"{}\") ", name));
  return {};
}

std::string EditedText::text() const {
  std::string text;
  for (std::size_t line = 0; line < lines.size(); ++line) {
    if (const auto added = before.find(line); added != before.end())
      text += added->second;
    const auto changed = instead.find(line);
    text += changed != instead.end() ? changed->second : lines[line];
  }
  return text;
}

std::string EditedText::diff(const std::string &path) const {
  constexpr std::size_t Context = 3;
  std::string text = fmt::format("--- {0}\n+++ {0}\n", path);
  const auto isTouched = [&](std::size_t line) {
    return before.contains(line) || instead.contains(line);
  };
  const auto show = [](char mark, const std::string &line) {
    return fmt::format(
        "{}{}{}", mark, line,
        line.ends_with('\n') ? "" : "\n\\ No newline at end of file\n");
  };
  std::size_t added = 0;
  for (std::size_t first = 0; first < lines.size(); ++first) {
    if (!isTouched(first))
      continue;
    const std::size_t begin = first > Context ? first - Context : 0;
    std::size_t last = first;
    for (std::size_t line = first;
         line < std::min(lines.size(), last + 2 * Context + 1); ++line)
      if (isTouched(line))
        last = line;
    const std::size_t end = std::min(lines.size(), last + Context + 1);
    std::string hunk;
    std::size_t addedHere = 0;
    for (std::size_t line = begin; line < end; ++line) {
      if (const auto at = before.find(line); at != before.end()) {
        hunk += show('+', at->second);
        ++addedHere;
      }
      if (const auto at = instead.find(line); at != instead.end())
        hunk += show('-', lines[line]) + show('+', at->second);
      else
        hunk += show(' ', lines[line]);
    }
    text += fmt::format("@@ -{},{} +{},{} @@\n{}", begin + 1, end - begin,
                        begin + 1 + added, end - begin + addedHere, hunk);
    added += addedHere;
    first = end - 1;
  }
  return text;
}

} // namespace heddle::advise
