//===- Ligra.cpp - Adjacency graphs of Ligra -----------------------------===//
//
// Offsets, targets and weights are three parts of a text. The beginning of a
// part is known only once all words in front of it are counted. Whole graphs
// are read from the first word to the last. To read it piece by piece, each
// part has a parser of its own, which counts the words in front of the part.
// Both directions of undirected edges are listed.
//
//===----------------------------------------------------------------------===//

#include "../files/GrowingArray.h"
#include "AdjacencyEdges.h"
#include "CsrInstances.h"
#include "Formats.h"
#include "LigraParser.h"
#include "lines/GraphLines.h"

#include <algorithm>
#include <concepts>
#include <optional>

namespace heddle::graph {
namespace {

/// Receives all numbers of a file.
template <VertexIdentifier VertexId, EdgeWeight Weight> class WholeGraph {
public:
  WholeGraph(const TextFile &text, const LigraHeader &header)
      : text(text), header(header) {}

  void makeRoom(std::uint64_t, std::uint64_t end) {
    const std::uint64_t firstTarget = header.firstTarget();
    extendTo(offsets, std::min(end, firstTarget));
    extendTo(edges, std::min(std::max(end, firstTarget), header.firstWeight()) -
                        firstTarget);
  }

  bool wants(std::uint64_t) const { return true; }
  std::uint64_t offset(std::uint64_t vertex) const { return offsets[vertex]; }
  void setOffset(std::uint64_t vertex, std::uint64_t offset) {
    offsets[vertex] = offset;
  }
  void setTarget(std::uint64_t edge, VertexId target) {
    edges[edge].to = target;
  }
  void setWeight(std::uint64_t edge, Weight weight) {
    edges[edge].weight = weight;
  }

  /// Returns all edges, once all numbers have been read.
  EdgeList<VertexId, Weight> takeEdges() {
    EdgeList<VertexId, Weight> list;
    list.vertexCount = static_cast<VertexId>(header.vertices);
    list.edges = edges.take();
#pragma omp parallel for schedule(dynamic, 256)
    for (std::size_t v = 0; v < header.vertices; ++v) {
      const std::uint64_t end =
          v + 1 < header.vertices ? offsets[v + 1] : header.edges;
      for (std::uint64_t i = offsets[v]; i < end; ++i)
        list.edges[i].from = static_cast<VertexId>(v);
    }
    return list;
  }

private:
  template <typename T>
  void extendTo(GrowingArray<T> &array, std::uint64_t size) {
    if (size > array.size())
      array.extend(size - array.size(), text.expectedTotal(size));
  }

  const TextFile &text;
  const LigraHeader header;
  GrowingArray<std::uint64_t> offsets;
  GrowingArray<Edge<VertexId, Weight>> edges;
};

/// The numbers of one part: offsets of 64 bits, targets of 32 bits, or weights.
/// It is the store of its parser.
template <EdgeWeight Weight, typename Number> class LigraPart {
public:
  LigraPart(const std::string &path, const ReadOptions &readOptions)
      : options(smallBlocks(readOptions)), text(path, options),
        header(readLigraHeader<std::uint32_t, Weight>(text, path, options)),
        parser(text, header, *this) {}

  const LigraHeader &head() const { return header; }

  /// Returns the next number, which must exist according to the header.
  Number next() {
    while (position == numbers.size())
      parser.parseLines();
    return numbers[position++];
  }

  /// Checks the rest of the file.
  void finish() {
    while (parser.parseLines()) {
    }
  }

  // Called by the parser.

  void makeRoom(std::uint64_t wordsBegin, std::uint64_t wordsEnd) {
    const std::uint64_t first = std::clamp(wordsBegin, begin, end);
    numbers.front() = numbers.back();
    numbers.resize(1 + std::clamp(wordsEnd, begin, end) - first);
    indexOfFront = first - 1;
    position = 1;
  }

  /// The last part also checks the text behind the last number.
  bool wants(std::uint64_t index) const {
    return index >= begin && (isLast || index < end);
  }

  std::uint64_t offset(std::uint64_t vertex) const {
    return static_cast<std::uint64_t>(numbers[vertex - indexOfFront]);
  }
  void setOffset(std::uint64_t vertex, std::uint64_t offset) {
    if constexpr (IsOffsets)
      numbers[vertex - indexOfFront] = offset;
  }
  void setTarget(std::uint64_t edge, std::uint32_t target) {
    if constexpr (IsTargets)
      numbers[begin + edge - indexOfFront] = target;
  }
  void setWeight(std::uint64_t edge, Weight weight) {
    if constexpr (!IsOffsets && !IsTargets)
      numbers[begin + edge - indexOfFront] = weight;
  }

private:
  static constexpr bool IsOffsets = std::same_as<Number, std::uint64_t>;
  static constexpr bool IsTargets = std::same_as<Number, std::uint32_t>;
  static constexpr bool HasWeights = !std::same_as<Weight, Unweighted>;

  /// Up to three parts are in memory at a time, and numbers take more than
  /// their text.
  static ReadOptions smallBlocks(ReadOptions options) {
    options.chunkBytes = std::max<std::size_t>(options.chunkBytes / 4, 1);
    return options;
  }

  const ReadOptions options;
  TextFile text;
  const LigraHeader header;
  LigraParser<std::uint32_t, Weight, LigraPart> parser;
  const std::uint64_t begin = IsOffsets   ? 0
                              : IsTargets ? header.firstTarget()
                                          : header.firstWeight();
  const std::uint64_t end = IsOffsets   ? header.firstTarget()
                            : IsTargets ? header.firstWeight()
                                        : header.total();
  const bool isLast = !IsOffsets && IsTargets != HasWeights;
  /// The numbers of the last lines, preceded by the number before them.
  std::vector<Number> numbers = std::vector<Number>(1);
  std::uint64_t indexOfFront = 0;
  std::size_t position = 1;
};

template <EdgeWeight Weight> class LigraInput {
public:
  LigraInput(const std::string &path, const ReadOptions &options)
      : givenVertices(options.vertexCount), offsets(path, options),
        targets(path, options) {
    if constexpr (HasWeights)
      weights.emplace(path, options);
  }

  std::uint64_t vertices() const { return offsets.head().vertices; }
  std::uint64_t edges() const { return offsets.head().edges; }

  std::uint64_t nextOffset() {
    return offsetsRead++ < vertices() ? offsets.next() : edges();
  }

  void readTargets(std::span<Edge<std::uint32_t, Weight>> edges) {
    for (auto &edge : edges) {
      edge.to = targets.next();
      if constexpr (HasWeights)
        edge.weight = weights->next();
    }
  }

  void note(std::span<const Edge<std::uint32_t, Weight>>) const {}

  void finish() {
    if constexpr (HasWeights)
      weights->finish();
    else
      targets.finish();
  }

  std::uint64_t vertexCount() const {
    return givenVertices.value_or(vertices());
  }
  bool isUndirected() const { return false; }
  bool isFinished() const { return false; }

private:
  static constexpr bool HasWeights = !std::same_as<Weight, Unweighted>;

  const std::optional<std::uint64_t> givenVertices;
  LigraPart<Weight, std::uint64_t> offsets;
  LigraPart<Weight, std::uint32_t> targets;
  std::optional<LigraPart<Weight, Weight>> weights; ///< if they are wanted
  std::uint64_t offsetsRead = 0;
};

/// Writes one number in each line.
template <typename T>
void writeColumn(OutputFile &file, const T *numbers, std::uint64_t count) {
  writeLines(file, count, MostNumberBytes + 1,
             [&](std::uint64_t begin, std::uint64_t end, char *to) {
               for (std::uint64_t i = begin; i < end; ++i) {
                 to = writeNumber(to, numbers[i]);
                 *to++ = '\n';
               }
               return to;
             });
}

} // namespace

const FormatDescription &LigraFormat::description() {
  static const FormatDescription description = {
      .name = "ligra",
      .inWords = "Ligra (.adj, .wadj)",
      .endings = {".adj", ".wadj"},
      .starts = {"AdjacencyGraph", "WeightedAdjacencyGraph"}};
  return description;
}

template <VertexIdentifier VertexId, EdgeWeight Weight>
Csr<VertexId, Weight> LigraFormat::read(const std::string &path,
                                        const ReadGraphOptions &options) {
  EdgeList<VertexId, Weight> list;
  {
    TextFile text(path, options.text);
    const auto header =
        readLigraHeader<VertexId, Weight>(text, path, options.text);
    WholeGraph<VertexId, Weight> graph(text, header);
    LigraParser<VertexId, Weight, WholeGraph<VertexId, Weight>> parser(
        text, header, graph);
    while (parser.parseLines()) {
    }
    list = graph.takeEdges();
    list.vertexCount = static_cast<VertexId>(
        options.text.vertexCount.value_or(header.vertices));
  }
  return buildCsr(list, options.build);
}

template <EdgeWeight Weight>
EdgeSourcePointer<Weight> LigraFormat::open(const std::string &path,
                                            const ReadOptions &options) {
  expectSeveralReaders(path);
  return std::make_unique<AdjacencyEdges<Weight, LigraInput<Weight>>>(path,
                                                                      options);
}

template <VertexIdentifier VertexId, EdgeWeight Weight>
void LigraFormat::write(OutputFile &file, const Csr<VertexId, Weight> &graph,
                        const std::string &) {
  constexpr bool isWeighted = !std::same_as<Weight, Unweighted>;
  const auto &rows = graph.outRows();
  writeHeader(file, isWeighted ? "Weighted" : "", "AdjacencyGraph\n",
              std::to_string(graph.vertexCount()), "\n",
              std::to_string(graph.edgeCount()), "\n");
  writeColumn(file, rows.offsets.data(), graph.vertexCount());
  writeColumn(file, rows.targets.data(), graph.edgeCount());
  if constexpr (isWeighted)
    writeColumn(file, rows.weights.data(), graph.edgeCount());
}

HEDDLE_INSTANTIATE_FORMAT(LigraFormat)

} // namespace heddle::graph
