//===- EdgeList.cpp - Edge lists as SNAP publishes them ------------------===//

#include "heddle/graph/ReadEdgeList.h"

#include "FileEdges.h"
#include "Formats.h"
#include "lines/EdgeLines.h"
#include "lines/GraphLines.h"

namespace heddle::graph {
namespace {

template <VertexIdentifier VertexId, EdgeWeight Weight>
class EdgeListFile final : public FileEdges<VertexId, Weight> {
public:
  using typename detail::EdgeSource<VertexId, Weight>::Edges;

  EdgeListFile(const std::string &path, const ReadOptions &readOptions)
      : options(readOptions),
        limit(graph::vertexLimit<VertexId>(path, options)),
        text(checked(path), options),
        lines(text, {.line = {.vertexLimit = limit, .mayHaveTime = true}}) {}

  Edges next() override {
    const Edges edges = lines.next();
    if (edges.empty())
      checkEnd();
    return edges;
  }

  Array<Edge<VertexId, Weight>> all() override {
    auto edges = lines.all();
    checkEnd();
    return edges;
  }

  std::uint64_t vertexCount() const override {
    return options.vertexCount.value_or(lines.vertices());
  }

private:
  /// Any lines with numbers would do, also those of other formats.
  static const std::string &checked(const std::string &path) {
    expectEdgeList(path);
    return path;
  }

  void checkEnd() const {
    if (!options.vertexCount)
      lines.checkCredible();
  }

  const ReadOptions options;
  const VertexId limit;
  TextFile text;
  EdgeLines<VertexId, Weight> lines;
};

/// Returns the form of lines that programs expect in files of such a name.
EdgeLineForm lineForm(const std::string &path) {
  const auto isNamed = [&](std::string end) {
    return path.ends_with(end) || path.ends_with(end + ".gz") ||
           path.ends_with(end + ".zst");
  };
  EdgeLineForm form;
  form.withWeights = !isNamed(".el");
  form.withComment = isNamed(".txt");
  if (isNamed(".csv"))
    form.separator = ',';
  if (isNamed(".tsv"))
    form.separator = '\t';
  return form;
}

} // namespace

const FormatDescription &EdgeListFormat::description() {
  static const FormatDescription description = {
      .name = "edgelist",
      .inWords = "an edge list",
      .endings = {".el", ".wel", ".csv", ".tsv", ".edges"},
      .outputEndings = {".txt"}};
  return description;
}

template <VertexIdentifier VertexId, EdgeWeight Weight>
EdgeList<VertexId, Weight> readEdgeList(const std::string &path,
                                        const ReadOptions &options) {
  EdgeListFile<VertexId, Weight> file(path, options);
  return listOf(file);
}

template <VertexIdentifier VertexId, EdgeWeight Weight>
Csr<VertexId, Weight> EdgeListFormat::read(const std::string &path,
                                           const ReadGraphOptions &options) {
  return buildFromList<EdgeListFile, VertexId, Weight>(path, options);
}

template <EdgeWeight Weight>
EdgeSourcePointer<Weight> EdgeListFormat::open(const std::string &path,
                                               const ReadOptions &options) {
  return std::make_unique<EdgeListFile<std::uint32_t, Weight>>(path, options);
}

template <VertexIdentifier VertexId, EdgeWeight Weight>
void EdgeListFormat::write(OutputFile &file, const Csr<VertexId, Weight> &graph,
                           const std::string &path) {
  const EdgeLineForm form = lineForm(path);
  const bool directed = graph.isDirected();
  if (form.withComment)
    writeHeader(file, directed ? "# Directed" : "# Undirected", " graph of ",
                std::to_string(graph.vertexCount()), " vertices and ",
                std::to_string(directed ? graph.edgeCount() : countOnce(graph)),
                " edges\n");
  writeEdges(file, graph.outRows(), form,
             [directed](std::uint64_t from, std::uint64_t to) {
               return directed || from <= to;
             });
}

HEDDLE_INSTANTIATE_FORMAT(EdgeListFormat)

#define HEDDLE_INSTANTIATE(VertexId, Weight)                                   \
  template EdgeList<VertexId, Weight> readEdgeList<VertexId, Weight>(          \
      const std::string &, const ReadOptions &);
HEDDLE_FOR_ALL_GRAPHS(HEDDLE_INSTANTIATE)
#undef HEDDLE_INSTANTIATE

} // namespace heddle::graph
