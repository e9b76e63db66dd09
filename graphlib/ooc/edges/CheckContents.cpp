//===- CheckContents.cpp - Whether the parts of a graph agree ------------===//
//
// All arrays of a chunk are read in step. What is in different files, and in
// another order, is compared by sums of hashes, so that a graph of any size
// takes little memory.
//
//===----------------------------------------------------------------------===//

#include "CheckContents.h"

#include "../../files/FileError.h"
#include "../../files/MappableFile.h"
#include "../../formats/EdgeSum.h"
#include "../messages/ChunkPieces.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

namespace heddle::graph::ooc {

namespace {

/// Numbers of some bytes each, read from a file one after the other.
class NumbersInFile {
public:
  NumbersInFile(const MappableFile &file, std::uint64_t offset,
                std::uint64_t count, std::size_t bytesOfEach)
      : file(file), offset(offset), left(count), bytesOfEach(bytesOfEach) {}

  /// There must be one.
  std::uint64_t next() {
    if (position == buffer.size())
      fill();
    std::uint64_t number = 0;
    std::memcpy(&number, buffer.data() + position, bytesOfEach);
    position += bytesOfEach;
    return number;
  }

private:
  void fill() {
    constexpr std::uint64_t Many = std::uint64_t(1) << 15;
    HEDDLE_ASSERT(left > 0);
    const std::uint64_t count = std::min(left, Many);
    buffer.resize(count * bytesOfEach);
    file.read(offset, buffer);
    offset += buffer.size();
    left -= count;
    position = 0;
  }

  const MappableFile &file;
  std::uint64_t offset, left;
  const std::size_t bytesOfEach;
  std::vector<std::byte> buffer;
  std::size_t position = 0;
};

/// An odd number, so that no multiple is lost.
std::uint64_t hashOf(std::uint64_t first, std::uint64_t second) {
  std::uint64_t number = first * 0x9e3779b97f4a7c15 + second + 1;
  number = (number ^ (number >> 31)) * 0xbf58476d1ce4e5b9;
  return (number ^ (number >> 29)) | 1;
}

/// One chunk or dispatching graph.
class ChunkReader {
public:
  ChunkReader(const std::string &path, const MappableFile &file,
              const GraphLayout &layout, std::size_t from, const Chunk &chunk,
              const ChunkPlaces &places, std::uint64_t targetBytes,
              std::uint64_t targetLimit)
      : path(path), layout(layout), from(from), chunk(chunk), places(places),
        targetLimit(targetLimit),
        weightBytes(targetBytes == 1 ? 0 : bytesOf(layout.weightKind)),
        blocks(file, places.blocks, layout.sourceBlocks(from) + 1,
               sizeof(SourceBlock)),
        sources(file, places.sources, chunk.sources, sizeof(std::uint16_t)),
        begins(file, places.begins, chunk.sources + 1, sizeof(std::uint32_t)),
        rows(file, places.rows, layout.partitionSize(from) + 1,
             sizeof(std::uint32_t)),
        targets(file, places.targets, chunk.edges, targetBytes),
        weights(file, places.weights, chunk.edges, weightBytes) {}

  /// Calls `visitSource(source, edges)` for each source, counted from the first
  /// vertex of the partition, and before that `visitEdge(source, target,
  /// weight)` for its edges. A weight is given as its bits.
  template <typename VisitSource, typename VisitEdge>
  void read(VisitSource visitSource, VisitEdge visitEdge) {
    expect(begins.next(), 0, 0, places.begins, "a begin of edges");
    expectStart();
    for (std::uint64_t block = 0; block < layout.sourceBlocks(from); ++block) {
      const auto end = std::bit_cast<SourceBlock>(blocks.next());
      const std::uint64_t vertices = verticesOfBlock(layout, from, block);
      expect(end.source, source, std::min(chunk.sources, source + vertices),
             places.blocks, "an end of a block's sources");
      for (std::uint64_t least = 0; source < end.source; ++source) {
        const std::uint64_t inBlock = sources.next();
        expect(inBlock, least, vertices - 1, places.sources, "a source");
        least = inBlock + 1;
        readSource(block * SourceBlockVertices + inBlock, visitSource,
                   visitEdge);
      }
      expect(end.edge, edge, edge, places.blocks, "an end of a block's edges");
    }
    expect(source, chunk.sources, chunk.sources, places.blocks, "all sources");
    expect(edge, chunk.edges, chunk.edges, places.begins, "all edges");
    readRows(layout.partitionSize(from) + 1);
  }

private:
  /// `found` is a number of the array at `place`.
  void expect(std::uint64_t found, std::uint64_t least, std::uint64_t most,
              std::uint64_t place, const char *what) const {
    if (found < least || found > most)
      failAtByte(path, place,
                 std::string("expected ") + what + " from " +
                     std::to_string(least) + " to " + std::to_string(most) +
                     " in the array that begins here, found " +
                     std::to_string(found));
  }

  void expectStart() {
    const auto start = std::bit_cast<SourceBlock>(blocks.next());
    expect(start.source, 0, 0, places.blocks, "a first source");
    expect(start.edge, 0, 0, places.blocks, "a first edge");
  }

  template <typename VisitSource, typename VisitEdge>
  void readSource(std::uint64_t vertex, VisitSource visitSource,
                  VisitEdge visitEdge) {
    readRows(vertex + 1);
    const std::uint64_t end = begins.next();
    expect(end, edge + 1, chunk.edges, places.begins, "an end of edges");
    visitSource(vertex, end - edge);
    for (std::uint64_t least = 0; edge < end; ++edge) {
      const std::uint64_t target = targets.next();
      expect(target, least, targetLimit - 1, places.targets, "a target");
      least = target;
      const std::uint64_t weight = weightBytes > 0 ? weights.next() : 0;
      if (layout.weightKind == WeightKind::Float32 && weightBytes > 0 &&
          !std::isfinite(
              std::bit_cast<float>(static_cast<std::uint32_t>(weight))))
        failAtByte(path, places.weights,
                   "expected weights that are finite in the array that begins "
                   "here, found another");
      visitEdge(vertex, target, weight);
    }
  }

  /// Rows up to `end` begin with the current edge.
  void readRows(std::uint64_t end) {
    for (; chunk.hasRows && row < end; ++row)
      expect(rows.next(), edge, edge, places.rows, "a begin of a row");
  }

  const std::string &path;
  const GraphLayout &layout;
  const std::size_t from;
  const Chunk &chunk;
  const ChunkPlaces places;
  const std::uint64_t targetLimit;
  const std::size_t weightBytes;
  NumbersInFile blocks, sources, begins, rows, targets, weights;
  std::uint64_t source = 0, edge = 0, row = 0;
};

/// Collects what all files say.
class ContentChecker {
public:
  ContentChecker(const std::string &directory, const GraphLayout &layout)
      : directory(directory), layout(layout), degrees(layout.partitions()),
        degreesOfChunks(layout.partitions()) {}

  void readPart(std::size_t part) {
    const std::string path = edgesPath(directory, part);
    const MappableFile file(path);
    for (std::size_t from = 0; from < layout.partitions(); ++from) {
      // Which vertices have edges to this partition, as filters say.
      const bool isFiltered = from != part;
      std::vector<std::uint64_t> hasEdges(
          isFiltered ? layout.sourceBlocks(from) * FilterWords : 0);
      for (std::size_t batch = layout.firstBatchOf[part];
           batch < layout.firstBatchOf[part + 1]; ++batch)
        readChunk(path, file, from, batch, hasEdges);
      for (std::size_t word = 0; word < hasEdges.size(); ++word)
        neededFilters += hashOfFilter(from, part, word) * hasEdges[word];
    }
    for (std::size_t group = 0; group < layout.groups.size(); ++group)
      if (layout.groups[group].partition == part)
        for (std::size_t from = 0; from < layout.partitions(); ++from)
          readDispatchingGraph(path, file, from, group);
    readDegrees(file, part);
    readFilters(path, file, part);
  }

  /// Throws Error if the files contradict each other.
  void compare() const {
    std::uint64_t edges = 0;
    for (const Chunk &chunk : layout.chunks)
      edges += chunk.edges;
    expect(edges == layout.edges, "a number of edges, in the layout,");
    expect(degrees == degreesOfChunks, "out-degrees of the vertices");
    expect(dispatched == needed, "dispatching graphs");
    expect(filters == neededFilters, "filters");
    expect(!layout.isUndirected || forward == backward,
           "edges in both directions, as in an undirected graph,");
  }

private:
  void expect(bool isRight, const std::string &what) const {
    if (!isRight)
      throw Error(directory + ": expected " + what +
                  " that agree with the edges, found others: the graph is "
                  "damaged; prepare it again");
  }

  void readChunk(const std::string &path, const MappableFile &file,
                 std::size_t from, std::size_t batch,
                 std::vector<std::uint64_t> &hasEdges) {
    const Chunk &chunk = layout.chunk(from, batch);
    if (chunk.edges == 0)
      return;
    const bool isDispatched =
        layout.groups[layout.groupOf[batch]].batches() > 1;
    const std::uint64_t firstSource = layout.partitionBegins[from],
                        firstTarget = layout.batchBegins[batch];
    ChunkReader(path, file, layout, from, chunk, layout.places(from, chunk),
                layout.targetBytes(), layout.batchSize(batch))
        .read(
            [&](std::uint64_t source, std::uint64_t edges) {
              degreesOfChunks[from] += hashOf(source, 0) * edges;
              if (!hasEdges.empty())
                hasEdges[source / 64] |= std::uint64_t(1) << (source % 64);
              if (isDispatched)
                needed += hashOf(firstSource + source, batch);
            },
            [&](std::uint64_t source, std::uint64_t target,
                std::uint64_t weight) {
              const Edge<std::uint64_t, std::int64_t> edge = {
                  firstSource + source, firstTarget + target,
                  static_cast<std::int64_t>(weight)};
              forward.add(edge);
              backward.addReversed(edge);
            });
  }

  void readDispatchingGraph(const std::string &path, const MappableFile &file,
                            std::size_t from, std::size_t group) {
    const Chunk &graph = layout.dispatchingGraph(from, group);
    if (graph.edges == 0)
      return;
    const BatchGroup &batches = layout.groups[group];
    const std::uint64_t firstSource = layout.partitionBegins[from];
    ChunkReader(path, file, layout, from, graph,
                layout.placesOfDispatching(from, graph), 1, batches.batches())
        .read([](std::uint64_t, std::uint64_t) {},
              [&](std::uint64_t source, std::uint64_t target, std::uint64_t) {
                dispatched +=
                    hashOf(firstSource + source, batches.firstBatch + target);
              });
  }

  void readDegrees(const MappableFile &file, std::size_t part) {
    const std::uint64_t count = layout.partitionSize(part);
    NumbersInFile numbers(file, layout.files[part].degreesOffset, count,
                          sizeof(std::uint32_t));
    for (std::uint64_t vertex = 0; vertex < count; ++vertex)
      degrees[part] += hashOf(vertex, 0) * numbers.next();
  }

  std::uint64_t hashOfFilter(std::size_t from, std::size_t to,
                             std::uint64_t word) const {
    return hashOf(from * layout.partitions() + to, word);
  }

  void readFilters(const std::string &path, const MappableFile &file,
                   std::size_t part) {
    const PartFileInfo &info = layout.files[part];
    const std::uint64_t count = layout.filterCount(part);
    NumbersInFile words(file, info.filtersOffset, count * FilterWords,
                        sizeof(std::uint64_t));
    NumbersInFile counts(file, info.filterCountsOffset, count,
                         sizeof(std::uint32_t));
    for (std::size_t to = 0; to < layout.partitions(); ++to)
      for (std::uint64_t block = 0;
           to != part && block < layout.sourceBlocks(part); ++block) {
        std::uint64_t bits = 0;
        for (std::uint64_t i = 0; i < FilterWords; ++i) {
          const std::uint64_t word = words.next();
          bits += static_cast<std::uint64_t>(std::popcount(word));
          filters += hashOfFilter(part, to, block * FilterWords + i) * word;
        }
        if (const std::uint64_t found = counts.next(); found != bits)
          failAtByte(path, info.filterCountsOffset,
                     "expected " + std::to_string(bits) +
                         " vertices with edges from block " +
                         std::to_string(block) + " to partition " +
                         std::to_string(to) + ", as its filter has, found " +
                         std::to_string(found));
      }
  }

  static constexpr std::uint64_t FilterWords =
      FilterBytes / sizeof(std::uint64_t);

  const std::string &directory;
  const GraphLayout &layout;
  std::vector<std::uint64_t> degrees, degreesOfChunks; ///< per partition
  std::uint64_t needed = 0, dispatched = 0, neededFilters = 0, filters = 0;
  EdgeSum forward, backward;
};

} // namespace

void checkContents(const std::string &directory, const GraphLayout &layout,
                   const std::function<void(std::uint64_t)> &progress) {
  ContentChecker checker(directory, layout);
  for (std::size_t part = 0; part < layout.partitions(); ++part) {
    checker.readPart(part);
    progress(layout.files[part].bytes);
  }
  checker.compare();
}

} // namespace heddle::graph::ooc
