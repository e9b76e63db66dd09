//===- DimacsHeader.cpp - How a graph of a DIMACS challenge begins -------===//

#include "DimacsHeader.h"

#include "HeaderReader.h"

namespace heddle::graph {
namespace {

class DimacsHeaderReader : private HeaderReader {
public:
  using HeaderReader::HeaderReader;

  DimacsHeader read() {
    std::string_view line = problemLine();
    DimacsHeader header;
    header.directed = takeKind(line);
    header.vertices = takeNumber(line, "the number of vertices");
    header.edges = takeNumber(line, "the number of edges");
    expectEnd(line);
    return header;
  }

private:
  /// The line behind the word that it begins with.
  std::string_view problemLine() const {
    while (true) {
      std::string_view line = nextLine("the problem line ('p')");
      const std::string_view word = takeWord(line);
      if (word == "p")
        return line;
      if (!word.empty() && !word.starts_with('c'))
        fail("a comment ('c') or the problem line ('p')", word);
    }
  }

  /// Whether the edges of such a problem have directions.
  bool takeKind(std::string_view &line) const {
    const std::string_view kind = takeWord(line);
    if (kind == "sp" || kind == "max")
      return true;
    if (kind != "edge" && kind != "edges" && kind != "col")
      fail("a problem 'sp', 'max', 'edge' or 'col'", kind);
    return false;
  }
};

} // namespace

DimacsHeader readDimacsHeader(TextFile &text) {
  return DimacsHeaderReader(text).read();
}

} // namespace heddle::graph
