//===- IoModel.cpp - What calls read and write, predicted ----------------===//

#include "heddle/graph/ooc/IoModel.h"

#include <algorithm>
#include <cmath>

namespace heddle::graph::ooc {

namespace {

/// How many different pages are met by so many accesses to any of `pages`.
double pagesMet(double pages, double accesses) {
  return pages * (1 - std::pow(1 - 1 / pages, accesses));
}

} // namespace

IoModel::IoModel(const GraphLayout &layout, const SourceIndex &index,
                 WeightKind weights, bool isResumed)
    : layout(layout), blocks(index.ofChunks), weights(weights),
      edgeBytes(layout.targetBytes() + bytesOf(weights)), isResumed(isResumed),
      kept(layout.chunks.size()) {
  readSourceBlocks();
}

/// The start of a run.
void IoModel::readSourceBlocks() {
  for (std::size_t batch = 0; batch < layout.batches(); ++batch)
    for (std::size_t part = 0; part < layout.partitions(); ++part) {
      const Chunk &chunk = layout.chunk(part, batch);
      if (chunk.edges == 0)
        continue;
      const std::uint64_t begin = layout.places(part, chunk).blocks;
      const std::uint64_t end =
          begin + (layout.sourceBlocks(part) + 1) * sizeof(SourceBlock);
      readBytes += static_cast<double>(roundUpToBlock(end) -
                                       begin / BlockBytes * BlockBytes);
    }
}

/// Engines go through the batches in the opposite order in every other phase.
template <typename Visit> void IoModel::forEachBatch(Visit visit) {
  isBackward = !isBackward;
  const std::size_t count = layout.batches();
  for (std::size_t i = 0; i < count; ++i)
    visit(isBackward ? count - 1 - i : i);
}

//===----------------------------------------------------------------------===//
// Vertex data: those used last are in memory.
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

std::uint64_t IoModel::windowBytes(const ArrayStorage &array,
                                   std::size_t batch) const {
  return roundUpToBlock((layout.batchSize(batch) * array.elementBits() + 7) /
                        8);
}

void IoModel::touch(std::span<const ArrayUse> uses, std::size_t batch) {
  for (const ArrayUse &use : uses) {
    Window &used = window(*use.array, batch);
    if (used.isInMemory) {
      inMemory.splice(inMemory.end(), inMemory, used.place);
    } else {
      const std::uint64_t bytes = windowBytes(*use.array, batch);
      makeRoom(bytes);
      windowsInMemory += bytes;
      if (used.hasCopy)
        readBytes += static_cast<double>(bytes);
      used.isInMemory = true;
      used.place = inMemory.emplace(inMemory.end(), use.array, batch);
    }
    used.mayDiffer |= use.mayWrite;
  }
}

void IoModel::makeRoom(std::uint64_t bytes) {
  while (!inMemory.empty() && windowsInMemory + bytes > memory.windows) {
    const auto [array, batch] = inMemory.front();
    save(*array, batch);
    window(*array, batch).isInMemory = false;
    windowsInMemory -= windowBytes(*array, batch);
    inMemory.pop_front();
  }
}

void IoModel::save(const ArrayStorage &array, std::size_t batch) {
  Window &saved = window(array, batch);
  if (!saved.mayDiffer)
    return;
  writtenBytes += static_cast<double>(windowBytes(array, batch));
  saved.hasCopy = true;
  saved.mayDiffer = false;
}

void IoModel::checkpoint() {
  isBackward = !isBackward;
  for (const auto &[array, batch] : inMemory)
    save(*array, batch);
}

//===----------------------------------------------------------------------===//
// The phases.
//===----------------------------------------------------------------------===//

void IoModel::beginCall(const MemoryDivision &division) {
  memory = division;
  makeRoom(0);
  // What is kept beyond the limit goes, from the end.
  const auto limit = static_cast<double>(memory.edges);
  for (std::size_t chunk = kept.size(); chunk-- > 0 && keptBytes > limit;) {
    auto &[edges, beside] = kept[chunk];
    const double excess = std::min(edges, keptBytes - limit);
    edges -= excess;
    keptBytes -= excess;
    if (edges == 0)
      keptBytes -= std::exchange(beside, 0);
  }
}

void IoModel::vertices(std::span<const ArrayUse> uses, const Batches &visited) {
  forEachBatch([&](std::size_t batch) {
    if (visited[batch])
      touch(uses, batch);
  });
}

void IoModel::values(std::span<const ArrayUse> uses) {
  for (std::size_t batch = 0; batch < layout.batches(); ++batch)
    touch(uses, batch);
}

void IoModel::generate(std::span<const ArrayUse> uses, const Batches &visited,
                       const MessageCounts &counts, std::size_t messageBytes) {
  messageCounts = counts;
  messagesOnDisk.clear();
  for (const std::vector<std::uint32_t> &ofPartition : counts)
    messagesOnDisk.emplace_back(ofPartition.size());
  std::uint64_t used = 0;
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
      if (count == 0)
        continue;
      // All vertices need not say who they are.
      const bool isFromAll =
          count == std::min(SourceBlockVertices, end - first);
      const std::uint64_t bytes =
          count * (messageBytes + (isFromAll ? 0 : sizeof(std::uint16_t)));
      used += bytes;
      if (used <= memory.messages)
        continue;
      messagesOnDisk[part][block] = roundUpToBlock(bytes);
      writtenBytes += static_cast<double>(roundUpToBlock(bytes));
    }
    touch(uses, batch);
  });
}

void IoModel::process(std::span<const ArrayUse> uses) {
  forEachBatch([&](std::size_t batch) {
    bool any = false;
    for (std::size_t part = 0; part < layout.partitions(); ++part)
      any |= readChunk(part, batch);
    if (any)
      touch(uses, batch);
  });
}

/// The edges of blocks that have messages, and these messages. Returns whether
/// there are any.
bool IoModel::readChunk(std::size_t partition, std::size_t batch) {
  const std::size_t chunk = batch * layout.partitions() + partition;
  const std::vector<SourceBlock> &starts = blocks[chunk];
  double hits = kept[chunk].edges;
  std::size_t first = 0, end = 0; // of what is read together
  bool any = false;
  const auto readIt = [&] {
    if (first == end)
      return;
    const double edges = starts[end].edge - starts[first].edge;
    const double sources = starts[end].source - starts[first].source;
    // What is needed now is among what has been kept, as far as that goes.
    const double needed = bytesOfEdges(edges, sources, edgeBytes);
    const double hit = std::min(hits, needed);
    hits -= hit;
    const double missing = 1 - hit / needed;
    readEdges(edges * missing, sources * missing, kept[chunk]);
  };
  for (std::size_t block = 0; block + 1 < starts.size(); ++block) {
    if (messageCounts[partition][block] == 0 ||
        starts[block].edge == starts[block + 1].edge)
      continue;
    if (isSought(partition, batch, block)) {
      seek(partition, batch, block);
      any = true;
      continue;
    }
    readBytes += static_cast<double>(messagesOnDisk[partition][block]);
    if (first == end ||
        starts[block].edge - starts[end].edge > ChunkScan::GapEdges) {
      readIt();
      first = block;
    }
    end = block + 1;
  }
  readIt();
  return any || first != end;
}

/// As ChunkScan decides, but that nobody knows which blocks are in memory: all
/// of a chunk, or as little of each.
bool IoModel::isSought(std::size_t partition, std::size_t batch,
                       std::size_t block) const {
  const std::size_t chunk = batch * layout.partitions() + partition;
  const std::vector<SourceBlock> &starts = blocks[chunk];
  if (!layout.chunk(partition, batch).hasRows ||
      messagesOnDisk[partition][block] > 0)
    return false;
  const bool hasRoom = keptBytes + CheckedFile::SegmentBytes <=
                       static_cast<double>(memory.edges);
  if (hasRoom && missingOf(chunk) > 0)
    return false;
  const double bytes =
      bytesOfEdges(starts[block + 1].edge - starts[block].edge,
                   starts[block + 1].source - starts[block].source, edgeBytes);
  return SeekCost::isLess(messageCounts[partition][block],
                          hasRoom ? SeekCost::InMemory : seekBytes,
                          static_cast<std::uint64_t>(bytes));
}

/// How much of a chunk is not in memory, of 1.
double IoModel::missingOf(std::size_t chunk) const {
  const SourceBlock &all = blocks[chunk].back();
  const double bytes = bytesOfEdges(all.edge, all.source, edgeBytes);
  return std::max(1 - kept[chunk].edges / bytes, 0.0);
}

/// Reads a row for each message and, where there are any, the edges.
void IoModel::seek(std::size_t partition, std::size_t batch,
                   std::size_t block) {
  const std::size_t chunk = batch * layout.partitions() + partition;
  const double missing = missingOf(chunk);
  constexpr double RowBytes = SourceBlockVertices * sizeof(std::uint32_t);
  if (missing == 0) {
    // Rows are kept then, too.
    if (keptRows.insert({chunk, block}).second) {
      readBytes += RowBytes;
      keptBytes += RowBytes;
    }
    return;
  }
  const std::vector<SourceBlock> &starts = blocks[chunk];
  const double messages = messageCounts[partition][block];
  const double edges = starts[block + 1].edge - starts[block].edge;
  const double sources = starts[block + 1].source - starts[block].source;
  const double haveEdges = messages * sources / SourceBlockVertices;
  double sought = pagesMet(RowBytes / BlockBytes, messages);
  double all = RowBytes / BlockBytes;
  for (const std::uint64_t elementBytes :
       {layout.targetBytes(), bytesOf(weights)}) {
    if (elementBytes == 0)
      continue;
    const double pages =
        std::max(edges * static_cast<double>(elementBytes) / BlockBytes, 1.0);
    sought += missing * pagesMet(pages, haveEdges * (1 + pages / sources));
    all += missing * pages;
  }
  readBytes += BlockBytes * pagesToRead({chunk, block}, sought, all);
}

/// How many of the pages of a block that are sought are not in the cache of far
/// memory. They are afterwards; what goes is part of all that is there.
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

/// Reads what is not in memory, and keeps what there is room for.
void IoModel::readEdges(double edges, double sources,
                        KeptOfChunk &keptOfChunk) {
  const double bytes = bytesOfEdges(edges, sources, edgeBytes);
  if (bytes == 0)
    return;
  const double room =
      std::max(static_cast<double>(memory.edges) - keptBytes, 0.0);
  const double keeping = std::min(bytes, room);
  if (keeping > 0) {
    double beside = 0;
    if (keptOfChunk.beside == 0) {
      // Half a segment at each end, and at those of weights that nobody wants.
      const double ends = layout.weightKind == weights ? 2 : 4;
      beside = std::min(ends / 2 * CheckedFile::SegmentBytes, room - keeping);
    }
    readBytes += keeping + beside;
    keptOfChunk.edges += keeping;
    keptOfChunk.beside += beside;
    keptBytes += keeping + beside;
  }
  // What is not kept comes in whole blocks, of each array of each piece.
  const double pieces = std::max(std::ceil(edges / ChunkScan::PieceEdges),
                                 std::ceil(sources / ChunkScan::PieceSources));
  const double arrays = weights == WeightKind::None ? 3 : 4;
  const double passing = bytes - keeping;
  readBytes += passing + passing / bytes * pieces * arrays * BlockBytes;
}

} // namespace heddle::graph::ooc
