//===- Layout.h - A graph on disk ------------------------------*- C++ -*-===//
//
// The two-level column-oriented partitions of DFOGraph (J. Yu et al., PPoPP
// 2021, section 2.2). Vertices are divided into partitions, at most one for
// each rank, and partitions into batches, whose vertex data fit in memory.
// Edges are stored with their target: a chunk has the edges from one partition
// to one batch.
//
// A prepared graph is a directory. Its file `graph` has the layout. Each
// partition K has a file `part-K.edges`, with
//
//   - the chunks of its batches,
//   - the out-degrees of its vertices,
//   - filters: which of its vertices have edges to which other partition,
//   - dispatching graphs: which vertices have edges to which of its batches,
//
// and a file `part-K.sums`, with a checksum of each block of `part-K.edges`.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_OOC_LAYOUT_H
#define HEDDLE_GRAPH_OOC_LAYOUT_H

#include "heddle/graph/Graph.h"
#include "heddle/graph/detail/Assert.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle::graph::ooc {

/// The unit of batch sizes in vertices: one bit for each fills a block.
inline constexpr std::uint64_t BatchUnit = 32768;

/// The size in vertices of the blocks by which a chunk indexes its sources.
inline constexpr std::uint64_t SourceBlockVertices = BatchUnit;

enum class WeightKind : std::uint32_t { None, Int32, Float32 };

template <EdgeWeight Weight> constexpr WeightKind weightKindOf() {
  if constexpr (std::same_as<Weight, Unweighted>)
    return WeightKind::None;
  else if constexpr (std::same_as<Weight, std::int32_t>)
    return WeightKind::Int32;
  else
    return WeightKind::Float32;
}

constexpr std::uint64_t bytesOf(WeightKind kind) {
  return kind == WeightKind::None ? 0 : 4;
}

/// The bytes of a target, which is an index in a batch of `batchVertices`.
constexpr std::uint64_t targetBytesOf(std::uint64_t batchVertices) {
  if (batchVertices <= std::uint64_t(1) << 16)
    return 2;
  return batchVertices <= std::uint64_t(1) << 24 ? 3 : 4;
}

/// A name for messages, such as "integer weights".
const char *nameOf(WeightKind kind);

/// The beginning of a block of sources in a chunk: the number of sources and of
/// edges before it.
struct SourceBlock {
  std::uint32_t source, edge;
};

/// The edges from a partition to a batch, sorted by source and target, with the
/// arrays that index them: the sources with edges and where their edges begin
/// (DCSR, section 4.1), where the blocks of sources begin, and the rows, where
/// the edges of each vertex of the partition begin (CSR, unless the chunk is
/// too sparse for that).
struct Chunk {
  std::uint64_t edges = 0;
  std::uint64_t sources = 0;
  std::uint64_t offset = 0; ///< in the file of the batch's partition
  std::uint64_t hasRows = 0;
};

/// The alignment of a chunk's arrays.
inline constexpr std::uint64_t ChunkAlignment = 64;

/// The offsets of a chunk's arrays in its file.
struct ChunkPlaces {
  std::uint64_t targets; ///< per edge, counted from the batch's first vertex
  std::uint64_t weights; ///< per edge, if the graph has weights
  std::uint64_t
      sources; ///< uint16_t, per source, counted from its block's first
  std::uint64_t begins; ///< uint32_t, per source and one more
  std::uint64_t blocks; ///< SourceBlock, per block and one more
  std::uint64_t rows;   ///< uint32_t, per vertex of the partition and one more
  std::uint64_t end;
};

/// The file of a partition.
struct PartFileInfo {
  std::uint64_t bytes = 0;
  std::uint64_t degreesOffset = 0; ///< of uint32_t, per vertex
  std::uint64_t filtersOffset = 0;
  std::uint64_t filterCountsOffset = 0; ///< of uint32_t, per filter
  std::uint64_t checksum = 0;           ///< of the checksums of its blocks
};

/// A filter (section 4.3) of a block of sources and a partition has a bit for
/// each vertex of the block, which is set if the vertex has edges to the
/// partition.
inline constexpr std::uint64_t FilterBytes = SourceBlockVertices / 8;

/// A dispatching graph (section 4.2) has edges from the vertices of a partition
/// to the batches that they have edges to, within a group of batches so small
/// that a batch's index in it is a byte. It is stored like a chunk.
inline constexpr std::uint64_t MostGroupBatches = 256;

/// Consecutive batches of one partition.
struct BatchGroup {
  std::uint32_t partition, firstBatch, endBatch;

  std::size_t batches() const { return endBatch - firstBatch; }
};

struct GraphLayout {
  std::uint64_t checksum = 0; ///< of the file, which identifies the graph
  std::uint64_t vertices = 0, edges = 0;
  WeightKind weightKind = WeightKind::None;
  bool isUndirected = false;
  std::uint64_t batchVertices = 0;            ///< a multiple of BatchUnit
  std::vector<std::uint64_t> partitionBegins; ///< and the end of the last one
  std::vector<PartFileInfo> files;            ///< per partition
  std::vector<Chunk> chunks; ///< per batch, and in it per source partition
  std::uint64_t groupBatches = MostGroupBatches; ///< in a group, at most
  /// The dispatching graphs, per group of batches and source partition. Groups
  /// of one batch have none: their graphs have no edges.
  std::vector<Chunk> dispatchingGraphs;

  // Derived from the above:
  std::vector<std::uint64_t> batchBegins;  ///< and the end of the last one
  std::vector<std::uint32_t> partitionOf;  ///< per batch
  std::vector<std::uint32_t> firstBatchOf; ///< per partition, and the end
  std::vector<BatchGroup> groups;
  std::vector<std::uint32_t> groupOf; ///< per batch

  std::uint64_t targetBytes() const { return targetBytesOf(batchVertices); }
  std::size_t partitions() const { return partitionBegins.size() - 1; }
  std::size_t batches() const { return batchBegins.size() - 1; }
  std::uint64_t partitionSize(std::size_t partition) const {
    return partitionBegins[partition + 1] - partitionBegins[partition];
  }
  std::uint64_t batchSize(std::size_t batch) const {
    return batchBegins[batch + 1] - batchBegins[batch];
  }
  std::uint64_t sourceBlocks(std::size_t partition) const {
    return (partitionSize(partition) + SourceBlockVertices - 1) /
           SourceBlockVertices;
  }
  const Chunk &chunk(std::size_t fromPartition, std::size_t toBatch) const {
    return chunks[toBatch * partitions() + fromPartition];
  }
  Chunk &chunk(std::size_t fromPartition, std::size_t toBatch) {
    return chunks[toBatch * partitions() + fromPartition];
  }
  const Chunk &dispatchingGraph(std::size_t fromPartition,
                                std::size_t toGroup) const {
    return dispatchingGraphs[toGroup * partitions() + fromPartition];
  }
  Chunk &dispatchingGraph(std::size_t fromPartition, std::size_t toGroup) {
    return dispatchingGraphs[toGroup * partitions() + fromPartition];
  }
  ChunkPlaces places(std::size_t fromPartition, const Chunk &chunk) const {
    return places(fromPartition, chunk, targetBytes(), bytesOf(weightKind));
  }
  ChunkPlaces placesOfDispatching(std::size_t fromPartition,
                                  const Chunk &graph) const {
    return places(fromPartition, graph, 1, 0);
  }
  /// The number of filters of a partition: for each of its blocks, one for each
  /// other partition.
  std::uint64_t filterCount(std::size_t fromPartition) const {
    return (partitions() - 1) * sourceBlocks(fromPartition);
  }
  /// The number of a filter among those of its partition.
  std::uint64_t filterIndex(std::size_t fromPartition, std::size_t toPartition,
                            std::size_t block) const {
    HEDDLE_ASSERT(toPartition != fromPartition);
    const std::size_t others = toPartition - (toPartition > fromPartition);
    return others * sourceBlocks(fromPartition) + block;
  }

  /// Computes the batches from the partitions and the size of batches.
  void deriveBatches();
  /// Computes the groups from the batches and the size of groups.
  void deriveGroups();

private:
  ChunkPlaces places(std::size_t fromPartition, const Chunk &chunk,
                     std::uint64_t targetBytes,
                     std::uint64_t weightBytes) const;
};

/// The bytes that a GraphLayout takes in memory, and on disk at most. Most are
/// for a chunk for each partition and batch, and a dispatching graph for each
/// partition and group.
std::uint64_t layoutBytes(std::uint64_t partitions, std::uint64_t batches,
                          std::uint64_t groups);

/// The partitions that a rank works on, and their batches.
struct Share {
  std::size_t firstPartition, endPartition;
  std::size_t firstBatch, endBatch;

  std::size_t partitions() const { return endPartition - firstPartition; }
  std::size_t batches() const { return endBatch - firstBatch; }
};
Share shareOf(const GraphLayout &layout, unsigned rank, unsigned ranks);

/// The paths of the files of a prepared graph.
std::string layoutPath(const std::string &directory);
std::string edgesPath(const std::string &directory, std::size_t partition);
std::string sumsPath(const std::string &directory, std::size_t partition);

/// Reads the layout of a prepared graph. Throws Error if there is none, if it
/// is damaged, or if it has another version of the format.
GraphLayout readLayout(const std::string &directory);

/// Throws Error if the layout of a prepared graph places edges or filters of a
/// partition outside of its file, or the out-degrees. Does not look at the
/// file.
void checkPlaces(const std::string &directory, const GraphLayout &layout,
                 std::size_t part);
void checkDegreesPlace(const std::string &directory, const GraphLayout &layout,
                       std::size_t part);

/// Writes the file that readLayout() reads, atomically. Throws WriteError.
void writeLayout(const std::string &directory, const GraphLayout &layout);

/// The checksum of a block of a file.
std::uint32_t blockChecksum(const std::byte *block);

} // namespace heddle::graph::ooc

#endif
