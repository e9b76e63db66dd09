//===- ChunkWriter.h - Sorted edges become chunks --------------*- C++ -*-===//

#ifndef HEDDLE_GRAPHLIB_OOC_CHUNKWRITER_H
#define HEDDLE_GRAPHLIB_OOC_CHUNKWRITER_H

#include "BlockAppender.h"
#include "Spool.h"
#include "heddle/graph/EdgeList.h"
#include "heddle/graph/Error.h"
#include "heddle/graph/ooc/Layout.h"

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace heddle::graph::ooc {

/// Writes the chunks of one batch after the other. Targets go to the file at
/// once, and what follows them there is put aside.
template <EdgeWeight Weight> class ChunkWriter {
public:
  ChunkWriter(const std::string &directory, GraphLayout &layout,
              double inflateRatio)
      : layout(layout), targetBytes(layout.targetBytes()),
        inflateRatio(inflateRatio), weights(directory, PieceValues),
        sources(directory, PieceValues) {}

  void beginBatch(std::size_t newBatch, BlockAppender &newFile) {
    batch = newBatch;
    file = &newFile;
    partition = 0;
    beginChunk();
  }

  /// Adds an edge to the batch, behind all others in the order of sources.
  void add(std::uint32_t from, std::uint32_t to, Weight weight) {
    while (from >= layout.partitionBegins[partition + 1])
      endChunk();
    const auto source =
        static_cast<std::uint32_t>(from - layout.partitionBegins[partition]);
    if (sources.size() == 0 || source != lastSource)
      addSource(source);
    const auto target =
        static_cast<std::uint32_t>(to - layout.batchBegins[batch]);
    file->append(std::as_bytes(std::span(&target, 1)).first(targetBytes));
    if constexpr (!std::same_as<Weight, Unweighted>)
      weights.append(weight);
    if (++edges == std::numeric_limits<std::uint32_t>::max())
      throw Error("batch " + std::to_string(batch) +
                  ": expected fewer than 2^32 edges from a partition, found "
                  "more; smaller batches have fewer");
  }

  void endBatch() {
    while (partition < layout.partitions())
      endChunk();
  }

private:
  static constexpr std::size_t PieceValues = std::size_t(1) << 16;

  /// A vertex with edges, and where these begin in the chunk.
  struct Source {
    std::uint32_t vertex, begin;
  };

  void beginChunk() {
    file->align(ChunkAlignment);
    chunk = &layout.chunk(partition, batch);
    *chunk = {.offset = file->position()};
    edges = 0;
    weights.clear();
    sources.clear();
    blocks.clear();
  }

  void addSource(std::uint32_t source) {
    const std::uint64_t block = source / SourceBlockVertices;
    while (blocks.size() <= block)
      blocks.push_back(position());
    sources.append({source, edges});
    lastSource = source;
  }

  SourceBlock position() const {
    return {static_cast<std::uint32_t>(sources.size()), edges};
  }

  void endChunk() {
    while (blocks.size() <= layout.sourceBlocks(partition))
      blocks.push_back(position());
    chunk->edges = edges;
    chunk->sources = sources.size();
    const auto vertices = static_cast<double>(layout.partitionSize(partition));
    chunk->hasRows = edges > 0 && vertices / edges <= inflateRatio;
    layout.edges += edges;

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
    if (++partition < layout.partitions())
      beginChunk();
  }

  void appendSources() {
    file->align(ChunkAlignment);
    sources.forEachPiece([&](std::span<const Source> piece) {
      for (const Source &source : piece) {
        const auto inBlock =
            static_cast<std::uint16_t>(source.vertex % SourceBlockVertices);
        file->append(std::span(&inBlock, 1));
      }
    });
    file->align(ChunkAlignment);
    sources.forEachPiece([&](std::span<const Source> piece) {
      for (const Source &source : piece)
        file->append(std::span(&source.begin, 1));
    });
    file->append(std::span<const std::uint32_t>(&edges, 1));
  }

  /// Where the edges of each vertex of the partition begin.
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
    appendUpTo(layout.partitionSize(partition) + 1, edges);
  }

  GraphLayout &layout;
  const std::size_t targetBytes;
  const double inflateRatio;
  BlockAppender *file = nullptr;
  std::size_t batch = 0, partition = 0;
  Chunk *chunk = nullptr;
  std::uint32_t edges = 0, lastSource = 0;
  Spool<std::conditional_t<std::same_as<Weight, Unweighted>, char, Weight>>
      weights;
  Spool<Source> sources;
  std::vector<SourceBlock> blocks;
};

} // namespace heddle::graph::ooc

#endif
