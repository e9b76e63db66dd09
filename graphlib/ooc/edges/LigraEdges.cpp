//===- LigraEdges.cpp - Adjacency graphs of Ligra, piece by piece --------===//
//
// Offsets, targets and weights are three parts of a text, of which nobody knows
// where they begin before all words in front are counted. Each is read by a
// reader of its own, which counts its way there.
//
//===----------------------------------------------------------------------===//

#include "AdjacencyEdges.h"
#include "EdgeReaders.h"

#include "../../formats/LigraParser.h"

#include <concepts>
#include <limits>
#include <optional>

namespace heddle::graph::ooc {

namespace {

/// The numbers of one part: offsets are of 64 bits, targets are of 32, and
/// weights are weights. Is the store of its parser.
template <EdgeWeight Weight, typename Number> class LigraPart {
public:
  LigraPart(const std::string &path, const ReadOptions &readOptions)
      : options(smallBlocks(readOptions)), text(path, options),
        header(readLigraHeader<std::uint32_t, Weight>(text, path, options)),
        parser(text, header, *this) {}

  const LigraHeader &head() const { return header; }

  /// The next number, of which there must be one by the header.
  Number next() {
    while (position == numbers.size())
      parser.parseLines();
    return numbers[position++];
  }

  /// Looks at what is left of the file.
  void finish() {
    while (parser.parseLines()) {
    }
  }

  // What the parser calls.

  void makeRoom(std::uint64_t wordsBegin, std::uint64_t wordsEnd) {
    const std::uint64_t first = std::clamp(wordsBegin, begin, end);
    numbers.front() = numbers.back();
    numbers.resize(1 + std::clamp(wordsEnd, begin, end) - first);
    indexOfFront = first - 1;
    position = 1;
  }

  /// The last part is also told what is behind it and should not be there.
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
  /// Those of the last lines, and in front of them the one before.
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

} // namespace

template <EdgeWeight Weight>
EdgeSourcePointer<Weight> openLigra(const std::string &path,
                                    const ReadOptions &options) {
  expectSeveralReaders(path);
  return std::make_unique<AdjacencyEdges<Weight, LigraInput<Weight>>>(path,
                                                                      options);
}

#define HEDDLE_INSTANTIATE(Weight)                                             \
  template EdgeSourcePointer<Weight> openLigra(const std::string &,            \
                                               const ReadOptions &);
HEDDLE_FOR_ALL_SOURCES(HEDDLE_INSTANTIATE)

} // namespace heddle::graph::ooc
