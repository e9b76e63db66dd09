//===- IoModel.cpp - Predicts the transfers of calls ---------------------===//

#include "heddle/graph/detail/ooc/model/IoModel.h"

#include "../messages/ChunkPieces.h"
#include "heddle/graph/detail/Assert.h"

#include <algorithm>
#include <cmath>

namespace heddle::graph::ooc {

IoModel::IoModel(const GraphLayout &layout, const RankGroup &ranks,
                 const SourceIndex &index, const FilterCounts &filterCounts,
                 WeightKind weights, bool isResumed)
    : layout(layout), ranks(ranks),
      share(shareOf(layout, ranks.rank(), ranks.ranks())), index(index),
      filterCounts(filterCounts), weights(weights), isResumed(isResumed) {
  for (std::size_t part = share.firstPartition; part < share.endPartition;
       ++part)
    kept.addFile(layout.files[part].bytes);
  // A rank reads this when a run starts.
  forEachIndexed(layout, share, [&](const IndexedChunk &chunk) {
    read(chunk.file, chunk.starts);
  });
  for (std::size_t part = share.firstPartition;
       ranks.hasOthers() && part < share.endPartition; ++part)
    read(part - share.firstPartition,
         {layout.files[part].filterCountsOffset,
          layout.filterCount(part) * sizeof(std::uint32_t)});
}

/// Like WorkerPool, visits batches in the opposite order in every other phase.
template <typename Visit> void IoModel::forEachBatch(Visit visit) {
  isBackward = !isBackward;
  for (std::size_t i = 0; i < share.batches(); ++i)
    visit(isBackward ? share.endBatch - 1 - i : share.firstBatch + i);
}

//===----------------------------------------------------------------------===//
// Vertex data: the windows that were used last are in memory.
//===----------------------------------------------------------------------===//

IoModel::Window &IoModel::window(const ArrayStorage &array, std::size_t batch) {
  std::vector<Window> &ofArray = windows[&array];
  if (ofArray.empty()) {
    ofArray.resize(layout.batches());
    if (isResumed || array.isConstant())
      for (Window &window : ofArray)
        window.hasCopy = true;
  }
  return ofArray[batch];
}

/// Windows that are in memory stay there while the others are loaded.
void IoModel::touch(std::span<const ArrayUse> uses, std::size_t batch) {
  std::uint64_t missing = 0;
  for (const ArrayUse &use : uses) {
    const Window &used = window(*use.array, batch);
    if (used.isInMemory)
      inMemory.splice(inMemory.end(), inMemory, used.place);
    else
      missing += use.array->window(batch).size();
  }
  makeRoom(missing);
  windowsInMemory += missing;
  for (const ArrayUse &use : uses) {
    Window &used = window(*use.array, batch);
    used.mayDiffer |= use.mayWrite;
    if (used.isInMemory)
      continue;
    if (used.hasCopy)
      readBytes += static_cast<double>(use.array->window(batch).size());
    used.isInMemory = true;
    used.place = inMemory.emplace(inMemory.end(), use.array, batch);
  }
}

void IoModel::makeRoom(std::uint64_t bytes) {
  while (!inMemory.empty() && windowsInMemory + bytes > memory.windows) {
    const auto [array, batch] = inMemory.front();
    save(*array, batch);
    window(*array, batch).isInMemory = false;
    HEDDLE_ASSERT(windowsInMemory >= array->window(batch).size());
    windowsInMemory -= array->window(batch).size();
    inMemory.pop_front();
  }
}

void IoModel::save(const ArrayStorage &array, std::size_t batch) {
  Window &saved = window(array, batch);
  if (!saved.mayDiffer)
    return;
  writtenBytes += static_cast<double>(array.window(batch).size());
  saved.hasCopy = true;
  saved.mayDiffer = false;
}

void IoModel::checkpointMade() {
  isBackward = !isBackward;
  for (const auto &[array, batch] : inMemory)
    save(*array, batch);
}

//===----------------------------------------------------------------------===//
// The phases.
//===----------------------------------------------------------------------===//

void IoModel::callBegun(const MemoryDivision &division) {
  memory = division;
  makeRoom(0);
  kept.setLimit(memory.edges);
}

void IoModel::verticesProcessed(std::span<const ArrayUse> uses,
                                const BatchSet &visited) {
  forEachBatch([&](std::size_t batch) {
    if (visited[batch])
      touch(uses, batch);
  });
}

void IoModel::valuesRead(std::span<const ArrayUse> uses) {
  for (std::size_t batch = share.firstBatch; batch < share.endBatch; ++batch)
    touch(uses, batch);
}

void IoModel::messagesGenerated(std::span<const ArrayUse> uses,
                                const BatchSet &visited,
                                const MessageCounts &counts,
                                std::size_t bytes) {
  messageCounts = counts;
  messageBytes = bytes;
  messagesInMemory = 0;
  messagesOnDisk.clear();
  dispatched.clear();
  for (const std::vector<std::uint32_t> &ofPartition : counts)
    messagesOnDisk.emplace_back(ofPartition.size());
  forEachBatch([&](std::size_t batch) {
    if (!visited[batch])
      return;
    const std::size_t part = layout.partitionOf[batch];
    const std::uint64_t begin = layout.partitionBegins[part];
    for (std::uint64_t first = layout.batchBegins[batch],
                       end = layout.batchBegins[batch + 1];
         first < end; first += SourceBlockVertices) {
      const std::size_t block = (first - begin) / SourceBlockVertices;
      const std::uint64_t count = counts[part][block];
      put(part, block, count,
          count == std::min(SourceBlockVertices, end - first));
    }
    touch(uses, batch);
  });
}

void IoModel::edgesProcessed(std::span<const ArrayUse> uses) {
  if (memory.dispatches)
    dispatch();
  // Messages from other ranks arrive later.
  isBackward = !isBackward;
  const auto isOwn = [&](std::size_t part) {
    return part >= share.firstPartition && part < share.endPartition;
  };
  for (const bool own : {true, false})
    for (std::size_t i = 0; i < share.batches(); ++i) {
      const std::size_t batch =
          isBackward ? share.endBatch - 1 - i : share.firstBatch + i;
      bool any = false;
      for (std::size_t part = 0; part < layout.partitions(); ++part)
        if (isOwn(part) == own)
          any |= readChunk(part, batch);
      if (any)
        touch(uses, batch);
    }
}

/// Reads the edges of blocks that have messages, and these messages. Returns
/// whether there are any.
bool IoModel::readChunk(std::size_t partition, std::size_t batch) {
  const std::vector<SourceBlock> &starts = startsOf(partition, batch);
  std::vector<ChunkPiece> pieces;
  std::vector<std::size_t> sought;
  PieceCutter cutter(partition, starts, pieces);
  for (std::size_t block = 0; block + 1 < starts.size(); ++block) {
    if (!isUsed(partition, block) ||
        starts[block].edge == starts[block + 1].edge)
      continue;
    if (isSought(partition, batch, block)) {
      cutter.cut();
      sought.push_back(block);
    } else {
      cutter.add(block);
    }
  }
  cutter.cut();
  for (const std::size_t block : sought)
    seek(partition, batch, block);
  readMessages(partition, batch);
  readPieces(fileOf(batch), pieces,
             layout.places(partition, layout.chunk(partition, batch)),
             layout.targetBytes(), bytesOf(weights));
  return !pieces.empty() || !sought.empty();
}

void IoModel::readPieces(std::size_t file, std::span<const ChunkPiece> pieces,
                         const ChunkPlaces &places, std::uint64_t targetBytes,
                         std::uint64_t weightBytes) {
  for (const ChunkPiece &piece : pieces)
    for (const FileRange &range :
         rangesOfPiece(piece, places, targetBytes, weightBytes))
      read(file, range);
}

namespace {

/// The expected number of different pages among `accesses` random ones of
/// `pages`.
double pagesMet(double pages, double accesses) {
  return pages * (1 - std::pow(1 - 1 / pages, accesses));
}

} // namespace

BlockRanges IoModel::rangesOf(std::size_t partition, std::size_t batch,
                              std::size_t block) const {
  return rangesOfBlock(layout, partition, block, startsOf(partition, batch),
                       layout.places(partition, layout.chunk(partition, batch)),
                       layout.targetBytes(), bytesOf(weights));
}

bool IoModel::isSought(std::size_t partition, std::size_t batch,
                       std::size_t block) const {
  const std::uint64_t count = messageCounts[partition][block];
  return layout.chunk(partition, batch).hasRows &&
         messagesOnDisk[partition][block] == 0 &&
         count != verticesOfBlock(layout, partition, block) &&
         isSeekingLess(rangesOf(partition, batch, block), count, seekBytes,
                       kept.hasRoom(), [&](const FileRange &range) {
                         return kept.isKept(fileOf(batch), range);
                       });
}

/// Reads a row for each message, and its edges if there are any. Rows are kept
/// in memory as long as there is room; other absent pages are read as far
/// memory.
void IoModel::seek(std::size_t partition, std::size_t batch,
                   std::size_t block) {
  const BlockRanges ranges = rangesOf(partition, batch, block);
  const std::size_t file = fileOf(batch);
  if (kept.hasRoom())
    read(file, ranges.rows);
  double sought = 0, all = 0; // pages
  const auto addFar = [&](const FileRange &range, double accesses,
                          double accessesAcrossPages) {
    const double missing = kept.missing(file, range);
    const double pages =
        std::max(static_cast<double>(range.bytes) / BlockBytes, 1.0);
    sought += missing * pagesMet(pages, accesses + accessesAcrossPages * pages);
    all += missing * pages;
  };
  const double messages = messageCounts[partition][block];
  const double sources =
      SourceIndex::sources(startsOf(partition, batch), block);
  const double haveEdges =
      messages * sources /
      static_cast<double>(verticesOfBlock(layout, partition, block));
  addFar(ranges.rows, messages, 0);
  addFar(ranges.targets, haveEdges, haveEdges / sources);
  if (ranges.weights.bytes > 0)
    addFar(ranges.weights, haveEdges, haveEdges / sources);
  if (all > 0)
    readBytes += BlockBytes *
                 pagesToRead({batch * layout.partitions() + partition, block},
                             sought, all);
}

/// Returns the number of the sought pages of a block that are not in the cache
/// of far memory. They are in it afterwards, and evict the same fraction of all
/// other blocks' pages.
double IoModel::pagesToRead(std::pair<std::size_t, std::size_t> chunkAndBlock,
                            double sought, double all) {
  double &ofBlock = cached[chunkAndBlock];
  const double reading =
      sought * std::max(1 - ofBlock * cachedScale / all, 0.0);
  ofBlock += reading / cachedScale;
  pagesInCache += reading;
  if (pagesInCache > cachePages) {
    cachedScale *= cachePages / pagesInCache;
    pagesInCache = cachePages;
  }
  constexpr double LeastScale = 1e-100;
  if (cachedScale < LeastScale) {
    for (auto &[place, pages] : cached)
      pages *= cachedScale;
    cachedScale = 1;
  }
  return reading;
}

} // namespace heddle::graph::ooc
