//===- Recognition.cpp - What a file is, from its first bytes ------------===//

#include "Recognition.h"

#include "../../files/Words.h"
#include "MetisHeader.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace heddle::graph {
namespace {

constexpr std::size_t MostBytes = std::size_t(1) << 14;

/// Takes the next line off a text, without its end; nullopt if the text ends
/// before it and is only the start of a file.
std::optional<std::string_view> takeLine(std::string_view &text,
                                         bool isWholeFile) {
  const std::size_t end = text.find('\n');
  if (text.empty() || (end == text.npos && !isWholeFile))
    return std::nullopt;
  std::string_view line = text.substr(0, std::min(end, text.size()));
  text.remove_prefix(std::min(line.size() + 1, text.size()));
  if (line.ends_with('\r'))
    line.remove_suffix(1);
  return line;
}

/// The rows of what may be a METIS graph, looked at one by one.
class RowsInDoubt {
public:
  explicit RowsInDoubt(const MetisHeader &header) : header(header) {}

  /// Returns false if the line cannot be the next row.
  bool add(std::string_view line) {
    std::vector<std::uint64_t> numbers;
    for (auto word = takeWord(line); !word.empty(); word = takeWord(line)) {
      const auto number = wholeNumber(word);
      if (!number)
        return false;
      numbers.push_back(*number);
    }
    if (rows >= header.vertices)
      return numbers.empty();
    ++rows;
    const std::size_t ownNumbers = header.numbersBeforeRow(),
                      step = header.hasEdgeWeights ? 2 : 1;
    if (numbers.size() < ownNumbers || (numbers.size() - ownNumbers) % step)
      return false;
    for (std::size_t i = ownNumbers; i < numbers.size(); i += step) {
      if (numbers[i] < 1 || numbers[i] > header.vertices)
        return false;
      edges.emplace_back(rows, numbers[i]);
    }
    constexpr std::size_t fewest = 2, most = 4; // numbers of an edge's line
    hasOtherLines |=
        !numbers.empty() && (numbers.size() < fewest || numbers.size() > most);
    return true;
  }

  bool cannotBeEdges() const { return hasOtherLines; }

  /// Whether these are all rows of a graph as the header describes it.
  bool areComplete() {
    if (rows != header.vertices || edges.size() / 2 != header.edges)
      return false;
    auto reverse = edges;
    for (auto &[from, to] : reverse)
      std::swap(from, to);
    std::ranges::sort(edges);
    std::ranges::sort(reverse);
    return edges == reverse;
  }

private:
  const MetisHeader header;
  std::uint64_t rows = 0;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> edges;
  bool hasOtherLines = false;
};

} // namespace

FileStart readStart(const std::string &path) {
  FileStart start = startOfFile(path, MostBytes);
  constexpr std::string_view byteOrderMark = "\xef\xbb\xbf";
  if (start.text.starts_with(byteOrderMark))
    start.text.erase(0, byteOrderMark.size());
  return start;
}

bool looksLikeDimacs(std::string_view start) {
  bool hasComment = false;
  while (const auto line = takeLine(start, true)) {
    std::string_view rest = *line;
    const std::string_view word = takeWord(rest);
    if (word == "p" && !rest.empty())
      return true;
    if (!word.empty() && !word.starts_with('c'))
      return false;
    hasComment |= word == "c";
  }
  return hasComment;
}

bool looksLikeMetis(const FileStart &start) {
  std::string_view text = start.text;
  std::optional<RowsInDoubt> rows;
  while (const auto line = takeLine(text, start.isWholeFile)) {
    if (line->starts_with('%'))
      continue;
    if (rows) {
      if (!rows->add(*line))
        return false;
      continue;
    }
    const auto header = metisHeaderIn(*line);
    if (!header || header->edges == 0)
      return false;
    rows.emplace(*header);
  }
  return rows &&
         (rows->cannotBeEdges() || (start.isWholeFile && rows->areComplete()));
}

} // namespace heddle::graph
