//===- Layout.h - How a graph lies on disk ---------------------*- C++ -*-===//
//
// The two-level column-oriented partitions of DFOGraph (J. Yu et al., PPoPP
// 2021, section 2.2). Vertices are cut into partitions, one for each machine at
// most, and partitions into batches, whose vertex data fit in memory. Edges lie
// with their target: a chunk has those from one partition to one batch.
//
// A prepared graph is a directory with a file `graph`, which says what else
// there is, and for each partition K the files `part-K.edges`, with the chunks
// of its batches, the out-degrees of its vertices, which of these have edges to
// which other partition, and which of all vertices have edges to which of its
// batches, and `part-K.sums`, with a checksum of each block of the former.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_OOC_LAYOUT_H
#define HEDDLE_GRAPH_OOC_LAYOUT_H

#include "heddle/graph/Graph.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle::graph::ooc {

/// Batches are of a multiple of so many vertices: a bit for each fills a block.
inline constexpr std::uint64_t BatchUnit = 32768;

/// The sources of a chunk's edges are found by blocks of so many vertices of
/// their partition.
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

/// Bytes of a target, its place in a batch of so many vertices: as few as will
/// do.
constexpr std::uint64_t targetBytesOf(std::uint64_t batchVertices) {
  if (batchVertices <= std::uint64_t(1) << 16)
    return 2;
  return batchVertices <= std::uint64_t(1) << 24 ? 3 : 4;
}

/// For people: "integer weights" and the like.
const char *nameOf(WeightKind kind);

/// What lies before a block of sources: how many sources with edges in this
/// chunk, and how many edges.
struct SourceBlock {
  std::uint32_t source, edge;
};

/// The edges from a partition to a batch, sorted by source and target, as five
/// arrays: the sources that have any and where their edges begin (DCSR, section
/// 4.1), where blocks of sources begin, where the edges of each vertex of the
/// partition begin (CSR, where that is not too long), and the edges.
struct Chunk {
  std::uint64_t edges = 0;
  std::uint64_t sources = 0;
  std::uint64_t offset = 0; ///< in the file of the batch's partition
  std::uint64_t hasRows = 0;
};

/// Of which the places of a chunk's arrays are multiples.
inline constexpr std::uint64_t ChunkAlignment = 64;

/// Where the arrays of a chunk begin in its file.
struct ChunkPlaces {
  std::uint64_t targets; ///< from the first of the batch, per edge
  std::uint64_t weights; ///< per edge, if there are any
  std::uint64_t sources; ///< uint16_t, from the first of the block, per source
  std::uint64_t begins;  ///< uint32_t, per source and one more
  std::uint64_t blocks;  ///< SourceBlock, per block and one more
  std::uint64_t rows;    ///< uint32_t, per vertex of the partition and one more
  std::uint64_t end;
};

/// A partition's file.
struct PartFileInfo {
  std::uint64_t bytes = 0;
  std::uint64_t degreesOffset = 0; ///< of uint32_t, per vertex
  std::uint64_t filtersOffset = 0;
  std::uint64_t filterCountsOffset = 0; ///< of uint32_t, per filter
  std::uint64_t checksum = 0;           ///< of the checksums of its blocks
};

/// A filter (section 4.3) has a bit for each vertex of a block of sources: that
/// of a vertex with edges to a certain partition is set.
inline constexpr std::uint64_t FilterBytes = SourceBlockVertices / 8;

/// A dispatching graph (section 4.2) leads from the vertices of a partition to
/// the batches of another, or to a group of these that is small enough for
/// their places in it to be bytes. It lies on disk as a chunk does.
inline constexpr std::uint64_t MostGroupBatches = 256;

/// Batches of one partition.
struct BatchGroup {
  std::uint32_t partition, firstBatch, endBatch;

  std::size_t batches() const { return endBatch - firstBatch; }
};

struct GraphLayout {
  std::uint64_t checksum = 0; ///< by which one graph is told from another
  std::uint64_t vertices = 0, edges = 0;
  WeightKind weightKind = WeightKind::None;
  bool isUndirected = false;
  std::uint64_t batchVertices = 0;            ///< a multiple of BatchUnit
  std::vector<std::uint64_t> partitionBegins; ///< and the end of the last
  std::vector<PartFileInfo> files;            ///< per partition
  std::vector<Chunk> chunks; ///< per batch, and in it per source partition
  std::uint64_t groupBatches = MostGroupBatches; ///< at most in a group
  /// Per group of batches, and in it per source partition; without edges for a
  /// single batch.
  std::vector<Chunk> dispatchingGraphs;

  // What follows from that.
  std::vector<std::uint64_t> batchBegins;  ///< and the end of the last
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
  /// How many filters a partition has: for each block, one for each other.
  std::uint64_t filterCount(std::size_t fromPartition) const {
    return (partitions() - 1) * sourceBlocks(fromPartition);
  }
  /// The number of a filter among those of its partition.
  std::uint64_t filterIndex(std::size_t fromPartition, std::size_t toPartition,
                            std::size_t block) const {
    const std::size_t others = toPartition - (toPartition > fromPartition);
    return others * sourceBlocks(fromPartition) + block;
  }

  /// Fills in what follows from the partitions and the size of batches.
  void deriveBatches();
  /// And what follows from the size of groups.
  void deriveGroups();

private:
  ChunkPlaces places(std::size_t fromPartition, const Chunk &chunk,
                     std::uint64_t targetBytes,
                     std::uint64_t weightBytes) const;
};

/// The bytes that a GraphLayout of so many takes in memory, and its file on
/// disk at most: a chunk for each partition and batch, and a dispatching graph
/// for each partition and group.
std::uint64_t layoutBytes(std::uint64_t partitions, std::uint64_t batches,
                          std::uint64_t groups);

/// The partitions that one of several ranks works on, and their batches.
struct Share {
  std::size_t firstPartition, endPartition;
  std::size_t firstBatch, endBatch;

  std::size_t partitions() const { return endPartition - firstPartition; }
  std::size_t batches() const { return endBatch - firstBatch; }
};
Share shareOf(const GraphLayout &layout, unsigned rank, unsigned ranks);

/// Names of the files in a prepared graph.
std::string layoutPath(const std::string &directory);
std::string edgesPath(const std::string &directory, std::size_t partition);
std::string sumsPath(const std::string &directory, std::size_t partition);

/// Of a prepared graph. Throws Error if there is none, if it is damaged, or of
/// another version of the format.
GraphLayout readLayout(const std::string &directory);

/// Writes what readLayout() reads, whole or not at all. Throws WriteError.
void writeLayout(const std::string &directory, const GraphLayout &layout);

/// The checksum of a block of a file.
std::uint32_t blockChecksum(const std::byte *block);

} // namespace heddle::graph::ooc

#endif
