//===- MatrixMarket.cpp - Sparse matrices in coordinates -----------------===//
//
// A banner that says what the matrix is, comments, a line with the numbers of
// rows, columns and entries, and a line for each entry, which counts rows and
// columns from 1. The entry in row i and column j is an edge from i to j. A
// file of a symmetric or skew-symmetric matrix contains only the entries on one
// side of the diagonal.
//
//===----------------------------------------------------------------------===//

#include "headers/MatrixMarketHeader.h"

#include "FileEdges.h"
#include "Formats.h"
#include "lines/EdgeLines.h"
#include "lines/GraphLines.h"

#include <limits>

namespace heddle::graph {
namespace {

/// Returns the form of the entries, right after the header was read. Throws
/// Error if there cannot be such entries, or if the options or the weights ask
/// for others.
template <VertexIdentifier VertexId, EdgeWeight Weight>
EdgeTextForm<VertexId>
formOfEntries(const MatrixMarketHeader &header, const TextFile &text,
              const std::string &path, const ReadOptions &options) {
  if (!std::same_as<Weight, Unweighted> && !header.hasValues)
    text.fail(1, "expected a matrix with values, found 'pattern'");
  checkHeaderCounts<VertexId>(text, path, options, header.vertices,
                              header.entries, "rows");
  return {.line = {.vertexLimit = static_cast<VertexId>(header.vertices),
                   .firstVertex = 1,
                   .vertexName = "row or column",
                   .hasAnyNumbers = true},
          .edgeCount = header.entries};
}

template <VertexIdentifier VertexId, EdgeWeight Weight>
class MatrixFile final : public FileEdges<VertexId, Weight> {
public:
  using typename detail::EdgeSource<VertexId, Weight>::Edges;

  MatrixFile(const std::string &path, const ReadOptions &readOptions)
      : path(path), options(readOptions), text(path, options),
        header(readMatrixMarketHeader(text)),
        lines(text,
              formOfEntries<VertexId, Weight>(header, text, path, options)) {}

  /// Returns entries, each followed by the one that a symmetric or
  /// skew-symmetric matrix leaves out.
  Edges next() override {
    const Edges listed = lines.next();
    if (header.symmetry == Symmetry::Symmetric)
      return mirrored(listed, piece);
    if (header.symmetry == Symmetry::General)
      return listed;
    piece.clear();
    for (const auto &edge : listed) {
      if (edge.from == edge.to)
        throw Error(path +
                    ": expected no entry on the diagonal of a "
                    "skew-symmetric matrix, found one in row " +
                    std::to_string(edge.from + 1));
      piece.push_back(edge);
      piece.push_back({edge.to, edge.from, negated(edge.weight)});
    }
    return piece;
  }

  Array<Edge<VertexId, Weight>> all() override {
    if (header.symmetry == Symmetry::Skew)
      return FileEdges<VertexId, Weight>::all();
    return lines.all();
  }

  std::uint64_t vertexCount() const override {
    return options.vertexCount.value_or(header.vertices);
  }
  bool isUndirected() const override {
    return header.symmetry == Symmetry::Symmetric;
  }
  std::optional<bool> isDirected() const override {
    if (header.symmetry == Symmetry::General)
      return std::nullopt;
    return header.symmetry == Symmetry::Skew;
  }

protected:
  std::uint64_t expectedEdges() const override { return 2 * header.entries; }

private:
  using Symmetry = MatrixMarketHeader::Symmetry;

  /// The value on the other side of the diagonal of a skew-symmetric matrix.
  Weight negated(Weight value) const {
    if constexpr (std::same_as<Weight, Unweighted>) {
      return {};
    } else {
      if constexpr (std::is_integral_v<Weight>)
        if (value == std::numeric_limits<Weight>::min())
          throw Error(path +
                      ": expected values of a skew-symmetric matrix whose "
                      "opposites can be held, found " +
                      std::to_string(value));
      return -value;
    }
  }

  const std::string path;
  const ReadOptions options;
  TextFile text;
  const MatrixMarketHeader header;
  EdgeLines<VertexId, Weight> lines;
  std::vector<Edge<VertexId, Weight>> piece;
};

} // namespace

const FormatDescription &MatrixMarketFormat::description() {
  static const FormatDescription description = {.name = "matrixmarket",
                                                .inWords =
                                                    "Matrix Market (.mtx)",
                                                .endings = {".mtx"},
                                                .starts = {"%%MatrixMarket"}};
  return description;
}

template <VertexIdentifier VertexId, EdgeWeight Weight>
Csr<VertexId, Weight>
MatrixMarketFormat::read(const std::string &path,
                         const ReadGraphOptions &options) {
  return buildFromList<MatrixFile, VertexId, Weight>(path, options);
}

template <EdgeWeight Weight>
EdgeSourcePointer<Weight> MatrixMarketFormat::open(const std::string &path,
                                                   const ReadOptions &options) {
  return std::make_unique<MatrixFile<std::uint32_t, Weight>>(path, options);
}

template <VertexIdentifier VertexId, EdgeWeight Weight>
void MatrixMarketFormat::write(OutputFile &file,
                               const Csr<VertexId, Weight> &graph,
                               const std::string &) {
  const bool directed = graph.isDirected();
  const char *field = std::same_as<Weight, Unweighted>   ? "pattern"
                      : std::is_floating_point_v<Weight> ? "real"
                                                         : "integer";
  const std::string vertices = std::to_string(graph.vertexCount());
  writeHeader(
      file, "%%MatrixMarket matrix coordinate ", field,
      directed ? " general\n" : " symmetric\n", vertices, " ", vertices, " ",
      std::to_string(directed ? graph.edgeCount() : countOnce(graph)), "\n");
  // The lower triangle of a symmetric matrix.
  writeEdges(file, graph.outRows(), {.firstVertex = 1},
             [directed](std::uint64_t from, std::uint64_t to) {
               return directed || from >= to;
             });
}

HEDDLE_INSTANTIATE_FORMAT(MatrixMarketFormat)

} // namespace heddle::graph
