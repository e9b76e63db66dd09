//===- Layout.cpp - How a graph lies on disk -----------------------------===//

#include "heddle/graph/ooc/Layout.h"

#include "../io/FileError.h"
#include "../io/MappableFile.h"
#include "../io/OutputFile.h"
#include "heddle/graph/ooc/BlockFile.h"

#include <array>
#include <cstring>
#include <span>
#include <xxhash.h>

namespace heddle::graph::ooc {

namespace {

constexpr std::array<char, 8> Magic = {'\x89', 'h', 'o', 'o',
                                       'c',    'g', '\r', '\n'};
constexpr std::uint32_t ByteOrder = 0x01020304;
constexpr std::uint32_t Version = 1;

struct Header {
  std::array<char, 8> magic;
  std::uint32_t byteOrder, version;
  WeightKind weightKind;
  std::uint32_t isUndirected;
  std::uint64_t vertices, edges, batchVertices, partitions;
};
static_assert(sizeof(Header) == 56, "no padding that the compiler adds");

template <typename T>
void append(std::vector<char> &bytes, const std::vector<T> &values) {
  const auto *first = reinterpret_cast<const char *>(values.data());
  bytes.insert(bytes.end(), first, first + values.size() * sizeof(T));
}

/// The values of a file, in order.
class Values {
public:
  Values(const std::string &path, std::span<const std::byte> bytes)
      : path(path), bytes(bytes) {}

  template <typename T> void take(std::span<T> to) {
    if (to.size_bytes() > bytes.size() - at)
      failAtByte(path, bytes.size(),
                 "expected " + std::to_string(to.size_bytes()) +
                     " more bytes, found the end of the file");
    std::memcpy(to.data(), bytes.data() + at, to.size_bytes());
    at += to.size_bytes();
  }

  std::uint64_t position() const { return at; }

private:
  const std::string &path;
  const std::span<const std::byte> bytes;
  std::uint64_t at = 0;
};

void checkHeader(const std::string &path, const Header &header) {
  if (header.magic != Magic)
    failAtByte(path, 0, "expected a prepared graph, found another file");
  if (header.byteOrder != ByteOrder)
    failAtByte(path, offsetof(Header, byteOrder),
               "expected the byte order of this machine, found another");
  if (header.version != Version)
    failAtByte(path, offsetof(Header, version),
               "expected a graph prepared for version " +
                   std::to_string(Version) + ", found version " +
                   std::to_string(header.version) + "; prepare it again");
}

} // namespace

ChunkPlaces GraphLayout::places(std::size_t fromPartition,
                                const Chunk &chunk) const {
  ChunkPlaces places;
  std::uint64_t at = chunk.offset;
  const auto place = [&](std::uint64_t bytes) {
    const std::uint64_t begin = at;
    at += (bytes + ChunkAlignment - 1) / ChunkAlignment * ChunkAlignment;
    return begin;
  };
  places.targets = place(chunk.edges * sizeof(std::uint32_t));
  places.weights = place(chunk.edges * bytesOf(weightKind));
  places.sources = place(chunk.sources * sizeof(std::uint16_t));
  places.begins = place((chunk.sources + 1) * sizeof(std::uint32_t));
  places.blocks =
      place((sourceBlocks(fromPartition) + 1) * sizeof(SourceBlock));
  places.rows = place(chunk.hasRows ? (partitionSize(fromPartition) + 1) *
                                          sizeof(std::uint32_t)
                                    : 0);
  places.end = at;
  return places;
}

void GraphLayout::deriveBatches() {
  batchBegins.clear();
  partitionOf.clear();
  firstBatchOf.clear();
  for (std::size_t partition = 0; partition < partitions(); ++partition) {
    firstBatchOf.push_back(static_cast<std::uint32_t>(batchBegins.size()));
    for (std::uint64_t begin = partitionBegins[partition];
         begin < partitionBegins[partition + 1]; begin += batchVertices) {
      batchBegins.push_back(begin);
      partitionOf.push_back(static_cast<std::uint32_t>(partition));
    }
  }
  firstBatchOf.push_back(static_cast<std::uint32_t>(batchBegins.size()));
  batchBegins.push_back(vertices);
}

std::string layoutPath(const std::string &directory) {
  return directory + "/graph";
}

std::string edgesPath(const std::string &directory, std::size_t partition) {
  return directory + "/part-" + std::to_string(partition) + ".edges";
}

std::string sumsPath(const std::string &directory, std::size_t partition) {
  return directory + "/part-" + std::to_string(partition) + ".sums";
}

std::uint32_t blockChecksum(const std::byte *block) {
  return static_cast<std::uint32_t>(XXH3_64bits(block, BlockBytes));
}

GraphLayout readLayout(const std::string &directory) {
  const std::string path = layoutPath(directory);
  const MappableFile file(path);
  std::vector<std::byte> bytes(file.size());
  file.read(0, bytes);
  Values values(path, bytes);

  Header header;
  values.take(std::span(&header, 1));
  checkHeader(path, header);
  // Before sizes are believed: all that is left must be what was written.
  std::uint64_t checksum;
  if (bytes.size() < sizeof(Header) + sizeof(checksum))
    failAtByte(path, bytes.size(),
               "expected a checksum, found the end of the file");
  const std::size_t checked = bytes.size() - sizeof(checksum);
  std::memcpy(&checksum, bytes.data() + checked, sizeof(checksum));
  if (checksum != XXH3_64bits(bytes.data(), checked))
    failAtByte(path, checked, "expected the checksum of the file, found "
                              "another: the file is damaged");

  GraphLayout layout;
  layout.vertices = header.vertices;
  layout.edges = header.edges;
  layout.weightKind = header.weightKind;
  layout.isUndirected = header.isUndirected;
  layout.batchVertices = header.batchVertices;
  layout.partitionBegins.resize(header.partitions + 1);
  values.take(std::span(layout.partitionBegins));
  layout.files.resize(header.partitions);
  values.take(std::span(layout.files));
  layout.deriveBatches();
  layout.chunks.resize(layout.batches() * layout.partitions());
  values.take(std::span(layout.chunks));
  return layout;
}

void writeLayout(const std::string &directory, const GraphLayout &layout) {
  const Header header = {.magic = Magic,
                         .byteOrder = ByteOrder,
                         .version = Version,
                         .weightKind = layout.weightKind,
                         .isUndirected = layout.isUndirected,
                         .vertices = layout.vertices,
                         .edges = layout.edges,
                         .batchVertices = layout.batchVertices,
                         .partitions = layout.partitions()};
  std::vector<char> bytes(sizeof(header));
  std::memcpy(bytes.data(), &header, sizeof(header));
  append(bytes, layout.partitionBegins);
  append(bytes, layout.files);
  append(bytes, layout.chunks);
  append(bytes, std::vector<std::uint64_t>{
                    XXH3_64bits(bytes.data(), bytes.size())});
  OutputFile file(layoutPath(directory));
  file.write(bytes);
  file.commit();
}

} // namespace heddle::graph::ooc
