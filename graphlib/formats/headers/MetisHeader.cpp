//===- MetisHeader.cpp - How a METIS graph begins ------------------------===//

#include "MetisHeader.h"

#include "../../files/Quote.h"
#include "../../files/Words.h"

#include <algorithm>
#include <limits>
#include <string>

namespace heddle::graph {
namespace {

/// The words of a header, one after the other. A word that is wrong is kept,
/// with what was expected instead.
class MetisHeaderParser {
public:
  explicit MetisHeaderParser(std::string_view line) : rest(line) {}

  std::optional<MetisHeader> parse() {
    // Twice the number of edges must still be representable.
    constexpr std::uint64_t most =
        std::numeric_limits<std::uint64_t>::max() / 4;
    MetisHeader header;
    if (!takeNumber("the number of vertices", most, header.vertices) ||
        !takeNumber("the number of edges", most, header.edges))
      return std::nullopt;
    if (!atEnd() && !takeContents(header))
      return std::nullopt;
    if (!atEnd()) {
      constexpr std::uint64_t mostWeights = 1 << 20;
      const bool hasWeights = header.vertexWeights > 0;
      if (!takeNumber(hasWeights ? "the number of weights of a vertex"
                                 : "no weights of vertices, as the digits "
                                   "before say",
                      hasWeights ? mostWeights : 0, header.vertexWeights))
        return std::nullopt;
    }
    if (!atEnd()) {
      expected = "nothing more";
      word = takeWord(rest);
      return std::nullopt;
    }
    return header;
  }

  std::string mistake() const {
    return "expected " + expected + ", found " +
           (word.empty() ? "the end of the line" : quoted(word));
  }

private:
  bool atEnd() const {
    std::string_view copy = rest;
    return takeWord(copy).empty();
  }

  bool takeNumber(const char *what, std::uint64_t most, std::uint64_t &number) {
    expected = what;
    word = takeWord(rest);
    const auto parsed = wholeNumber(word);
    number = parsed.value_or(0);
    return parsed && number <= most;
  }

  /// Up to three digits: whether there are sizes of vertices, weights of
  /// vertices, and weights of edges.
  bool takeContents(MetisHeader &header) {
    constexpr std::size_t digits = 3;
    expected = "what the rows contain, as up to three digits that are 0 or 1";
    word = takeWord(rest);
    if (word.size() > digits ||
        word.find_first_not_of("01") != std::string_view::npos)
      return false;
    const std::string code =
        std::string(digits - word.size(), '0') + std::string(word);
    header.hasSizes = code[0] == '1';
    header.vertexWeights = code[1] == '1';
    header.hasEdgeWeights = code[2] == '1';
    return true;
  }

  std::string_view rest, word;
  std::string expected;
};

} // namespace

std::optional<MetisHeader> metisHeaderIn(std::string_view line) {
  return MetisHeaderParser(line).parse();
}

MetisHeader readMetisHeader(TextFile &text) {
  std::string_view line;
  do {
    const auto next = text.nextLine();
    if (!next)
      text.fail(text.linesRead() + 1, "expected the numbers of vertices and "
                                      "edges, found the end of the file");
    line = *next;
    std::string_view copy = line;
    if (takeWord(copy).empty())
      line = "%";
  } while (line.starts_with('%'));
  MetisHeaderParser parser(line);
  const auto header = parser.parse();
  if (!header)
    text.fail(text.linesRead(), parser.mistake());
  return *header;
}

} // namespace heddle::graph
