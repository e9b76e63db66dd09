//===- TextEdges.cpp - Lines that are edges, piece by piece --------------===//

#include "EdgeReaders.h"

#include "../../formats/MatrixMarket.h"
#include "../../formats/lines/EdgeTally.h"

#include <omp.h>

namespace heddle::graph::ooc {

namespace {

/// The lines that are left of a text, parsed by all threads.
template <EdgeWeight Weight> class EdgeLines {
public:
  using Edges = typename EdgeSource<Weight>::Edges;

  EdgeLines(TextFile &text, const EdgeTextForm<std::uint32_t> &form)
      : text(text), tally(text, form),
        chunks(2 * static_cast<std::size_t>(omp_get_max_threads())) {}

  /// The next edges; none after the last.
  Edges next() {
    while (current < filled || parseMore()) {
      Chunk &chunk = chunks[current++];
      tally.add(chunk);
      if (chunk.edgeCount > 0)
        return {chunk.edges.data(), chunk.edgeCount};
    }
    tally.expectAll();
    return {};
  }

  std::uint64_t vertices() const { return tally.vertices(); }

  void checkCredible() const {
    graph::checkCredible(text, tally.vertices(), tally.edges(),
                         tally.lineOfHighestVertex());
  }

private:
  using Chunk = ParsedChunk<std::uint32_t, Weight>;

  bool parseMore() {
    current = filled = 0;
    while (!isAtEnd && filled < chunks.size()) {
      isAtEnd = !text.nextLines(chunks[filled].text);
      if (isAtEnd)
        break;
      isAtEnd = !chunks[filled].text.problem.empty();
      ++filled;
    }
#pragma omp parallel for schedule(dynamic, 1)
    for (std::size_t i = 0; i < filled; ++i) {
      try {
        chunks[i].failure = nullptr;
        chunks[i].parse(tally.parser());
      } catch (...) {
        chunks[i].failure = std::current_exception();
      }
    }
    text.reportProgress();
    return filled > 0;
  }

  TextFile &text;
  EdgeTally<std::uint32_t, Weight> tally;
  std::vector<Chunk> chunks;
  std::size_t current = 0, filled = 0;
  bool isAtEnd = false;
};

template <EdgeWeight Weight> class ListEdges final : public EdgeSource<Weight> {
public:
  using typename EdgeSource<Weight>::Edges;

  ListEdges(const std::string &path, const ReadOptions &readOptions)
      : options(readOptions), text(path, options),
        lines(text,
              {.vertexLimit = vertexLimit<std::uint32_t>(path, options)}) {}

  Edges next() override {
    const Edges edges = lines.next();
    if (edges.empty() && !options.vertexCount)
      lines.checkCredible();
    return edges;
  }

  std::uint64_t vertexCount() const override {
    return options.vertexCount.value_or(lines.vertices());
  }

private:
  const ReadOptions options;
  TextFile text;
  EdgeLines<Weight> lines;
};

template <EdgeWeight Weight>
class MatrixEdges final : public EdgeSource<Weight> {
public:
  using typename EdgeSource<Weight>::Edges;

  MatrixEdges(const std::string &path, const ReadOptions &readOptions)
      : path(path), options(readOptions), text(path, options),
        header(readMatrixMarketHeader(text)),
        lines(text, formOfEntries<std::uint32_t, Weight>(header, text, path,
                                                         options)) {}

  Edges next() override {
    const Edges listed = lines.next();
    if (header.symmetry == Symmetry::General)
      return listed;
    piece.clear();
    for (const auto &edge : listed) {
      piece.push_back(edge);
      if (header.symmetry == Symmetry::Skew)
        addNegated(edge);
      else if (edge.from != edge.to)
        piece.push_back({edge.to, edge.from, edge.weight});
    }
    return piece;
  }

  std::uint64_t vertexCount() const override {
    return options.vertexCount.value_or(header.vertices);
  }
  bool isUndirected() const override {
    return header.symmetry == Symmetry::Symmetric;
  }

private:
  using Symmetry = MatrixMarketHeader::Symmetry;

  void addNegated(const Edge<std::uint32_t, Weight> &edge) {
    Edge<std::uint32_t, Weight> mirrored;
    expectMirrored<Weight>(mirrorNegated(edge, mirrored), path);
    piece.push_back(mirrored);
  }

  const std::string path;
  const ReadOptions options;
  TextFile text;
  const MatrixMarketHeader header;
  EdgeLines<Weight> lines;
  std::vector<Edge<std::uint32_t, Weight>> piece;
};

} // namespace

template <EdgeWeight Weight>
EdgeSourcePointer<Weight> openEdgeList(const std::string &path,
                                       const ReadOptions &options) {
  return std::make_unique<ListEdges<Weight>>(path, options);
}

template <EdgeWeight Weight>
EdgeSourcePointer<Weight> openMatrixMarket(const std::string &path,
                                           const ReadOptions &options) {
  return std::make_unique<MatrixEdges<Weight>>(path, options);
}

#define HEDDLE_INSTANTIATE(Weight)                                             \
  template EdgeSourcePointer<Weight> openEdgeList(const std::string &,         \
                                                  const ReadOptions &);        \
  template EdgeSourcePointer<Weight> openMatrixMarket(const std::string &,     \
                                                      const ReadOptions &);
HEDDLE_FOR_ALL_SOURCES(HEDDLE_INSTANTIATE)

} // namespace heddle::graph::ooc
