//===- Dimacs.cpp - Graphs of the DIMACS challenges ----------------------===//
//
// A problem line, then a line for each edge, which begins with a letter, has
// two vertices, counted from 1, and perhaps a weight. Problems of shortest
// paths ('sp') and flows ('max') have directed edges with lengths or
// capacities, problems of colouring ('edge', 'col') undirected ones, mostly
// without.
//
//===----------------------------------------------------------------------===//

#include "headers/DimacsHeader.h"

#include "FileEdges.h"
#include "Formats.h"
#include "headers/Recognition.h"
#include "lines/EdgeLines.h"
#include "lines/GraphLines.h"

namespace heddle::graph {
namespace {

/// Returns the form of the edges, right after the header was read. Throws Error
/// if there cannot be such edges.
template <VertexIdentifier VertexId>
EdgeTextForm<VertexId>
formOfEdges(const DimacsHeader &header, const TextFile &text,
            const std::string &path, const ReadOptions &options) {
  checkHeaderCounts<VertexId>(text, path, options, header.vertices,
                              header.edges, "vertices");
  // Comments, and what colouring and flow problems say about vertices.
  constexpr std::string_view others = "cnvdx";
  return {.line = {.vertexLimit = static_cast<VertexId>(header.vertices),
                   .firstVertex = 1,
                   .mark = header.mark(),
                   .otherMarks = others},
          .edgeCount = header.edges};
}

template <VertexIdentifier VertexId, EdgeWeight Weight>
class DimacsFile final : public FileEdges<VertexId, Weight> {
public:
  using typename detail::EdgeSource<VertexId, Weight>::Edges;

  DimacsFile(const std::string &path, const ReadOptions &readOptions)
      : options(readOptions), text(path, options),
        header(readDimacsHeader(text)),
        lines(text, formOfEdges<VertexId>(header, text, path, options)) {}

  Edges next() override {
    const Edges listed = lines.next();
    return header.directed ? listed : mirrored(listed, piece);
  }

  Array<Edge<VertexId, Weight>> all() override { return lines.all(); }

  std::uint64_t vertexCount() const override {
    return options.vertexCount.value_or(header.vertices);
  }
  bool isUndirected() const override { return !header.directed; }
  std::optional<bool> isDirected() const override { return header.directed; }

private:
  const ReadOptions options;
  TextFile text;
  const DimacsHeader header;
  EdgeLines<VertexId, Weight> lines;
  std::vector<Edge<VertexId, Weight>> piece;
};

} // namespace

const FormatDescription &DimacsFormat::description() {
  static const FormatDescription description = {
      .name = "dimacs",
      .inWords = "DIMACS (.gr, .col)",
      .endings = {".gr", ".col", ".dimacs"},
      .isStart = [](const FileStart &start) {
        return looksLikeDimacs(start.text);
      }};
  return description;
}

template <VertexIdentifier VertexId, EdgeWeight Weight>
Csr<VertexId, Weight> DimacsFormat::read(const std::string &path,
                                         const ReadGraphOptions &options) {
  return buildFromList<DimacsFile, VertexId, Weight>(path, options);
}

template <EdgeWeight Weight>
EdgeSourcePointer<Weight> DimacsFormat::open(const std::string &path,
                                             const ReadOptions &options) {
  return std::make_unique<DimacsFile<std::uint32_t, Weight>>(path, options);
}

/// Directed graphs become problems of shortest paths, others of colouring.
template <VertexIdentifier VertexId, EdgeWeight Weight>
void DimacsFormat::write(OutputFile &file, const Csr<VertexId, Weight> &graph,
                         const std::string &) {
  const DimacsHeader header = {.directed = graph.isDirected(),
                               .vertices = graph.vertexCount(),
                               .edges = graph.isDirected() ? graph.edgeCount()
                                                           : countOnce(graph)};
  writeHeader(file, header.directed ? "p sp " : "p edge ",
              std::to_string(header.vertices), " ",
              std::to_string(header.edges), "\n");
  writeEdges(
      file, graph.outRows(),
      {.firstVertex = 1, .needsWeight = header.directed, .mark = header.mark()},
      [&](std::uint64_t from, std::uint64_t to) {
        return header.directed || from <= to;
      });
}

HEDDLE_INSTANTIATE_FORMAT(DimacsFormat)

} // namespace heddle::graph
