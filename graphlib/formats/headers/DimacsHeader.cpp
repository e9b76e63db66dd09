//===- DimacsHeader.cpp - How a graph of a DIMACS challenge begins -------===//

#include "DimacsHeader.h"

#include "../../files/Quote.h"
#include "../../files/Words.h"

#include <algorithm>
#include <string>

namespace heddle::graph {
namespace {

class DimacsHeaderReader {
public:
  explicit DimacsHeaderReader(TextFile &text) : text(text) {}

  DimacsHeader read() {
    std::string_view line = problemLine();
    DimacsHeader header;
    header.directed = takeKind(line);
    header.vertices = takeNumber(line, "the number of vertices");
    header.edges = takeNumber(line, "the number of edges");
    if (const std::string_view more = takeWord(line); !more.empty())
      fail("nothing more", more);
    return header;
  }

private:
  /// The line behind the word that it begins with.
  std::string_view problemLine() {
    while (const auto next = text.nextLine()) {
      std::string_view line = *next;
      const std::string_view word = takeWord(line);
      if (word == "p")
        return line;
      if (!word.empty() && word != "c")
        fail("a comment ('c') or the problem line ('p')", word);
    }
    text.fail(text.linesRead() + 1,
              "expected the problem line ('p'), found the "
              "end of the file");
  }

  /// Whether the edges of such a problem have directions.
  bool takeKind(std::string_view &line) {
    const std::string_view kind = takeWord(line);
    if (kind == "sp" || kind == "max")
      return true;
    if (kind != "edge" && kind != "edges" && kind != "col")
      fail("a problem 'sp', 'max', 'edge' or 'col'", kind);
    return false;
  }

  std::uint64_t takeNumber(std::string_view &line, const char *what) {
    const std::string_view word = takeWord(line);
    const auto number = wholeNumber(word);
    if (!number)
      fail(what, word);
    return *number;
  }

  [[noreturn]] void fail(const std::string &expected, std::string_view found) {
    text.fail(std::max<std::uint64_t>(text.linesRead(), 1),
              "expected " + expected + ", found " +
                  (found.empty() ? "the end of the line" : quoted(found)));
  }

  TextFile &text;
};

} // namespace

DimacsHeader readDimacsHeader(TextFile &text) {
  return DimacsHeaderReader(text).read();
}

} // namespace heddle::graph
