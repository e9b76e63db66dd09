//===- Gap.cpp - Serialised graphs of the GAP benchmark suite ------------===//
//
// A byte that is 1 for a directed graph; the numbers of edges and of vertices;
// the offsets of each vertex's edges and the end of the last ones; the targets,
// each followed by its weight in a .wsg; for a directed graph, offsets and
// edges again in the other direction. All numbers but the first byte have the
// machine's byte order and 64 bits, targets and weights 32 bits.
//
//===----------------------------------------------------------------------===//

#include "../files/BinaryFile.h"
#include "AdjacencyEdges.h"
#include "CheckRows.h"
#include "EdgeSum.h"
#include "Formats.h"
#include "RowBytes.h"

#include <array>
#include <cstring>

namespace heddle::graph {
namespace {

struct GapHeader {
  bool directed = false;
  std::uint64_t edges = 0, vertices = 0;
};

struct GapWeightedTarget {
  std::uint32_t target;
  std::int32_t weight;
};

std::uint32_t vertexOf(std::uint32_t target) { return target; }
std::uint32_t vertexOf(const GapWeightedTarget &target) {
  return target.target;
}

/// Reads up to the offsets. Throws Error.
GapHeader readGapHeader(BinaryFile &file) {
  const auto readCount = [&](const char *what, std::int64_t most) {
    const std::uint64_t at = file.position();
    const auto count = file.readValue<std::int64_t>("header");
    if (count < 0 || count > most)
      file.fail(at, std::string("expected at most ") + std::to_string(most) +
                        " " + what + ", found " + std::to_string(count));
    return static_cast<std::uint64_t>(count);
  };
  GapHeader header;
  const auto directed = file.readValue<std::uint8_t>("header");
  if (directed > 1)
    file.fail(0,
              "expected 0 or 1 (directed), found " + std::to_string(directed));
  header.directed = directed == 1;
  header.edges = readCount("edges", INT64_MAX);
  header.vertices = readCount("vertices", INT32_MAX);
  return header;
}

/// Throws Error if weights are requested and the file has none.
template <EdgeWeight Weight>
void checkGapWeights(const std::string &path, bool hasWeights) {
  if (!std::same_as<Weight, Unweighted> && !hasWeights)
    throw Error(path + ": expected weights, found a .sg file, which has none");
}

/// Reads all rows.
template <VertexIdentifier VertexId, EdgeWeight Weight> class GapReader {
public:
  GapReader(const std::string &path, bool hasWeights,
            const ReadOptions &options)
      : path(path), file(path, options, CompressionFrom::ContentOrName),
        hasWeights(hasWeights) {}

  Csr<VertexId, Weight> read() {
    const GapHeader header = readGapHeader(file);
    edges = header.edges;
    vertices = header.vertices;
    Rows out = readRows();
    if (!header.directed) {
      file.expectEnd();
      expectReverse(out, out);
      return Csr<VertexId, Weight>(std::move(out));
    }
    Rows in = readRows();
    file.expectEnd();
    expectReverse(out, in);
    return Csr<VertexId, Weight>(std::move(out), std::move(in));
  }

private:
  using Rows = CsrRows<VertexId, Weight>;

  Rows readRows() {
    Rows rows;
    const std::uint64_t offsetsAt = file.position();
    rows.offsets = file.readArray<std::uint64_t>(vertices + 1, "offsets");
    const std::uint64_t targetsAt = file.position();
    readTargets(rows);
    if (const RowProblem problem = problemInOffsets(rows))
      file.fail(offsetsAt + problem.index * sizeof(std::uint64_t),
                problem.text);
    if (const RowProblem problem = problemInTargets(rows))
      file.fail(targetsAt + problem.index * (hasWeights ? 8 : 4), problem.text);
    if (!areSorted(rows))
      sortRows(rows);
    return rows;
  }

  void expectReverse(const Rows &out, const Rows &in) const {
    if (!areReverse(out, in))
      throw Error(path + ": " + firstWithoutReverse(out, in));
  }

  void readTargets(Rows &rows) {
    if (hasWeights)
      readPieces<GapWeightedTarget>(rows, "targets and weights");
    else if constexpr (sizeof(VertexId) == sizeof(std::uint32_t))
      rows.targets = file.readArray<VertexId>(edges, "targets");
    else
      readPieces<std::uint32_t>(rows, "targets");
  }

  template <typename Target> void readPieces(Rows &rows, const char *what) {
    constexpr bool wantsWeights = std::same_as<Target, GapWeightedTarget> &&
                                  !std::same_as<Weight, Unweighted>;
    GrowingArray<VertexId> targets;
    GrowingArray<Weight> weights;
    file.readPieces<Target>(edges, what, [&](std::span<const Target> piece) {
      VertexId *target = extend(targets, piece.size());
      Weight *weight = nullptr;
      if constexpr (wantsWeights)
        weight = extend(weights, piece.size());
#pragma omp parallel for
      for (std::size_t i = 0; i < piece.size(); ++i) {
        target[i] = vertexOf(piece[i]);
        if constexpr (wantsWeights)
          weight[i] = static_cast<Weight>(piece[i].weight);
      }
    });
    rows.targets = targets.take();
    rows.weights = weights.take();
  }

  template <typename T> T *extend(GrowingArray<T> &array, std::size_t count) {
    return array.extend(count, file.isSizeKnown() ? edges : 0);
  }

  const std::string path;
  BinaryFile file;
  const bool hasWeights;
  std::uint64_t edges = 0, vertices = 0;
};

/// Reads each target as a `Target`: the vertex alone, or with a weight.
template <EdgeWeight Weight, typename Target> class GapInput {
public:
  GapInput(const std::string &path, const ReadOptions &readOptions)
      : path(path), options(readOptions),
        offsetsFile(path, options, CompressionFrom::ContentOrName),
        targetsFile(path, options, CompressionFrom::ContentOrName),
        header(readGapHeader(offsetsFile)) {
    if (offsetsFile.isSizeKnown())
      checkSize();
    readGapHeader(targetsFile);
    skipOffsets(targetsFile);
  }

  std::uint64_t vertices() const { return header.vertices; }
  std::uint64_t edges() const { return header.edges; }

  std::uint64_t nextOffset() {
    if (position == offsets.size())
      readOffsets();
    const std::uint64_t offset = offsets[position];
    checkOffset(offset);
    ++position;
    return lastOffset = offset;
  }

  void readTargets(std::span<Edge<std::uint32_t, Weight>> edges) {
    const std::uint64_t at = targetsFile.position();
    targets.resize(edges.size());
    targetsFile.readValues(std::span(targets), What);
    for (std::size_t i = 0; i < edges.size(); ++i) {
      edges[i].to = targetOf(targets[i], at + i * sizeof(Target));
      if constexpr (HasWeights && !std::same_as<Weight, Unweighted>)
        edges[i].weight = static_cast<Weight>(targets[i].weight);
    }
  }

  void note(std::span<const Edge<std::uint32_t, Weight>> edges) {
    for (const auto &edge : edges) {
      forward.add(edge);
      if (!header.directed)
        backward.addReversed(edge);
    }
  }

  /// The edges in the other direction are the same edges once more.
  void finish() {
    if (isRead)
      return;
    isRead = true;
    if (header.directed)
      noteInRows();
    targetsFile.expectEnd();
    if (forward != backward)
      throw Error(path + (header.directed
                              ? ": expected in-edges that are the out-edges "
                                "reversed, found others"
                              : ": expected each edge of an undirected graph "
                                "with the same weight in both directions, "
                                "found others"));
  }

  std::uint64_t vertexCount() const { return header.vertices; }
  bool isUndirected() const { return !header.directed; }
  bool isFinished() const { return true; }

private:
  static constexpr bool HasWeights = std::same_as<Target, GapWeightedTarget>;
  static constexpr const char *What =
      HasWeights ? "targets and weights" : "targets";

  void skipOffsets(BinaryFile &file) const {
    file.skip<std::uint64_t>(header.vertices + 1, "offsets");
  }

  /// Reads the rows of in-edges, which follow those of out-edges.
  void noteInRows() {
    constexpr std::uint64_t Many = std::uint64_t(1) << 16;
    offsetsFile.skip<Target>(header.edges, What);
    skipOffsets(targetsFile);
    offsets.clear();
    firstOffset = position = 0;
    lastOffset = 0;
    std::vector<Edge<std::uint32_t, Weight>> piece;
    std::uint64_t row = 0, rowEnd = nextOffset();
    for (std::uint64_t edge = 0; edge < header.edges;) {
      piece.resize(std::min(Many, header.edges - edge));
      readTargets(std::span(piece));
      for (auto &next : piece) {
        while (rowEnd <= edge) {
          rowEnd = nextOffset();
          ++row;
        }
        next.from = static_cast<std::uint32_t>(row - 1);
        backward.addReversed(next);
        ++edge;
      }
    }
    while (row++ < header.vertices)
      nextOffset();
  }

  /// Hours of work are better not begun with a file that is cut short.
  void checkSize() const {
    BinaryFile file(path, options, CompressionFrom::ContentOrName);
    readGapHeader(file);
    for (int direction = 0; direction <= int(header.directed); ++direction) {
      skipOffsets(file);
      file.skip<Target>(header.edges, What);
    }
    file.expectEnd();
  }

  void readOffsets() {
    constexpr std::uint64_t Many = std::uint64_t(1) << 15;
    firstOffset += offsets.size();
    placeOfOffsets = offsetsFile.position();
    offsets.resize(std::min(Many, header.vertices + 1 - firstOffset));
    offsetsFile.readValues(std::span(offsets), "offsets");
    position = 0;
  }

  void checkOffset(std::uint64_t offset) const {
    const std::uint64_t index = firstOffset + position;
    const auto fail = [&](const std::string &expected) {
      offsetsFile.fail(placeOfOffsets + position * sizeof(offset),
                       "expected " + expected + ", found " +
                           std::to_string(offset));
    };
    if (index == 0 && offset != 0)
      fail("the offset 0");
    if (offset < lastOffset)
      fail("an offset of at least " + std::to_string(lastOffset));
    if (offset > header.edges)
      fail("an offset of at most " + std::to_string(header.edges));
    if (index == header.vertices && offset != header.edges)
      fail("the offset " + std::to_string(header.edges));
  }

  std::uint32_t targetOf(const Target &target, std::uint64_t at) const {
    const std::uint32_t vertex = vertexOf(target);
    if (vertex >= header.vertices)
      targetsFile.fail(at, "expected a vertex below " +
                               std::to_string(header.vertices) + ", found " +
                               std::to_string(vertex));
    return vertex;
  }

  const std::string path;
  const ReadOptions options;
  BinaryFile offsetsFile, targetsFile;
  const GapHeader header;
  std::vector<std::uint64_t> offsets;
  std::uint64_t firstOffset = 0, placeOfOffsets = 0, lastOffset = 0;
  std::size_t position = 0;
  std::vector<Target> targets;
  EdgeSum forward, backward;
  bool isRead = false;
};

template <EdgeWeight Weight, typename Target>
EdgeSourcePointer<Weight> openGapOf(const std::string &path,
                                    const ReadOptions &options) {
  return std::make_unique<AdjacencyEdges<Weight, GapInput<Weight, Target>>>(
      path, options);
}

template <EdgeWeight Weight>
EdgeSourcePointer<Weight> openGap(const std::string &path, bool hasWeights,
                                  const ReadOptions &options) {
  checkGapWeights<Weight>(path, hasWeights);
  expectSeveralReaders(path);
  return hasWeights ? openGapOf<Weight, GapWeightedTarget>(path, options)
                    : openGapOf<Weight, std::uint32_t>(path, options);
}

template <VertexIdentifier VertexId, EdgeWeight Weight>
Csr<VertexId, Weight> readGap(const std::string &path, bool hasWeights,
                              const ReadOptions &options) {
  checkGapWeights<Weight>(path, hasWeights);
  return GapReader<VertexId, Weight>(path, hasWeights, options).read();
}

/// Targets as .sg has them, each with its weight in a .wsg.
template <bool WithWeights, VertexIdentifier VertexId, EdgeWeight Weight>
void writeGapTargets(OutputFile &file, const CsrRows<VertexId, Weight> &rows) {
  constexpr std::size_t edgeBytes = WithWeights ? 8 : 4;
  constexpr std::uint64_t edgesInPiece = (std::uint64_t(1) << 20) / edgeBytes;
  const std::uint64_t edges = rows.targets.size();
  file.writePieces(
      (edges + edgesInPiece - 1) / edgesInPiece,
      [&](std::uint64_t piece, std::vector<char> &bytes) {
        const std::uint64_t begin = piece * edgesInPiece;
        const std::uint64_t end = std::min(begin + edgesInPiece, edges);
        bytes.resize((end - begin) * edgeBytes);
        char *to = bytes.data();
        for (std::uint64_t i = begin; i < end; ++i, to += edgeBytes) {
          const auto target = static_cast<std::uint32_t>(rows.targets[i]);
          std::memcpy(to, &target, sizeof(target));
          if constexpr (WithWeights)
            std::memcpy(to + 4, &rows.weights[i], 4);
        }
      });
}

template <bool WithWeights, VertexIdentifier VertexId, EdgeWeight Weight>
void writeGapRows(OutputFile &file, const Csr<VertexId, Weight> &graph) {
  const auto writeRows = [&](const CsrRows<VertexId, Weight> &rows) {
    file.write(bytesOf(offsetsOf(rows.offsets)));
    writeGapTargets<WithWeights>(file, rows);
  };
  writeRows(graph.outRows());
  if (graph.isDirected())
    writeRows(graph.inRows());
}

template <VertexIdentifier VertexId, EdgeWeight Weight>
void writeGap(OutputFile &file, const Csr<VertexId, Weight> &graph,
              bool withWeights, const std::string &path) {
  if (graph.vertexCount() > INT32_MAX)
    throw Error(path + ": expected at most " + std::to_string(INT32_MAX) +
                " vertices for this format, found " +
                std::to_string(graph.vertexCount()));
  std::array<char, 17> header;
  const std::uint64_t edges = graph.edgeCount(), vertices = graph.vertexCount();
  header[0] = graph.isDirected();
  std::memcpy(&header[1], &edges, sizeof(edges));
  std::memcpy(&header[9], &vertices, sizeof(vertices));
  file.write(header);
  if (!withWeights)
    return writeGapRows<false>(file, graph);
  if constexpr (std::same_as<Weight, std::int32_t>)
    writeGapRows<true>(file, graph);
}

} // namespace

const FormatDescription &GapFormat::description() {
  static const FormatDescription description = {.name = "gap",
                                                .inWords = "GAP (.sg, .wsg)",
                                                .endings = {".sg"},
                                                .isFinished = true};
  return description;
}

const FormatDescription &GapWeightedFormat::description() {
  static const FormatDescription description = {
      .name = "gap-weighted",
      .endings = {".wsg"},
      .isFinished = true,
      .weightProblem = [](WeightKind kind) -> const char * {
        if (kind.isInteger && kind.bytes == sizeof(std::int32_t))
          return nullptr;
        return "expected integer weights of 32 bits for this format, found "
               "none or others";
      }};
  return description;
}

template <VertexIdentifier VertexId, EdgeWeight Weight>
Csr<VertexId, Weight> GapFormat::read(const std::string &path,
                                      const ReadGraphOptions &options) {
  return readGap<VertexId, Weight>(path, false, options.text);
}

template <EdgeWeight Weight>
EdgeSourcePointer<Weight> GapFormat::open(const std::string &path,
                                          const ReadOptions &options) {
  return openGap<Weight>(path, false, options);
}

template <VertexIdentifier VertexId, EdgeWeight Weight>
void GapFormat::write(OutputFile &file, const Csr<VertexId, Weight> &graph,
                      const std::string &path) {
  writeGap(file, graph, false, path);
}

template <VertexIdentifier VertexId, EdgeWeight Weight>
Csr<VertexId, Weight> GapWeightedFormat::read(const std::string &path,
                                              const ReadGraphOptions &options) {
  return readGap<VertexId, Weight>(path, true, options.text);
}

template <EdgeWeight Weight>
EdgeSourcePointer<Weight> GapWeightedFormat::open(const std::string &path,
                                                  const ReadOptions &options) {
  return openGap<Weight>(path, true, options);
}

template <VertexIdentifier VertexId, EdgeWeight Weight>
void GapWeightedFormat::write(OutputFile &file,
                              const Csr<VertexId, Weight> &graph,
                              const std::string &path) {
  writeGap(file, graph, true, path);
}

HEDDLE_INSTANTIATE_FORMAT(GapFormat)
HEDDLE_INSTANTIATE_FORMAT(GapWeightedFormat)

} // namespace heddle::graph
