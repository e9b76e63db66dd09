//===- MatrixMarketHeader.cpp - Headers of Matrix Market ------------------===//

#include "MatrixMarketHeader.h"

#include "../../files/Quote.h"
#include "../../files/Words.h"

#include <algorithm>

namespace heddle::graph {
namespace {

class MatrixMarketHeaderReader {
public:
  explicit MatrixMarketHeaderReader(TextFile &text) : text(text) {}

  MatrixMarketHeader read() {
    readBanner();
    readSizes();
    return header;
  }

private:
  std::string_view nextLine() {
    const auto line = text.nextLine();
    if (!line)
      text.fail(text.linesRead() + 1,
                "expected the sizes of the matrix, found the end of the file");
    return *line;
  }

  [[noreturn]] void fail(const std::string &expected, std::string_view found) {
    text.fail(std::max<std::uint64_t>(text.linesRead(), 1),
              "expected " + expected + ", found " +
                  (found.empty() ? "the end of the line" : quoted(found)));
  }

  void expectWord(std::string_view &line, const char *expected) {
    const std::string_view word = takeWord(line);
    if (lowerCase(word) != expected)
      fail(std::string("'") + expected + "'", word);
  }

  void readBanner() {
    const auto first = text.nextLine();
    std::string_view line = first.value_or("");
    expectWord(line, "%%matrixmarket");
    expectWord(line, "matrix");
    expectWord(line, "coordinate");

    const std::string_view field = takeWord(line);
    const std::string fieldName = lowerCase(field);
    header.hasValues = fieldName != "pattern";
    if (header.hasValues && fieldName != "real" && fieldName != "double" &&
        fieldName != "integer")
      fail("'real', 'integer' or 'pattern'", field);

    const std::string_view symmetry = takeWord(line);
    const std::string symmetryName = lowerCase(symmetry);
    if (symmetryName == "symmetric")
      header.symmetry = MatrixMarketHeader::Symmetry::Symmetric;
    else if (symmetryName == "skew-symmetric")
      header.symmetry = MatrixMarketHeader::Symmetry::Skew;
    else if (symmetryName != "general")
      fail("'general', 'symmetric' or 'skew-symmetric'", symmetry);
    expectEnd(line);
  }

  void readSizes() {
    std::string_view line = nextLine(), rest = line;
    while (line.starts_with('%') || takeWord(rest).empty())
      rest = line = nextLine();
    header.vertices = takeNumber(line, "the number of rows");
    const std::uint64_t columns = takeNumber(line, "the number of columns");
    if (columns != header.vertices)
      fail("as many columns as rows (" + std::to_string(header.vertices) + ")",
           std::to_string(columns));
    header.entries = takeNumber(line, "the number of entries");
    expectEnd(line);
  }

  std::uint64_t takeNumber(std::string_view &line, const char *what) {
    const std::string_view word = takeWord(line);
    const bool hasPlus = word.starts_with('+');
    const auto number = wholeNumber(word.substr(hasPlus));
    if (!number)
      fail(what, word);
    return *number;
  }

  void expectEnd(std::string_view line) {
    const std::string_view word = takeWord(line);
    if (!word.empty())
      fail("nothing more", word);
  }

  TextFile &text;
  MatrixMarketHeader header;
};

} // namespace

MatrixMarketHeader readMatrixMarketHeader(TextFile &text) {
  return MatrixMarketHeaderReader(text).read();
}

} // namespace heddle::graph
