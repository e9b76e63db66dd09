//===- Layout.cpp - A graph on disk --------------------------------------===//

#include "heddle/graph/ooc/Layout.h"

#include "LayoutHeader.h"
#include "Values.h"
#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/ooc/disk/BlockFile.h"

namespace heddle::graph::ooc {

const char *nameOf(WeightKind kind) {
  switch (kind) {
  case WeightKind::None:
    return "no weights";
  case WeightKind::Int32:
    return "integer weights";
  case WeightKind::Float32:
    return "floating-point weights";
  }
  __builtin_unreachable();
}

ChunkPlaces GraphLayout::places(std::size_t fromPartition, const Chunk &chunk,
                                std::uint64_t targetBytes,
                                std::uint64_t weightBytes) const {
  ChunkPlaces places;
  std::uint64_t at = chunk.offset;
  const auto place = [&](std::uint64_t bytes) {
    const std::uint64_t begin = at;
    at += (bytes + ChunkAlignment - 1) / ChunkAlignment * ChunkAlignment;
    return begin;
  };
  places.targets = place(chunk.edges * targetBytes);
  places.weights = place(chunk.edges * weightBytes);
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
  HEDDLE_ASSERT(batchVertices > 0 && batchVertices % BatchUnit == 0);
  HEDDLE_ASSERT(std::ranges::is_sorted(partitionBegins));
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
  HEDDLE_ASSERT(partitionBegins.back() == vertices);
  batchBegins.push_back(vertices);
}

void GraphLayout::deriveGroups() {
  groups.clear();
  groupOf.clear();
  for (std::uint32_t partition = 0; partition < partitions(); ++partition)
    for (std::uint64_t first = firstBatchOf[partition], end;
         first < firstBatchOf[partition + 1]; first = end) {
      end = std::min<std::uint64_t>(first + groupBatches,
                                    firstBatchOf[partition + 1]);
      groupOf.resize(end, static_cast<std::uint32_t>(groups.size()));
      groups.push_back({partition, static_cast<std::uint32_t>(first),
                        static_cast<std::uint32_t>(end)});
    }
}

std::uint64_t layoutBytes(std::uint64_t partitions, std::uint64_t batches,
                          std::uint64_t groups) {
  constexpr std::uint64_t OfPartition = 2 * sizeof(std::uint64_t) +
                                        sizeof(PartFileInfo) +
                                        2 * sizeof(std::uint32_t);
  // Vectors that grow have up to twice the capacity.
  constexpr std::uint64_t OfBatch =
      2 * (sizeof(std::uint64_t) + sizeof(std::uint32_t)) +
      sizeof(std::uint32_t);
  constexpr std::uint64_t OfGroup = 2 * sizeof(BatchGroup);
  return partitions * (batches + groups) * sizeof(Chunk) +
         partitions * OfPartition + batches * OfBatch + groups * OfGroup +
         roundUpToBlock(sizeof(GraphLayout));
}

Share shareOf(const GraphLayout &layout, unsigned rank, unsigned ranks) {
  HEDDLE_ASSERT(rank < ranks && ranks <= layout.partitions());
  const std::size_t first = layout.partitions() * rank / ranks;
  const std::size_t end = layout.partitions() * (rank + 1) / ranks;
  return {.firstPartition = first,
          .endPartition = end,
          .firstBatch = layout.firstBatchOf[first],
          .endBatch = layout.firstBatchOf[end]};
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
  return static_cast<std::uint32_t>(checksumOf(block, BlockBytes));
}

void writeLayout(const std::string &directory, const GraphLayout &layout) {
  const LayoutHeader header = {.magic = LayoutMagic,
                               .byteOrder = LayoutByteOrder,
                               .version = LayoutVersion,
                               .weightKind = layout.weightKind,
                               .isUndirected = layout.isUndirected,
                               .vertices = layout.vertices,
                               .edges = layout.edges,
                               .batchVertices = layout.batchVertices,
                               .partitions = layout.partitions(),
                               .groupBatches = layout.groupBatches};
  ValueFile values(layoutPath(directory));
  values.put(header);
  values.put(std::span(layout.partitionBegins));
  values.put(std::span(layout.files));
  values.put(std::span(layout.chunks));
  values.put(std::span(layout.dispatchingGraphs));
  values.commit();
}

} // namespace heddle::graph::ooc
