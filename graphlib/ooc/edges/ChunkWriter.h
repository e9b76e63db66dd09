//===- ChunkWriter.h - Sorted edges become chunks --------------*- C++ -*-===//

#ifndef HEDDLE_GRAPHLIB_OOC_EDGES_CHUNKWRITER_H
#define HEDDLE_GRAPHLIB_OOC_EDGES_CHUNKWRITER_H

#include "../disk/BlockAppender.h"
#include "../disk/Spool.h"
#include "heddle/graph/EdgeList.h"
#include "heddle/graph/Error.h"
#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/ooc/Layout.h"

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace heddle::graph::ooc {

/// Writes one chunk after the other. Targets are written to the file at once;
/// the data behind them are spooled.
template <EdgeWeight Weight> class ChunkWriter {
public:
  ChunkWriter(const std::string &directory, const GraphLayout &layout,
              double inflateRatio)
      : layout(layout), inflateRatio(inflateRatio),
        weights(directory, PieceValues), sources(directory, PieceValues) {}

  /// Begins a chunk of edges from a partition, with targets of `bytesOfTarget`.
  void begin(std::size_t fromPartition, Chunk &newChunk,
             std::size_t bytesOfTarget, BlockAppender &newFile) {
    file = &newFile;
    partition = fromPartition;
    targetBytes = bytesOfTarget;
    file->align(ChunkAlignment);
    chunk = &newChunk;
    *chunk = {.offset = file->position()};
    edgeCount = 0;
    weights.clear();
    sources.clear();
    blocks.clear();
  }

  /// The number of edges of the chunk so far, which must be less than 2^32.
  std::uint32_t edges() const { return edgeCount; }

  /// Adds an edge. Sources ascend, and are counted from the first vertex of the
  /// partition.
  void add(std::uint32_t source, std::uint32_t target, Weight weight) {
    HEDDLE_ASSERT(sources.size() == 0 || source >= lastSource);
    HEDDLE_ASSERT(source < layout.partitionSize(partition));
    HEDDLE_ASSERT(targetBytes == 4 || target >> (8 * targetBytes) == 0);
    if (sources.size() == 0 || source != lastSource)
      addSource(source);
    file->append(std::as_bytes(std::span(&target, 1)).first(targetBytes));
    if constexpr (!std::same_as<Weight, Unweighted>)
      weights.append(weight);
    ++edgeCount;
  }

  void end() {
    while (blocks.size() <= layout.sourceBlocks(partition))
      blocks.push_back(position());
    HEDDLE_ASSERT(blocks.size() == layout.sourceBlocks(partition) + 1);
    chunk->edges = edgeCount;
    chunk->sources = sources.size();
    const auto vertices = static_cast<double>(layout.partitionSize(partition));
    chunk->hasRows = edgeCount > 0 && vertices / edgeCount <= inflateRatio;
    if constexpr (!std::same_as<Weight, Unweighted>) {
      file->align(ChunkAlignment);
      weights.forEachPiece(
          [&](std::span<const Weight> piece) { file->append(piece); });
    }
    appendSources();
    file->align(ChunkAlignment);
    file->append(std::span<const SourceBlock>(blocks));
    if (chunk->hasRows)
      appendRows();
  }

private:
  static constexpr std::size_t PieceValues = std::size_t(1) << 16;

  /// A vertex with edges, and where these begin in the chunk.
  struct Source {
    std::uint32_t vertex, begin;
  };

  void addSource(std::uint32_t source) {
    const std::uint64_t block = source / SourceBlockVertices;
    while (blocks.size() <= block)
      blocks.push_back(position());
    sources.append({source, edgeCount});
    lastSource = source;
  }

  SourceBlock position() const {
    return {static_cast<std::uint32_t>(sources.size()), edgeCount};
  }

  void appendSources() {
    const auto appendOfEach = [&](auto valueOf) {
      file->align(ChunkAlignment);
      sources.forEachPiece([&](std::span<const Source> piece) {
        for (const Source &source : piece) {
          const auto value = valueOf(source);
          file->append(std::span(&value, 1));
        }
      });
    };
    appendOfEach([](const Source &source) {
      return static_cast<std::uint16_t>(source.vertex % SourceBlockVertices);
    });
    appendOfEach([](const Source &source) { return source.begin; });
    file->append(std::span<const std::uint32_t>(&edgeCount, 1));
  }

  /// Appends the beginning of the edges of each vertex of the partition.
  void appendRows() {
    file->align(ChunkAlignment);
    std::uint64_t row = 0;
    const auto appendUpTo = [&](std::uint64_t end, std::uint32_t begin) {
      for (; row < end; ++row)
        file->append(std::span<const std::uint32_t>(&begin, 1));
    };
    sources.forEachPiece([&](std::span<const Source> piece) {
      for (const Source &source : piece)
        appendUpTo(source.vertex + std::uint64_t(1), source.begin);
    });
    appendUpTo(layout.partitionSize(partition) + 1, edgeCount);
  }

  const GraphLayout &layout;
  const double inflateRatio;
  BlockAppender *file = nullptr;
  std::size_t partition = 0, targetBytes = 0;
  Chunk *chunk = nullptr;
  std::uint32_t edgeCount = 0, lastSource = 0;
  Spool<std::conditional_t<std::same_as<Weight, Unweighted>, char, Weight>>
      weights;
  Spool<Source> sources;
  std::vector<SourceBlock> blocks;
};

/// Writes the chunks of one batch after the other.
template <EdgeWeight Weight> class BatchWriter {
public:
  BatchWriter(const std::string &directory, GraphLayout &layout,
              double inflateRatio)
      : layout(layout), writer(directory, layout, inflateRatio) {}

  void beginBatch(std::size_t newBatch, BlockAppender &newFile) {
    batch = newBatch;
    file = &newFile;
    partition = 0;
    beginChunk();
  }

  /// Adds an edge to the batch. Sources ascend.
  void add(std::uint32_t from, std::uint32_t to, Weight weight) {
    while (from >= layout.partitionBegins[partition + 1])
      endChunk();
    writer.add(
        static_cast<std::uint32_t>(from - layout.partitionBegins[partition]),
        static_cast<std::uint32_t>(to - layout.batchBegins[batch]), weight);
    if (writer.edges() == std::numeric_limits<std::uint32_t>::max())
      throw Error("batch " + std::to_string(batch) +
                  ": expected fewer than 2^32 edges from a partition, found "
                  "more; smaller batches have fewer");
  }

  void endBatch() {
    while (partition < layout.partitions())
      endChunk();
  }

private:
  void beginChunk() {
    writer.begin(partition, layout.chunk(partition, batch),
                 layout.targetBytes(), *file);
  }

  void endChunk() {
    writer.end();
    layout.edges += writer.edges();
    if (++partition < layout.partitions())
      beginChunk();
  }

  GraphLayout &layout;
  ChunkWriter<Weight> writer;
  BlockAppender *file = nullptr;
  std::size_t batch = 0, partition = 0;
};

} // namespace heddle::graph::ooc

#endif
