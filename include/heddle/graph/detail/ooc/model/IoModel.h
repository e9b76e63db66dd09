//===- IoModel.h - Predicts the transfers of calls -------------*- C++ -*-===//
//
// Table 2 of DFOGraph (J. Yu et al., PPoPP 2021) counts the vertices, messages
// and edges that each phase of a call reads and writes. This model predicts the
// bytes, for a prepared graph and the numbers of messages of each call, without
// those that are still in memory. It does not measure the transfers of an
// engine.
//
// A model is for one rank. It knows the number of vertices of a block that have
// sent messages, but not these vertices: it assumes that vertices with edges
// have sent first.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_OOC_MODEL_IOMODEL_H
#define HEDDLE_GRAPH_DETAIL_OOC_MODEL_IOMODEL_H

#include "heddle/graph/detail/ooc/memory/MemoryBudget.h"
#include "heddle/graph/detail/ooc/memory/WindowPool.h"
#include "heddle/graph/detail/ooc/messages/ChunkScan.h"
#include "heddle/graph/detail/ooc/messages/Dispatching.h"
#include "heddle/graph/detail/ooc/model/KeptModel.h"
#include "heddle/graph/detail/ooc/ranks/Filters.h"
#include "heddle/graph/detail/ooc/ranks/RankGroup.h"
#include "heddle/graph/ooc/Layout.h"

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace heddle::graph::ooc {

/// Predicts the data that calls read, write and send. An engine notifies it of
/// their work, phase by phase, on one thread.
class IoModel {
public:
  /// The model of one rank. It refers to the rank's `index` and
  /// `filterCounts`, which may be filled in later. Vertex arrays are zeros at
  /// first, or, in a resumed run, on disk.
  IoModel(const GraphLayout &layout, const RankGroup &ranks,
          const SourceIndex &index, const FilterCounts &filterCounts,
          WeightKind weights, bool isResumed);

  /// Sets the cost of a seek (SeekCost::onDisk), and the size of the cache of
  /// far memory.
  void setSeeking(std::uint64_t bytes, std::uint64_t bytesOfCache) {
    seekBytes = bytes;
    cachePages = static_cast<double>(bytesOfCache / BlockBytes);
  }

  /// A call begins. Windows beyond the limit leave memory.
  void callBegun(const MemoryDivision &division);

  /// Functions were called for the vertices of the visited batches.
  void verticesProcessed(std::span<const ArrayUse> uses,
                         const BatchSet &visited);

  /// The vertices of the visited batches generated messages of this size.
  void messagesGenerated(std::span<const ArrayUse> uses,
                         const BatchSet &visited, const MessageCounts &counts,
                         std::size_t bytes);

  /// Called when ranks have passed messages to each other. This rank now has
  /// `counts`.
  void messagesPassed(const MessageCounts &counts);

  /// The messages were delivered along the edges.
  void edgesProcessed(std::span<const ArrayUse> uses);

  /// Values were read in the order of batches.
  void valuesRead(std::span<const ArrayUse> uses);

  /// Called when all changed windows were written.
  void checkpointMade();

  /// The bytes read and written since the start, if every window that a call
  /// may write has changed by the time it leaves memory.
  TransferCounts predicted() const {
    return {static_cast<std::uint64_t>(readBytes),
            static_cast<std::uint64_t>(writtenBytes)};
  }
  /// The bytes sent to other ranks.
  std::uint64_t predictedSent() const {
    return static_cast<std::uint64_t>(sentBytes);
  }

private:
  struct Window {
    bool isInMemory = false;
    bool mayDiffer = false; ///< from its copy
    bool hasCopy = false;
    std::list<std::pair<const ArrayStorage *, std::size_t>>::iterator place;
  };

  template <typename Visit> void forEachBatch(Visit visit);
  Window &window(const ArrayStorage &array, std::size_t batch);
  void touch(std::span<const ArrayUse> uses, std::size_t batch);
  void makeRoom(std::uint64_t bytes);
  void save(const ArrayStorage &array, std::size_t batch);
  void put(std::size_t partition, std::size_t block, std::uint64_t count,
           bool isFromAll);
  void passTo(const Share &to);
  std::uint64_t sourcesOf(std::size_t partition, std::size_t block) const;
  void dispatch();
  void push(std::size_t partition, std::size_t group,
            std::span<const MessagesOnDisk> blocks);
  bool readChunk(std::size_t partition, std::size_t batch);
  BlockRanges rangesOf(std::size_t partition, std::size_t batch,
                       std::size_t block) const;
  bool isSought(std::size_t partition, std::size_t batch,
                std::size_t block) const;
  void seek(std::size_t partition, std::size_t batch, std::size_t block);
  double pagesToRead(std::pair<std::size_t, std::size_t> chunkAndBlock,
                     double sought, double all);
  void readMessages(std::size_t partition, std::size_t batch);
  void read(std::size_t file, const FileRange &range) {
    readBytes += static_cast<double>(kept.read(file, range));
  }
  void readPieces(std::size_t file, std::span<const ChunkPiece> pieces,
                  const ChunkPlaces &places, std::uint64_t targetBytes,
                  std::uint64_t weightBytes);
  std::size_t fileOf(std::size_t batch) const {
    return layout.partitionOf[batch] - share.firstPartition;
  }
  const std::vector<SourceBlock> &startsOf(std::size_t partition,
                                           std::size_t batch) const {
    return index.ofChunks[batch * layout.partitions() + partition];
  }
  bool isUsed(std::size_t partition, std::size_t block) const {
    return messageCounts[partition][block] > 0;
  }

  const GraphLayout &layout;
  const RankGroup ranks;
  const Share share;
  const SourceIndex &index;
  const FilterCounts &filterCounts;
  const WeightKind weights;
  const bool isResumed;
  std::uint64_t seekBytes = SeekCost().onDisk;
  double cachePages = 0;
  MemoryDivision memory;
  double readBytes = 0, writtenBytes = 0, sentBytes = 0;
  bool isBackward = false;

  std::map<const ArrayStorage *, std::vector<Window>> windows;
  /// The windows in memory, the least recently used ones first.
  std::list<std::pair<const ArrayStorage *, std::size_t>> inMemory;
  std::uint64_t windowsInMemory = 0; ///< in bytes

  /// The number of messages of each block, and their bytes on disk.
  MessageCounts messageCounts;
  std::vector<std::vector<std::uint64_t>> messagesOnDisk;
  std::size_t messageBytes = 0;
  std::uint64_t messagesInMemory = 0; ///< in bytes
  /// The bytes of messages that were dispatched to each batch, per partition.
  std::map<std::pair<std::size_t, std::size_t>, double> dispatched;
  KeptModel kept;
  /// The cached pages of each block, to be multiplied by `cachedScale`, and of
  /// all blocks.
  std::map<std::pair<std::size_t, std::size_t>, double> cached;
  double cachedScale = 1, pagesInCache = 0;
};

} // namespace heddle::graph::ooc

#endif
