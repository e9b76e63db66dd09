//===- LoopList.cpp - The loops that the compiler advises ----------------===//

#include "LoopList.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <tuple>

namespace heddle::advise {

namespace {

/// Returns what comes before `separator`, and takes both from `text`.
std::string_view next(std::string_view &text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

unsigned toNumber(std::string_view text) {
  unsigned number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

void set(Loop &loop, std::string_view key, std::string_view value) {
  if (key == "file")
    loop.file = value;
  else if (key == "line")
    loop.line = toNumber(value);
  else if (key == "column")
    loop.column = toNumber(value);
  else if (key == "function")
    loop.function = value;
  else if (key == "behind")
    loop.isBehindDirective = value == "1";
  else if (key == "waits")
    loop.waits = value;
  else if (key == "accesses")
    loop.accesses = toNumber(value);
  else if (key == "hidden")
    loop.hidden = toNumber(value);
  else if (key == "promise")
    loop.promise = value;
  else if (key == "directive")
    loop.directive = value;
  else if (key == "weight")
    loop.weight = std::strtod(std::string(value).c_str(), nullptr);
  else if (key == "profile")
    loop.hasProfile = value == "1";
  else if (key == "refused" || key == "dropped") {
    const std::string_view reason = next(value, '\t');
    (key == "refused" ? loop.refused : loop.dropped)
        .push_back({std::string(reason), std::string(value)});
  }
}

/// The columns of a table, each as wide as its widest entry.
class Columns {
  std::vector<std::vector<std::string>> rows;
  std::vector<std::size_t> widths;

public:
  void add(std::vector<std::string> row) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size());
    rows.push_back(std::move(row));
  }

  /// The row, without blanks behind its last entry.
  std::string row(std::size_t number) const {
    std::string text;
    for (std::size_t i = 0; i < rows[number].size(); ++i) {
      const bool isLast = i + 1 == rows[number].size();
      text += isLast ? rows[number][i]
                     : fmt::format("{:<{}}  ", rows[number][i], widths[i]);
    }
    return text;
  }
};

std::string hiddenOf(const Loop &loop) {
  if (!loop.refused.empty())
    return "-";
  return loop.hidden == loop.accesses
             ? "all"
             : fmt::format("{} of {}", loop.hidden, loop.accesses);
}

} // namespace

std::vector<Loop> parseLoops(std::string_view text) {
  std::vector<Loop> loops;
  Loop loop;
  while (!text.empty()) {
    std::string_view line = next(text, '\n');
    if (line.empty()) {
      loops.push_back(std::exchange(loop, {}));
      continue;
    }
    const std::string_view key = next(line, '\t');
    set(loop, key, line);
  }
  return loops;
}

std::vector<Loop> rank(std::vector<Loop> loops) {
  std::map<std::tuple<std::string, unsigned, unsigned>, Loop> known;
  for (Loop &loop : loops) {
    const auto [at, isNew] =
        known.try_emplace({loop.file, loop.line, loop.column}, loop);
    if (isNew)
      continue;
    Loop &other = at->second;
    const double sum = loop.weight + other.weight;
    const bool isBetter = other.refused.empty() == loop.refused.empty()
                              ? loop.weight > other.weight
                              : loop.refused.empty();
    if (isBetter)
      other = std::move(loop);
    // Executions add up; estimates do not.
    if (other.hasProfile)
      other.weight = sum;
  }
  std::vector<Loop> ranked;
  for (auto &[place, loop] : known)
    ranked.push_back(std::move(loop));
  std::ranges::sort(ranked, [](const Loop &one, const Loop &other) {
    if (one.worth() != other.worth())
      return one.worth() > other.worth();
    return std::tie(one.file, one.line, one.column) <
           std::tie(other.file, other.line, other.column);
  });
  return ranked;
}

std::string shownPath(const std::string &path) {
  std::error_code error;
  const std::filesystem::path current = std::filesystem::current_path(error);
  const std::filesystem::path relative =
      std::filesystem::path(path).lexically_relative(current);
  return error || relative.empty() || *relative.begin() == ".."
             ? path
             : relative.string();
}

void printTable(const std::vector<Loop> &loops) {
  const bool hasProfile = std::ranges::any_of(loops, &Loop::hasProfile);
  double whole = 0;
  for (const Loop &loop : loops)
    whole += loop.weight;
  Columns columns;
  const auto add = [&](std::vector<std::string> row, std::string share) {
    if (hasProfile)
      row.insert(row.begin() + 1, std::move(share));
    columns.add(std::move(row));
  };
  add({"", "loop", "function", "hidden", "waits for"}, "share");
  for (std::size_t i = 0; i < loops.size(); ++i)
    add({fmt::format("{:>3}", i + 1),
         fmt::format("{}:{}", shownPath(loops[i].file), loops[i].line),
         loops[i].function, hiddenOf(loops[i]), loops[i].waits},
        fmt::format("{:>3.0f} %",
                    whole > 0 ? 100 * loops[i].weight / whole : 0.0));
  fmt::print("{}\n", columns.row(0));
  for (std::size_t i = 0; i < loops.size(); ++i) {
    fmt::print("{}\n", columns.row(i + 1));
    for (const Obstacle &obstacle : loops[i].refused)
      fmt::print("     would be left alone: {}; {}\n", obstacle.reason,
                 obstacle.next);
    for (const Obstacle &obstacle : loops[i].dropped)
      fmt::print("     not hidden: {}; {}\n", obstacle.reason, obstacle.next);
    fmt::print("     promise: {}\n", loops[i].promise);
  }
}

} // namespace heddle::advise
