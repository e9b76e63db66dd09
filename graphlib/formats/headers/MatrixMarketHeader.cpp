//===- MatrixMarketHeader.cpp - Headers of Matrix Market ------------------===//

#include "MatrixMarketHeader.h"

#include "HeaderReader.h"

namespace heddle::graph {
namespace {

class MatrixMarketHeaderReader : private HeaderReader {
public:
  using HeaderReader::HeaderReader;

  MatrixMarketHeader read() {
    readBanner();
    readSizes();
    return header;
  }

private:
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
    constexpr const char *sizes = "the sizes of the matrix";
    std::string_view line = nextLine(sizes), rest = line;
    while (line.starts_with('%') || takeWord(rest).empty())
      rest = line = nextLine(sizes);
    header.vertices = takeNumber(line, "the number of rows");
    const std::uint64_t columns = takeNumber(line, "the number of columns");
    if (columns != header.vertices)
      fail("as many columns as rows (" + std::to_string(header.vertices) + ")",
           std::to_string(columns));
    header.entries = takeNumber(line, "the number of entries");
    expectEnd(line);
  }

  MatrixMarketHeader header;
};

} // namespace

MatrixMarketHeader readMatrixMarketHeader(TextFile &text) {
  return MatrixMarketHeaderReader(text).read();
}

} // namespace heddle::graph
