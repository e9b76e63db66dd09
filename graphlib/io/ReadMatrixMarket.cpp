//===- ReadMatrixMarket.cpp - Sparse matrices in coordinates -------------===//
//
// A banner that says what the matrix is, comments, a line with the numbers of
// rows, columns and entries, and a line for each entry, which counts rows and
// columns from 1. Of a symmetric or skew-symmetric matrix only the entries on
// one side of the diagonal are there.
//
//===----------------------------------------------------------------------===//

#include "EdgeText.h"
#include "FileError.h"
#include "Formats.h"
#include "Instantiate.h"
#include "Quote.h"
#include "Words.h"

#include <algorithm>
#include <limits>

namespace heddle::graph {
namespace {

enum class Symmetry { General, Symmetric, Skew };

struct Header {
  Symmetry symmetry = Symmetry::General;
  bool hasValues = false;
  std::uint64_t vertices = 0, entries = 0;
};

class HeaderReader {
public:
  explicit HeaderReader(TextFile &text) : text(text) {}

  Header read() {
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
      header.symmetry = Symmetry::Symmetric;
    else if (symmetryName == "skew-symmetric")
      header.symmetry = Symmetry::Skew;
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
    const auto number = wholeNumber(word);
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
  Header header;
};

/// The limit for rows and columns; not above what the options allow.
template <VertexIdentifier VertexId>
VertexId checkedVertices(const Header &header, TextFile &text,
                         const std::string &path, const ReadOptions &options) {
  const VertexId limit = vertexLimit<VertexId>(path, options);
  if (header.vertices > limit)
    text.fail(text.linesRead(), "expected at most " + std::to_string(limit) +
                                    " rows, found " +
                                    std::to_string(header.vertices));
  return static_cast<VertexId>(header.vertices);
}

/// Adds the entries that a skew-symmetric matrix has on the other side.
template <VertexIdentifier VertexId, EdgeWeight Weight>
void mirrorNegated(EdgeList<VertexId, Weight> &list, const std::string &path) {
  const std::size_t listed = list.edges.size();
  Array<Edge<VertexId, Weight>> both(2 * listed);
  std::size_t unnegatable = 0;
#pragma omp parallel for reduction(+ : unnegatable)
  for (std::size_t i = 0; i < listed; ++i) {
    const auto [from, to, weight] = list.edges[i];
    both[2 * i] = {from, to, weight};
    both[2 * i + 1] = {to, from, weight};
    if constexpr (std::is_integral_v<Weight>)
      if (weight == std::numeric_limits<Weight>::min()) {
        ++unnegatable;
        continue;
      }
    if constexpr (!std::same_as<Weight, Unweighted>)
      both[2 * i + 1].weight = -weight;
  }
  if constexpr (std::is_integral_v<Weight>)
    if (unnegatable > 0)
      throw Error(path +
                  ": expected values of a skew-symmetric matrix whose "
                  "opposites can be held, found " +
                  std::to_string(std::numeric_limits<Weight>::min()));
  list.edges = std::move(both);
}

} // namespace

template <VertexIdentifier VertexId, EdgeWeight Weight>
EdgesOfFile<VertexId, Weight> readMatrixMarket(const std::string &path,
                                               const ReadOptions &options) {
  TextFile text(path, options);
  const Header header = HeaderReader(text).read();
  const std::uint64_t lineOfSizes = text.linesRead();
  if (!std::same_as<Weight, Unweighted> && !header.hasValues)
    text.fail(1, "expected a matrix with values, found 'pattern'");

  const EdgeTextForm<VertexId> form = {
      .vertexLimit = checkedVertices<VertexId>(header, text, path, options),
      .firstVertex = 1,
      .edgeCount = header.entries};
  EdgesOfFile<VertexId, Weight> result;
  result.list = parseEdges<VertexId, Weight>(text, form).list;
  result.list.vertexCount = form.vertexLimit;

  const std::uint64_t limit = crediblyMostVertices(header.entries);
  if (options.vertexCount)
    result.list.vertexCount = static_cast<VertexId>(*options.vertexCount);
  else if (header.vertices > limit)
    text.fail(lineOfSizes,
              "expected at most " + std::to_string(limit) + " rows for " +
                  std::to_string(header.entries) + " entries, found " +
                  std::to_string(header.vertices) +
                  "; if that is right, say how many vertices there are");
  if (header.symmetry == Symmetry::Symmetric)
    result.directed = false;
  if (header.symmetry == Symmetry::Skew) {
    result.directed = true;
    mirrorNegated(result.list, path);
  }
  return result;
}

#define HEDDLE_INSTANTIATE(VertexId, Weight)                                   \
  template EdgesOfFile<VertexId, Weight> readMatrixMarket(                     \
      const std::string &, const ReadOptions &);
HEDDLE_FOR_ALL_GRAPHS(HEDDLE_INSTANTIATE)

} // namespace heddle::graph
