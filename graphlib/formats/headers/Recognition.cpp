//===- Recognition.cpp - What a file is, from its first bytes ------------===//

#include "Recognition.h"

#include "../../files/Words.h"
#include "MetisHeader.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

namespace heddle::graph {
namespace {

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

  Likeness likeness(bool areAllLines) const {
    if (hasOtherLines || (areAllLines && areComplete()))
      return Likeness::Certain;
    Edges between;
    std::ranges::copy_if(edges, std::back_inserter(between), [&](auto edge) {
      return edge.first != edge.second && edge.second <= rows;
    });
    if (!isSymmetric(between))
      return Likeness::None;
    // By chance, no edge list has so many with their reverse in the right line.
    constexpr std::size_t enough = 16;
    if (between.size() >= enough)
      return Likeness::Certain;
    return areAllLines ? Likeness::None : Likeness::Possible;
  }

private:
  using Edges = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

  static bool isSymmetric(Edges some) {
    Edges reverse = some;
    for (auto &[from, to] : reverse)
      std::swap(from, to);
    std::ranges::sort(some);
    std::ranges::sort(reverse);
    return some == reverse;
  }

  /// Whether these are all rows of a graph as the header describes it.
  bool areComplete() const {
    return rows == header.vertices && edges.size() / 2 == header.edges &&
           isSymmetric(edges);
  }

  const MetisHeader header;
  std::uint64_t rows = 0;
  Edges edges;
  bool hasOtherLines = false;
};

} // namespace

FileStart readStart(const std::string &path, std::size_t bytes) {
  FileStart start = startOfFile(path, bytes);
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

Likeness likenessToMetis(const FileStart &start) {
  std::string_view text = start.text;
  std::optional<RowsInDoubt> rows;
  while (const auto line = takeLine(text, start.isWholeFile)) {
    if (line->starts_with('%'))
      continue;
    if (rows) {
      if (!rows->add(*line))
        return Likeness::None;
      continue;
    }
    const auto header = metisHeaderIn(*line);
    if (!header || header->edges == 0)
      return Likeness::None;
    rows.emplace(*header);
  }
  if (!rows)
    return start.isWholeFile ? Likeness::None : Likeness::Possible;
  return rows->likeness(start.isWholeFile);
}

} // namespace heddle::graph
