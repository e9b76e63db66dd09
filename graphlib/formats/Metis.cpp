//===- Metis.cpp - Rows of neighbours, as METIS has them -----------------===//
//
// A header, and a line for each vertex with its neighbours, counted from 1.
// Size and weights of the vertex may come first, which are checked and ignored,
// and each neighbour may be followed by the weight of the edge. Lines that
// begin with % are comments; an empty line is a vertex without neighbours. The
// graph is undirected: each edge is in the rows of both its ends.
//
//===----------------------------------------------------------------------===//

#include "headers/MetisHeader.h"

#include "../files/Quote.h"
#include "../files/Words.h"
#include "EdgeSum.h"
#include "FileEdges.h"
#include "Formats.h"
#include "headers/Recognition.h"
#include "lines/EdgeText.h"
#include "lines/GraphLines.h"

#include <cstring>

namespace heddle::graph {
namespace {

/// Some lines, and the edges in them.
template <VertexIdentifier VertexId, EdgeWeight Weight> struct MetisChunk {
  std::string_view text;
  std::uint64_t firstRow = 0, rows = 0;
  std::uint64_t lines = 0; ///< up to and including that of a mistake
  std::string mistake;
  std::vector<Edge<VertexId, Weight>> edges;
  std::uint64_t loops = 0;
  EdgeSum upwards, downwards; ///< to higher vertices, and to lower ones
};

/// Calls `visit` with each line, without its end, as long as that returns true.
template <typename Visit> void forEachLine(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r'))
      line.remove_suffix(1);
    if (!visit(line))
      return;
  }
}

bool isComment(std::string_view line) { return line.starts_with('%'); }

template <VertexIdentifier VertexId, EdgeWeight Weight> class MetisRowParser {
public:
  using Chunk = MetisChunk<VertexId, Weight>;

  explicit MetisRowParser(const MetisHeader &header) : header(header) {}

  void parse(Chunk &chunk) const {
    std::uint64_t row = chunk.firstRow;
    chunk.edges.clear();
    chunk.mistake.clear();
    chunk.lines = chunk.loops = 0;
    chunk.upwards = chunk.downwards = {};
    forEachLine(chunk.text, [&](std::string_view line) {
      ++chunk.lines;
      if (!isComment(line))
        parseRow(line, row++, chunk);
      return chunk.mistake.empty();
    });
  }

private:
  /// The rest of a line, and what should come next in it.
  struct Place {
    const char *position, *end;
    std::string expected;

    bool skipBlanks() {
      while (position != end && (*position == ' ' || *position == '\t'))
        ++position;
      return position != end;
    }
    /// Steps past a number that ends at `next`, unless something is stuck to
    /// it.
    bool pass(const char *next) {
      if (next != end && *next != ' ' && *next != '\t')
        return false;
      position = next;
      return true;
    }
  };

  void parseRow(std::string_view line, std::uint64_t row, Chunk &chunk) const {
    Place place = {line.data(), line.data() + line.size(), {}};
    if (row < header.vertices ? parseNumbers(place, row, chunk)
                              : !place.skipBlanks())
      return;
    if (row >= header.vertices)
      place.expected =
          "no more than " + std::to_string(header.vertices) + " vertices";
    const std::string_view rest(
        place.position, static_cast<std::size_t>(place.end - place.position));
    std::string_view copy = rest;
    chunk.mistake =
        "expected " + place.expected + ", found " +
        (rest.empty() ? "the end of the line" : quoted(takeWord(copy)));
  }

  bool parseNumbers(Place &place, std::uint64_t row, Chunk &chunk) const {
    for (std::uint64_t i = header.numbersBeforeRow(); i > 0; --i) {
      Unweighted ignored;
      const bool isThere = place.skipBlanks();
      const char *next = place.position;
      if (!isThere || !graph::parseWeight(next, place.end, ignored) ||
          !place.pass(next)) {
        place.expected = "a size or weight of the vertex";
        return false;
      }
    }
    while (place.skipBlanks()) {
      std::uint64_t target;
      const char *next = place.position;
      if (!parseWhole(next, place.end, target) || target < 1 ||
          target > header.vertices || !place.pass(next)) {
        place.expected =
            "a vertex from 1 to " + std::to_string(header.vertices);
        return false;
      }
      Edge<VertexId, Weight> edge = {
          static_cast<VertexId>(row), static_cast<VertexId>(target - 1), {}};
      if (header.hasEdgeWeights && !parseWeight(place, edge.weight))
        return false;
      add(edge, chunk);
    }
    return true;
  }

  static bool parseWeight(Place &place, Weight &weight) {
    const bool isThere = place.skipBlanks();
    const char *next = place.position;
    if (isThere && graph::parseWeight(next, place.end, weight) &&
        place.pass(next))
      return true;
    place.expected = std::same_as<Weight, Unweighted>
                         ? "the weight of an edge"
                         : "the weight of an edge, of " +
                               std::to_string(8 * sizeof(Weight)) + " bits";
    return false;
  }

  static void add(const Edge<VertexId, Weight> &edge, Chunk &chunk) {
    chunk.edges.push_back(edge);
    if (edge.from < edge.to)
      chunk.upwards.add(edge);
    else if (edge.from > edge.to)
      chunk.downwards.addReversed(edge);
    else
      ++chunk.loops;
  }

  const MetisHeader header;
};

/// Reads the header and throws Error if it does not match the options or the
/// weights.
template <VertexIdentifier VertexId, EdgeWeight Weight>
MetisHeader readHeaderFor(TextFile &text, const std::string &path,
                          const ReadOptions &options) {
  const MetisHeader header = readMetisHeader(text);
  const VertexId most = vertexLimit<VertexId>(path, options);
  if (header.vertices > most)
    text.fail(text.linesRead(), "expected at most " + std::to_string(most) +
                                    " vertices, found " +
                                    std::to_string(header.vertices));
  if (!std::same_as<Weight, Unweighted> && !header.hasEdgeWeights)
    text.fail(text.linesRead(),
              "expected weights of edges (a last digit of 1 behind the numbers "
              "of vertices and edges), found none");
  return header;
}

template <VertexIdentifier VertexId, EdgeWeight Weight>
class MetisFile final : public FileEdges<VertexId, Weight> {
public:
  using typename detail::EdgeSource<VertexId, Weight>::Edges;

  MetisFile(const std::string &path, const ReadOptions &readOptions)
      : options(readOptions), text(path, options),
        header(readHeaderFor<VertexId, Weight>(text, path, options)),
        parser(header) {}

  /// Returns each edge in both directions.
  Edges next() override {
    while (current < chunks.size() || parseMore()) {
      Chunk &chunk = chunks[current++];
      text.countLines(chunk.lines);
      if (!chunk.mistake.empty())
        text.fail(text.linesRead(), chunk.mistake);
      listed += chunk.edges.size();
      loops += chunk.loops;
      upwards += chunk.upwards;
      downwards += chunk.downwards;
      if (!chunk.edges.empty())
        return chunk.edges;
    }
    checkEnd();
    return {};
  }

  Array<Edge<VertexId, Weight>> all() override {
    GrowingArray<Edge<VertexId, Weight>> edges;
    for (Edges piece = next(); !piece.empty(); piece = next()) {
      const auto isOnce = [](const auto &edge) { return edge.from <= edge.to; };
      const auto count =
          static_cast<std::size_t>(std::ranges::count_if(piece, isOnce));
      std::ranges::copy_if(piece, edges.extend(count, header.edges), isOnce);
    }
    return edges.take();
  }

  std::uint64_t vertexCount() const override {
    return options.vertexCount.value_or(header.vertices);
  }
  bool isUndirected() const override { return true; }
  std::optional<bool> isDirected() const override { return false; }

private:
  using Chunk = MetisChunk<VertexId, Weight>;

  /// Rows are numbered once the lines before them have been counted.
  bool parseMore() {
    const std::vector<std::string_view> &texts = text.nextChunks();
    chunks.resize(texts.size());
    current = 0;
#pragma omp parallel for schedule(dynamic, 1)
    for (std::size_t i = 0; i < texts.size(); ++i) {
      chunks[i].text = texts[i];
      chunks[i].rows = 0;
      forEachLine(texts[i], [&](std::string_view line) {
        chunks[i].rows += !isComment(line);
        return true;
      });
    }
    for (Chunk &chunk : chunks) {
      chunk.firstRow = rows;
      rows += chunk.rows;
    }
#pragma omp parallel for schedule(dynamic, 1)
    for (std::size_t i = 0; i < chunks.size(); ++i)
      parser.parse(chunks[i]);
    text.reportProgress();
    return !chunks.empty();
  }

  void checkEnd() const {
    const std::uint64_t end = text.linesRead() + 1;
    if (rows < header.vertices)
      text.fail(end, "expected " + std::to_string(header.vertices) +
                         " vertices, found the end of the file after " +
                         std::to_string(rows));
    // Those who have edges from a vertex to itself list them once or twice.
    if (listed != 2 * header.edges && listed + loops != 2 * header.edges)
      text.fail(end, "expected " + std::to_string(header.edges) +
                         " edges, each in the rows of both its ends, found " +
                         std::to_string(listed) + " neighbours in all rows");
    if (upwards != downwards)
      text.fail(end, "expected each edge with the same weight in the rows of "
                     "both its ends, found one that is in one row only or has "
                     "two weights");
  }

  const ReadOptions options;
  TextFile text;
  const MetisHeader header;
  const MetisRowParser<VertexId, Weight> parser;
  std::vector<Chunk> chunks;
  std::size_t current = 0;
  std::uint64_t rows = 0, listed = 0, loops = 0;
  EdgeSum upwards, downwards;
};

} // namespace

const FormatDescription &MetisFormat::description() {
  static const FormatDescription description = {
      .name = "metis",
      .inWords = "METIS (.graph)",
      .endings = {".graph", ".metis"},
      .isStart =
          [](const FileStart &start) {
            return likenessToMetis(start) == Likeness::Certain;
          },
      .weightProblem = [](WeightKind kind) -> const char * {
        if (!kind.isNumber || kind.isInteger)
          return nullptr;
        return "expected integer weights for this format, or none, found "
               "others";
      }};
  return description;
}

template <VertexIdentifier VertexId, EdgeWeight Weight>
Csr<VertexId, Weight> MetisFormat::read(const std::string &path,
                                        const ReadGraphOptions &options) {
  return buildFromList<MetisFile, VertexId, Weight>(path, options);
}

template <EdgeWeight Weight>
EdgeSourcePointer<Weight> MetisFormat::open(const std::string &path,
                                            const ReadOptions &options) {
  return std::make_unique<MetisFile<std::uint32_t, Weight>>(path, options);
}

template <VertexIdentifier VertexId, EdgeWeight Weight>
void MetisFormat::write(OutputFile &file, const Csr<VertexId, Weight> &graph,
                        const std::string &path) {
  constexpr bool isWeighted = !std::same_as<Weight, Unweighted>;
  if (graph.isDirected())
    throw Error(path + ": expected an undirected graph for this format, found "
                       "a directed one");
  writeHeader(file, std::to_string(graph.vertexCount()), " ",
              std::to_string(countOnce(graph)), isWeighted ? " 001\n" : "\n");
  constexpr std::uint64_t rowsInPiece = std::uint64_t(1) << 13;
  const std::uint64_t count = graph.vertexCount();
  const auto &rows = graph.outRows();
  const auto writeRows = [&](std::uint64_t piece, std::vector<char> &bytes) {
    const std::uint64_t begin = piece * rowsInPiece;
    const std::uint64_t end = std::min(begin + rowsInPiece, count);
    bytes.resize((rows.offsets[end] - rows.offsets[begin]) * 2 *
                     (MostNumberBytes + 1) +
                 (end - begin));
    char *to = bytes.data();
    for (std::uint64_t row = begin; row < end; ++row) {
      const char *first = to;
      forEachInRow(rows, row, [&](const auto &edge) {
        if (to != first)
          *to++ = ' ';
        to = writeNumber(to, std::uint64_t(edge.to) + 1);
        if constexpr (isWeighted) {
          *to++ = ' ';
          to = writeNumber(to, edge.weight);
        }
      });
      *to++ = '\n';
    }
    bytes.resize(static_cast<std::size_t>(to - bytes.data()));
  };
  file.writePieces((count + rowsInPiece - 1) / rowsInPiece, writeRows);
}

HEDDLE_INSTANTIATE_FORMAT(MetisFormat)

} // namespace heddle::graph
