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
    checkParts();
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

  /// Follows the order in which the parts of each file are written.
  void checkParts() {
    std::uint64_t edges = 0;
    for (std::size_t part = 0; part < layout.partitions(); ++part) {
      const PartFileInfo &file = layout.files[part];
      begin(part);
      if (file.bytes % BlockBytes != 0 ||
          file.bytes > std::uint64_t(std::numeric_limits<std::int64_t>::max()))
        failInPart("a file of whole blocks", file.bytes);
      for (std::size_t batch = layout.firstBatchOf[part];
           batch < layout.firstBatchOf[part + 1]; ++batch)
        for (std::size_t from = 0; from < layout.partitions(); ++from)
          edges += checkChunk(from, layout.chunk(from, batch), false);
      if (file.degreesOffset % BlockBytes != 0)
        failInPart("degrees at a multiple of " + std::to_string(BlockBytes),
                   file.degreesOffset);
      pass(file.degreesOffset, layout.partitionSize(part),
           sizeof(std::uint32_t), "degrees");
      pass(file.filtersOffset, layout.filterCount(part), FilterBytes,
           "filters");
      pass(file.filterCountsOffset, layout.filterCount(part),
           sizeof(std::uint32_t), "counts of filters");
      for (std::size_t group = 0; group < layout.groups.size(); ++group)
        if (layout.groups[group].partition == part)
          for (std::size_t from = 0; from < layout.partitions(); ++from) {
            const Chunk &graph = layout.dispatchingGraph(from, group);
            checkChunk(from, graph, true);
            if (graph.edges > 0 && layout.groups[group].batches() == 1)
              failInPart("no dispatching graph for one batch", graph.edges);
          }
    }
    if (edges != layout.edges)
      fail(std::to_string(edges) + " edges, as in all chunks", layout.edges);
  }

  void begin(std::size_t part) {
    current = part;
    end = 0;
  }

  [[noreturn]] void failInPart(const std::string &expected,
                               std::uint64_t found) {
    fail(expected + " of partition " + std::to_string(current), found);
  }

  /// Steps past `count` values at `offset`, which must be behind what came
  /// before and in the file.
  void pass(std::uint64_t offset, std::uint64_t count, std::uint64_t bytes,
            const char *what) {
    if (count == 0)
      return;
    const std::uint64_t fileBytes = layout.files[current].bytes;
    if (offset < end || offset > fileBytes || offset % sizeof(std::uint32_t) ||
        count > (fileBytes - offset) / bytes)
      failInPart(std::string(what) + " between byte " + std::to_string(end) +
                     " and " + std::to_string(fileBytes),
                 offset);
    end = offset + count * bytes;
  }

  /// Returns the number of edges.
  std::uint64_t checkChunk(std::size_t from, const Chunk &chunk,
                           bool isDispatching) {
    if (chunk.edges == 0 && chunk.sources == 0 && chunk.hasRows == 0)
      return 0;
    if (chunk.edges > std::numeric_limits<std::uint32_t>::max())
      failInPart("less than 2^32 edges in a chunk", chunk.edges);
    if (chunk.sources == 0 || chunk.sources > chunk.edges ||
        chunk.sources > layout.partitionSize(from))
      failInPart("sources of " + std::to_string(chunk.edges) + " edges",
                 chunk.sources);
    if (chunk.hasRows > 1)
      failInPart("0 or 1 (rows)", chunk.hasRows);
    const std::uint64_t fileBytes = layout.files[current].bytes;
    if (chunk.offset % ChunkAlignment != 0 || chunk.offset < end ||
        chunk.offset > fileBytes)
      failInPart("a chunk at a multiple of " + std::to_string(ChunkAlignment) +
                     " between byte " + std::to_string(end) + " and " +
                     std::to_string(fileBytes),
                 chunk.offset);
    end = (isDispatching ? layout.placesOfDispatching(from, chunk)
                         : layout.places(from, chunk))
              .end;
    if (end > fileBytes)
      failInPart("a chunk that ends at byte " + std::to_string(fileBytes) +
                     " or before",
                 end);
    return chunk.edges;
  }

  const std::string path;
  ValueReader values;
  LayoutHeader header = {};
  GraphLayout layout;
  std::size_t current = 0; ///< the partition whose file is looked at
  std::uint64_t end = 0;   ///< in it, of what came before
};

} // namespace

GraphLayout readLayout(const std::string &directory) {
  return LayoutReader(layoutPath(directory)).read();
}

} // namespace heddle::graph::ooc
