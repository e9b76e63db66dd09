//===- ReadLayout.cpp - The layout of a graph, checked -------------------===//
//
// Runs allocate memory, and read and write at places, as the layout says. A
// checksum shows that the file is what somebody has written, not that it makes
// sense. Each number is therefore compared with those that bound it before it
// is used: the size of the file bounds the numbers of partitions and batches,
// and the sizes of the partitions' files bound where their parts are.
//
//===----------------------------------------------------------------------===//

#include "LayoutHeader.h"
#include "Values.h"
#include "heddle/graph/detail/ooc/disk/BlockFile.h"

#include <algorithm>
#include <limits>

namespace heddle::graph::ooc {

namespace {

class LayoutReader {
public:
  explicit LayoutReader(const std::string &path) : path(path), values(path) {}

  GraphLayout read() {
    header = values.take<LayoutHeader>();
    checkKind();
    layout.checksum = values.check();
    checkHeader();
    layout.vertices = header.vertices;
    layout.edges = header.edges;
    layout.weightKind = header.weightKind;
    layout.isUndirected = header.isUndirected != 0;
    layout.batchVertices = header.batchVertices;
    layout.groupBatches = header.groupBatches;
    readPartitions();
    readChunks();
    checkEdges();
    return std::move(layout);
  }

private:
  [[noreturn]] void fail(const std::string &expected, std::uint64_t found) {
    failAtByte(path, values.position(),
               "expected " + expected + ", found " + std::to_string(found));
  }

  void expectAtMost(std::uint64_t most, std::uint64_t found,
                    const std::string &what) {
    if (found > most)
      fail("at most " + std::to_string(most) + " " + what, found);
  }

  void checkKind() const {
    if (header.magic != LayoutMagic)
      failAtByte(path, 0, "expected a prepared graph, found another file");
    if (header.byteOrder != LayoutByteOrder)
      failAtByte(path, offsetof(LayoutHeader, byteOrder),
                 "expected the byte order of this machine, found another");
    if (header.version != LayoutVersion)
      failAtByte(path, offsetof(LayoutHeader, version),
                 "expected a graph prepared for version " +
                     std::to_string(LayoutVersion) + ", found version " +
                     std::to_string(header.version) + "; prepare it again");
  }

  void checkHeader() {
    const auto kind = static_cast<std::uint32_t>(header.weightKind);
    if (kind > static_cast<std::uint32_t>(WeightKind::Float32))
      fail("a known kind of weights", kind);
    if (header.isUndirected > 1)
      fail("0 or 1 (undirected)", header.isUndirected);
    constexpr std::uint64_t most = MostVertices<std::uint32_t>;
    expectAtMost(most, header.vertices, "vertices");
    if (header.batchVertices == 0 || header.batchVertices % BatchUnit != 0 ||
        header.batchVertices > roundUpToUnit(most))
      fail("batches of a multiple of " + std::to_string(BatchUnit) +
               " vertices, at most " + std::to_string(roundUpToUnit(most)),
           header.batchVertices);
    if (header.groupBatches == 0 || header.groupBatches > MostGroupBatches)
      fail("groups of 1 to " + std::to_string(MostGroupBatches) + " batches",
           header.groupBatches);
    if (header.partitions == 0)
      fail("at least 1 partition", 0);
    expectAtMost(values.remaining() /
                     (sizeof(std::uint64_t) + sizeof(PartFileInfo)),
                 header.partitions, "partitions in a file of this size");
  }

  static std::uint64_t roundUpToUnit(std::uint64_t vertices) {
    return (vertices + BatchUnit - 1) / BatchUnit * BatchUnit;
  }

  void readPartitions() {
    std::vector<std::uint64_t> &begins = layout.partitionBegins;
    begins.resize(header.partitions + 1);
    values.take(std::span(begins));
    if (begins.front() != 0)
      fail("a first partition that begins at 0", begins.front());
    if (begins.back() != layout.vertices)
      fail("a last partition that ends at " + std::to_string(layout.vertices),
           begins.back());
    const auto bad = std::ranges::is_sorted_until(begins);
    if (bad != begins.end())
      fail("a partition that begins at " + std::to_string(bad[-1]) +
               " or behind it",
           *bad);
    for (const std::uint64_t begin : begins)
      if (begin % BatchUnit != 0 && begin != layout.vertices)
        fail("a partition that begins at a multiple of " +
                 std::to_string(BatchUnit),
             begin);
    layout.files.resize(header.partitions);
    values.take(std::span(layout.files));
  }

  void readChunks() {
    std::uint64_t batches = 0;
    for (std::size_t part = 0; part < layout.partitions(); ++part)
      batches += (layout.partitionSize(part) + layout.batchVertices - 1) /
                 layout.batchVertices;
    expectAtMost(values.remaining() / sizeof(Chunk) / layout.partitions(),
                 batches, "batches in a file of this size");
    layout.deriveBatches();
    layout.chunks.resize(layout.batches() * layout.partitions());
    values.take(std::span(layout.chunks));
    layout.deriveGroups();
    expectAtMost(values.remaining() / sizeof(Chunk) / layout.partitions(),
                 layout.groups.size(), "groups in a file of this size");
    layout.dispatchingGraphs.resize(layout.groups.size() * layout.partitions());
    values.take(std::span(layout.dispatchingGraphs));
    if (values.remaining() != 0)
      fail("the end of the layout", values.remaining());
  }

  void checkEdges() {
    std::uint64_t edges = 0;
    for (std::size_t batch = 0; batch < layout.batches(); ++batch)
      for (std::size_t from = 0; from < layout.partitions(); ++from)
        edges += edgesOf(from, layout.chunk(from, batch));
    if (layout.edges != edges)
      fail(std::to_string(edges) + " edges, as in all chunks", layout.edges);
    for (std::size_t group = 0; group < layout.groups.size(); ++group)
      for (std::size_t from = 0; from < layout.partitions(); ++from)
        if (edgesOf(from, layout.dispatchingGraph(from, group)) > 0 &&
            layout.groups[group].batches() == 1)
          fail("no dispatching graph for a group of one batch", group);
  }

  /// The number of edges of a chunk that has as many sources as there can be.
  std::uint64_t edgesOf(std::size_t from, const Chunk &chunk) {
    expectAtMost(std::numeric_limits<std::uint32_t>::max(), chunk.edges,
                 "edges in a chunk");
    expectAtMost(std::min(chunk.edges, layout.partitionSize(from)),
                 chunk.sources, "sources in a chunk");
    if (chunk.edges > 0 && chunk.sources == 0)
      fail("sources of " + std::to_string(chunk.edges) + " edges", 0);
    expectAtMost(chunk.edges > 0 ? 1 : 0, chunk.hasRows, "(rows of a chunk)");
    return chunk.edges;
  }

  const std::string path;
  ValueReader values;
  LayoutHeader header = {};
  GraphLayout layout;
};

/// Compares places in the file of a partition with its size.
class PlaceChecker {
public:
  PlaceChecker(const std::string &path, std::size_t part,
               const PartFileInfo &file)
      : path(path), part(part), fileBytes(file.bytes) {
    if (fileBytes % BlockBytes != 0 ||
        fileBytes > std::uint64_t(std::numeric_limits<std::int64_t>::max()))
      fail("a file of whole blocks", fileBytes);
  }

  /// Throws Error unless `count` values of `bytes` bytes can be at `offset`.
  void expectArray(std::uint64_t offset, std::uint64_t count,
                   std::uint64_t bytes, std::uint64_t alignment,
                   const char *what) const {
    if (count > 0 && (offset > fileBytes || offset % alignment != 0 ||
                      count > (fileBytes - offset) / bytes))
      fail(std::string(what) + " at a multiple of " +
               std::to_string(alignment) + " that end at byte " +
               std::to_string(fileBytes) + " or before",
           offset);
  }

  void expectChunk(const Chunk &chunk, const ChunkPlaces &places) const {
    if (chunk.edges == 0)
      return;
    expectArray(chunk.offset, 1, ChunkAlignment, ChunkAlignment, "a chunk");
    if (places.end > fileBytes)
      fail("a chunk that ends at byte " + std::to_string(fileBytes) +
               " or before",
           places.end);
  }

private:
  [[noreturn]] void fail(const std::string &expected,
                         std::uint64_t found) const {
    throw Error(path + ": expected " + expected + " in partition " +
                std::to_string(part) + ", found " + std::to_string(found));
  }

  const std::string &path;
  const std::size_t part;
  const std::uint64_t fileBytes;
};

} // namespace

void checkPlaces(const std::string &directory, const GraphLayout &layout,
                 std::size_t part) {
  const std::string path = layoutPath(directory);
  const PartFileInfo &file = layout.files[part];
  const PlaceChecker checker(path, part, file);
  for (std::size_t from = 0; from < layout.partitions(); ++from) {
    for (std::size_t batch = layout.firstBatchOf[part];
         batch < layout.firstBatchOf[part + 1]; ++batch) {
      const Chunk &chunk = layout.chunk(from, batch);
      checker.expectChunk(chunk, layout.places(from, chunk));
    }
    for (std::size_t group = 0; group < layout.groups.size(); ++group) {
      const Chunk &graph = layout.dispatchingGraph(from, group);
      if (layout.groups[group].partition == part)
        checker.expectChunk(graph, layout.placesOfDispatching(from, graph));
    }
  }
  checker.expectArray(file.filtersOffset, layout.filterCount(part), FilterBytes,
                      sizeof(std::uint32_t), "filters");
  checker.expectArray(file.filterCountsOffset, layout.filterCount(part),
                      sizeof(std::uint32_t), sizeof(std::uint32_t),
                      "counts of filters");
}

void checkDegreesPlace(const std::string &directory, const GraphLayout &layout,
                       std::size_t part) {
  const std::string path = layoutPath(directory);
  const PartFileInfo &file = layout.files[part];
  PlaceChecker(path, part, file)
      .expectArray(file.degreesOffset, layout.partitionSize(part),
                   sizeof(std::uint32_t), BlockBytes, "degrees");
}

GraphLayout readLayout(const std::string &directory) {
  return LayoutReader(layoutPath(directory)).read();
}

} // namespace heddle::graph::ooc
