//===- GapEdges.cpp - Serialised graphs of GAP, piece by piece -----------===//

#include "AdjacencyEdges.h"
#include "EdgeReaders.h"

#include "../../formats/GapHeader.h"

namespace heddle::graph::ooc {

namespace {

/// What follows a target is read as a `Target`: that alone, or with a weight.
template <EdgeWeight Weight, typename Target> class GapInput {
public:
  GapInput(const std::string &path, const ReadOptions &readOptions)
      : options(readOptions), offsetsFile(path, options),
        targetsFile(path, options), header(readGapHeader(offsetsFile)) {
    if (offsetsFile.isSizeKnown())
      checkSize(path);
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

  void finish() { skipInRows(targetsFile); }

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

  /// Edges in the other direction are those of the first once more.
  void skipInRows(BinaryFile &file) const {
    if (header.directed) {
      skipOffsets(file);
      file.skip<Target>(header.edges, What);
    }
    file.expectEnd();
  }

  /// Hours of work are better not begun with a file that is cut short.
  void checkSize(const std::string &path) const {
    BinaryFile file(path, options);
    readGapHeader(file);
    skipOffsets(file);
    file.skip<Target>(header.edges, What);
    skipInRows(file);
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
    std::uint32_t vertex;
    if constexpr (HasWeights)
      vertex = target.target;
    else
      vertex = target;
    if (vertex >= header.vertices)
      targetsFile.fail(at, "expected a vertex below " +
                               std::to_string(header.vertices) + ", found " +
                               std::to_string(vertex));
    return vertex;
  }

  const ReadOptions options;
  BinaryFile offsetsFile, targetsFile;
  const GapHeader header;
  std::vector<std::uint64_t> offsets;
  std::uint64_t firstOffset = 0, placeOfOffsets = 0, lastOffset = 0;
  std::size_t position = 0;
  std::vector<Target> targets;
};

template <EdgeWeight Weight, typename Target>
EdgeSourcePointer<Weight> openGapOf(const std::string &path,
                                    const ReadOptions &options) {
  return std::make_unique<AdjacencyEdges<Weight, GapInput<Weight, Target>>>(
      path, options);
}

} // namespace

template <EdgeWeight Weight>
EdgeSourcePointer<Weight> openGap(const std::string &path, bool hasWeights,
                                  const ReadOptions &options) {
  checkGapWeights<Weight>(path, hasWeights);
  expectSeveralReaders(path);
  return hasWeights ? openGapOf<Weight, GapWeightedTarget>(path, options)
                    : openGapOf<Weight, std::uint32_t>(path, options);
}

#define HEDDLE_INSTANTIATE(Weight)                                             \
  template EdgeSourcePointer<Weight> openGap(const std::string &, bool,        \
                                             const ReadOptions &);
HEDDLE_FOR_ALL_SOURCES(HEDDLE_INSTANTIATE)

} // namespace heddle::graph::ooc
