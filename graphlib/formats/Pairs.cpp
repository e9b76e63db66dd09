//===- Pairs.cpp - Edges as pairs of binary numbers ----------------------===//
//
// A .pairs file contains only edges: source and target, each of 32 bits and
// unsigned, and, if there are weights, one of 32 bits, whose type the reader
// must know. Numbers are little-endian on every machine.
//
//===----------------------------------------------------------------------===//

#include "../files/BinaryFile.h"
#include "FileEdges.h"
#include "Formats.h"
#include "lines/EdgeText.h"
#include "lines/GraphLines.h"

#include <array>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstring>
#include <span>

namespace heddle::graph {
namespace {

/// The words of an edge.
template <EdgeWeight Weight>
using PairWords =
    std::array<std::uint32_t, std::same_as<Weight, Unweighted> ? 2 : 3>;

/// The type of a weight in the file.
template <EdgeWeight Weight>
using PairWeight =
    std::conditional_t<std::floating_point<Weight>, float, std::int32_t>;

/// Converts a word of the file to one of this machine, or back.
inline std::uint32_t pairWord(std::uint32_t word) {
  if constexpr (std::endian::native == std::endian::big)
    return __builtin_bswap32(word);
  return word;
}

template <VertexIdentifier VertexId, EdgeWeight Weight>
class PairsFile final : public FileEdges<VertexId, Weight> {
public:
  using typename detail::EdgeSource<VertexId, Weight>::Edges;

  PairsFile(const std::string &path, const ReadOptions &readOptions)
      : options(readOptions), limit(vertexLimit<VertexId>(path, options)),
        file(path, options, CompressionFrom::Name) {
    file.template expectWhole<Words>(What);
  }

  Edges next() override {
    const std::uint64_t at = file.position();
    words.resize(EdgesInPiece);
    words.resize(file.readUpTo(std::span(words), What));
    edges.resize(words.size());
    for (std::size_t i = 0; i < words.size(); ++i)
      edges[i] = edgeOf(words[i], at + i * sizeof(Words));
    if (edges.empty())
      checkCredible();
    file.reportProgress();
    return edges;
  }

  /// The number in the options, or the highest vertex so far plus one.
  std::uint64_t vertexCount() const override {
    return options.vertexCount.value_or(vertices);
  }

protected:
  std::uint64_t expectedEdges() const override {
    return file.isSizeKnown() ? file.totalBytes() / sizeof(Words) : 0;
  }

private:
  using Words = PairWords<Weight>;

  static constexpr const char *What = "edges";
  static constexpr std::size_t EdgesInPiece = std::size_t(1) << 16;

  Edge<VertexId, Weight> edgeOf(const Words &edge, std::uint64_t at) {
    return {vertexOf(edge[0], at), vertexOf(edge[1], at + sizeof(edge[0])),
            weightOf(edge, at + 2 * sizeof(edge[0]))};
  }

  VertexId vertexOf(std::uint32_t word, std::uint64_t at) {
    const std::uint64_t vertex = pairWord(word);
    if (vertex >= limit)
      file.fail(at, "expected a vertex below " + std::to_string(limit) +
                        ", found " + std::to_string(vertex));
    if (vertex >= vertices) {
      vertices = vertex + 1;
      placeOfHighest = at;
    }
    return static_cast<VertexId>(vertex);
  }

  Weight weightOf(const Words &edge, std::uint64_t at) const {
    if constexpr (std::same_as<Weight, Unweighted>) {
      return {};
    } else {
      const auto weight = std::bit_cast<PairWeight<Weight>>(pairWord(edge[2]));
      if constexpr (std::floating_point<Weight>)
        if (!std::isfinite(weight))
          file.fail(at, "expected a weight that is a number, found " +
                            std::to_string(weight));
      return static_cast<Weight>(weight);
    }
  }

  void checkCredible() const {
    const std::uint64_t count = file.position() / sizeof(Words);
    if (!options.vertexCount && vertices > crediblyMostVertices(count))
      file.fail(placeOfHighest, incredibleVertex(vertices, count));
  }

  const ReadOptions options;
  const VertexId limit;
  BinaryFile file;
  std::vector<Words> words;
  std::vector<Edge<VertexId, Weight>> edges;
  std::uint64_t vertices = 0, placeOfHighest = 0;
};

} // namespace

const FormatDescription &PairsFormat::description() {
  static const FormatDescription description = {
      .name = "pairs",
      .inWords = "binary pairs (.pairs)",
      .endings = {".pairs"},
      .hasAnyStart = true,
      .weightProblem = [](WeightKind kind) -> const char * {
        if (!kind.isNumber || kind.bytes == sizeof(std::uint32_t))
          return nullptr;
        return "expected weights of 32 bits for this format, or none, found "
               "others";
      }};
  return description;
}

template <VertexIdentifier VertexId, EdgeWeight Weight>
Csr<VertexId, Weight> PairsFormat::read(const std::string &path,
                                        const ReadGraphOptions &options) {
  return buildFromList<PairsFile, VertexId, Weight>(path, options);
}

template <EdgeWeight Weight>
EdgeSourcePointer<Weight> PairsFormat::open(const std::string &path,
                                            const ReadOptions &options) {
  return std::make_unique<PairsFile<std::uint32_t, Weight>>(path, options);
}

template <VertexIdentifier VertexId, EdgeWeight Weight>
void PairsFormat::write(OutputFile &file, const Csr<VertexId, Weight> &graph,
                        const std::string &path) {
  if (graph.vertexCount() > MostVertices<std::uint32_t>)
    throw Error(path + ": expected at most " +
                std::to_string(MostVertices<std::uint32_t>) +
                " vertices for this format, found " +
                std::to_string(graph.vertexCount()));
  const bool directed = graph.isDirected();
  const auto &rows = graph.outRows();
  writeWantedEdges(
      file, rows, sizeof(PairWords<Weight>),
      [&](std::uint64_t from, std::uint64_t to) {
        return directed || from <= to;
      },
      [&](std::uint64_t from, std::uint64_t target,
          [[maybe_unused]] std::uint64_t index, char *to) {
        PairWords<Weight> words = {
            pairWord(static_cast<std::uint32_t>(from)),
            pairWord(static_cast<std::uint32_t>(target))};
        if constexpr (std::same_as<PairWeight<Weight>, Weight>)
          words[2] =
              pairWord(std::bit_cast<std::uint32_t>(rows.weights[index]));
        std::memcpy(to, words.data(), sizeof(words));
        return to + sizeof(words);
      });
}

HEDDLE_INSTANTIATE_FORMAT(PairsFormat)

} // namespace heddle::graph
