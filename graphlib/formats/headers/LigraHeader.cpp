//===- LigraHeader.cpp - How an adjacency graph of Ligra begins ----------===//

#include "LigraHeader.h"

#include "../../files/Quote.h"
#include "../../files/Words.h"

#include <algorithm>
#include <limits>

namespace heddle::graph {
namespace {

/// The first three words, which lines of their own may separate.
class LigraHeaderReader {
public:
  explicit LigraHeaderReader(TextFile &text) : text(text) {}

  LigraHeader read() {
    constexpr std::string_view plain = "AdjacencyGraph",
                               weighted = "WeightedAdjacencyGraph";
    const std::string_view word = nextWord();
    if (word != plain && word != weighted)
      fail("'AdjacencyGraph' or 'WeightedAdjacencyGraph'", word);
    LigraHeader header;
    header.hasWeights = word == weighted;
    header.vertices = nextNumber("the number of vertices");
    header.edges = nextNumber("the number of edges");
    if (const std::string_view more = takeWord(line); !more.empty())
      fail("nothing more", more);
    return header;
  }

private:
  std::string_view nextWord() {
    std::string_view word = takeWord(line);
    while (word.empty()) {
      const auto next = text.nextLine();
      if (!next)
        return {};
      line = *next;
      word = takeWord(line);
    }
    return word;
  }

  std::uint64_t nextNumber(const char *what) {
    const std::string_view word = nextWord();
    const auto number = wholeNumber(word);
    // Three times the number must still be representable.
    if (!number || *number > std::numeric_limits<std::uint64_t>::max() / 4)
      fail(what, word);
    return *number;
  }

  [[noreturn]] void fail(const std::string &expected, std::string_view found) {
    text.fail(std::max<std::uint64_t>(text.linesRead(), 1),
              "expected " + expected + ", found " +
                  (found.empty() ? "the end of the file" : quoted(found)));
  }

  TextFile &text;
  std::string_view line;
};

} // namespace

LigraHeader readLigraHeader(TextFile &text) {
  return LigraHeaderReader(text).read();
}

} // namespace heddle::graph
