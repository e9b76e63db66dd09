//===- IoModel.h - What calls read and write, predicted --------*- C++ -*-===//
//
// Table 2 of DFOGraph (J. Yu et al., PPoPP 2021) counts the vertices, messages
// and edges that each phase of a call reads and writes. Here these are bytes,
// of a prepared graph and of calls whose messages are known, less what is still
// in memory from before. What an engine has moved in truth is not looked at.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_OOC_IOMODEL_H
#define HEDDLE_GRAPH_OOC_IOMODEL_H

#include "heddle/graph/ooc/ChunkScan.h"
#include "heddle/graph/ooc/Layout.h"
#include "heddle/graph/ooc/WindowPool.h"

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace heddle::graph::ooc {

/// Bytes of edges and of the sources that have them, as a chunk has them: the
/// target and weight of each edge, `edgeBytes` in all, the place of each source
/// in its block, and where its edges begin (DCSR, section 4.1).
constexpr double bytesOfEdges(double edges, double sources,
                              std::uint64_t edgeBytes) {
  return edges * static_cast<double>(edgeBytes) +
         sources * (sizeof(std::uint16_t) + sizeof(std::uint32_t));
}

/// How much of what may be in memory, in bytes, during a call.
struct MemoryDivision {
  std::uint64_t windows = 0;  ///< of vertex arrays
  std::uint64_t messages = 0; ///< that the call generates
  std::uint64_t edges = 0;    ///< that are kept
};

/// Told phase by phase what calls do, it says what they read and write. Of one
/// thread.
class IoModel {
public:
  /// Of each batch, whether it is one of those.
  using Batches = std::vector<std::uint8_t>;
  /// Per partition and block of its vertices.
  using MessageCounts = std::vector<std::vector<std::uint32_t>>;

  /// `index` says for the chunks where blocks of sources begin, and may be
  /// filled in later. Vertex arrays are zeros at first, or, if the run goes on
  /// with an earlier one, on disk.
  IoModel(const GraphLayout &layout, const SourceIndex &index,
          WeightKind weights, bool isResumed);

  /// What a seek costs, as SeekCost has it, and how much of what is sought
  /// stays in the cache of far memory.
  void setSeeking(std::uint64_t bytes, std::uint64_t bytesOfCache) {
    seekBytes = bytes;
    cachePages = static_cast<double>(bytesOfCache / BlockBytes);
  }

  /// A call begins. Windows beyond the limit move out.
  void beginCall(const MemoryDivision &memory);

  /// The vertices of some batches were worked on.
  void vertices(std::span<const ArrayUse> uses, const Batches &visited);

  /// Values were read in the order of batches.
  void values(std::span<const ArrayUse> uses);

  /// Vertices of some batches were asked for messages of so many bytes.
  void generate(std::span<const ArrayUse> uses, const Batches &visited,
                const MessageCounts &counts, std::size_t messageBytes);

  /// The messages went along the edges.
  void process(std::span<const ArrayUse> uses);

  /// Everything that has changed was written.
  void checkpoint();

  /// From the start on, if all that may be written has changed when it leaves
  /// memory.
  TransferCounts predicted() const {
    return {static_cast<std::uint64_t>(readBytes),
            static_cast<std::uint64_t>(writtenBytes)};
  }

private:
  struct Window {
    bool isInMemory = false;
    bool mayDiffer = false; ///< from its copy
    bool hasCopy = false;
    std::list<std::pair<const ArrayStorage *, std::size_t>>::iterator place;
  };

  /// Bytes of a chunk that are in memory.
  struct KeptOfChunk {
    double edges = 0;
    double beside = 0; ///< what came with them, for segments come whole
  };

  template <typename Visit> void forEachBatch(Visit visit);
  Window &window(const ArrayStorage &array, std::size_t batch);
  std::uint64_t windowBytes(const ArrayStorage &array, std::size_t batch) const;
  void touch(std::span<const ArrayUse> uses, std::size_t batch);
  void makeRoom(std::uint64_t bytes);
  void save(const ArrayStorage &array, std::size_t batch);
  bool readChunk(std::size_t partition, std::size_t batch);
  bool isSought(std::size_t partition, std::size_t batch,
                std::size_t block) const;
  double missingOf(std::size_t chunk) const;
  void seek(std::size_t partition, std::size_t batch, std::size_t block);
  double pagesToRead(std::pair<std::size_t, std::size_t> chunkAndBlock,
                     double sought, double all);
  void readEdges(double edges, double sources, KeptOfChunk &keptOfChunk);
  void readSourceBlocks();

  const GraphLayout &layout;
  const std::vector<std::vector<SourceBlock>> &blocks;
  const WeightKind weights;
  const std::uint64_t edgeBytes;
  const bool isResumed;
  std::uint64_t seekBytes = SeekCost().onDisk;
  double cachePages = 0;
  MemoryDivision memory;
  double readBytes = 0, writtenBytes = 0;
  bool isBackward = false;

  std::map<const ArrayStorage *, std::vector<Window>> windows;
  /// Those in memory, from the one that was not used for longest.
  std::list<std::pair<const ArrayStorage *, std::size_t>> inMemory;
  std::uint64_t windowsInMemory = 0; ///< in bytes

  /// Messages by block: how many there are, and bytes on disk.
  MessageCounts messageCounts;
  std::vector<std::vector<std::uint64_t>> messagesOnDisk;
  std::vector<KeptOfChunk> kept;                          ///< per chunk
  std::set<std::pair<std::size_t, std::size_t>> keptRows; ///< chunk and block
  double keptBytes = 0;                                   ///< of all
  /// Pages of blocks that are in the cache, each to be multiplied by
  /// `cachedScale`, and of all.
  std::map<std::pair<std::size_t, std::size_t>, double> cached;
  double cachedScale = 1, pagesInCache = 0;
};

} // namespace heddle::graph::ooc

#endif
