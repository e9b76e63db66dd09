//===- ChunkScan.cpp - Reads the edges that messages need ----------------===//

#include "heddle/graph/detail/ooc/messages/ChunkScan.h"

#include "ChunkPieces.h"
#include "heddle/graph/Error.h"
#include "heddle/graph/detail/ooc/memory/ProgramMemory.h"

#include <algorithm>
#include <cstring>

namespace heddle::graph::ooc {

namespace {

// The share of the budget, without ProgramBytes, that pieces may take. If four
// pieces for each thread need more, there are two, and edges can be kept in the
// rest.
constexpr std::uint64_t BuffersShare = 8;
constexpr std::size_t FewPieces = 2;
// Stands for the sources of gaps between the edges that are sought.
constexpr std::uint16_t NoSource = SourceBlockVertices;
// For each row that is copied: its source, and the gaps around its edges.
constexpr std::size_t MostCopiedSources = 3 * SoughtEdges::MostRows;

/// Whether all of `count` targets are less than `limit`.
bool areBelow(const std::byte *targets, std::size_t count, std::size_t bytes,
              std::uint64_t limit) {
  if (limit >> (8 * bytes) > 0)
    return true;
  const auto highestOf = [&]<typename Target>(Target highest) {
    for (std::size_t i = 0; i < count; ++i) {
      Target target;
      std::memcpy(&target, targets + i * sizeof(target), sizeof(target));
      highest = std::max(highest, target);
    }
    return highest;
  };
  if (count == 0)
    return true;
  switch (bytes) {
  case 1:
    return highestOf(std::uint8_t()) < limit;
  case 2:
    return highestOf(std::uint16_t()) < limit;
  case 4:
    return highestOf(std::uint32_t()) < limit;
  }
  std::uint32_t highest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    std::uint32_t target = 0;
    std::memcpy(&target, targets + i * 3, 3);
    highest = std::max(highest, target);
  }
  return highest < limit;
}

} // namespace

PieceBuffers PieceBuffers::within(std::uint64_t budgetBytes,
                                  std::size_t threads,
                                  std::uint64_t targetBytes,
                                  WeightKind weights) {
  PieceBuffers buffers = {targetBytes, bytesOf(weights)};
  const std::uint64_t forGraph =
      budgetBytes - std::min(budgetBytes, ProgramBytes);
  if (threads * buffers.bytes() > forGraph / BuffersShare)
    buffers.count = FewPieces;
  return buffers;
}

std::size_t PieceBuffers::pieceBytes() const {
  return ChunkScan::PieceEdges * (targetBytes + weightBytes) +
         ChunkScan::PieceSources *
             (sizeof(std::uint16_t) + sizeof(std::uint32_t)) +
         sizeof(std::uint32_t);
}

std::size_t PieceBuffers::bytes() const {
  return count * (pieceBytes() + 8 * BlockBytes);
}

std::size_t ChunkScan::bytes(const PieceBuffers &buffers) {
  return buffers.bytes() +
         SoughtEdges::bytes(buffers.targetBytes, buffers.weightBytes) +
         (SourceBlockVertices + MostCopiedSources) *
             (sizeof(std::uint16_t) + sizeof(std::uint32_t));
}

ChunkScan::ChunkScan(const GraphLayout &layout, const Share &share,
                     const PieceBuffers &buffers,
                     std::deque<CheckedFile> &files,
                     std::deque<FarFile> &farFiles, const SourceIndex &index,
                     const SeekCost &seekCost, IoQueue &queue,
                     KeptBytes &keptBytes)
    : layout(layout), firstPartition(share.firstPartition),
      bytesOfWeight(buffers.weightBytes), files(files), farFiles(farFiles),
      index(index), seekCost(seekCost), keptBytes(keptBytes),
      reader(queue, keptBytes, buffers.count, buffers.pieceBytes()),
      soughtEdges(layout.targetBytes(), bytesOfWeight) {
  copiedSources.reserve(MostCopiedSources);
  copiedBegins.reserve(MostCopiedSources);
}

bool ChunkScan::begin(std::size_t batch,
                      std::span<const std::size_t> partitions,
                      const BatchMessages &messages) {
  return begin({batch, false}, partitions, {}, messages);
}

bool ChunkScan::beginDispatching(std::size_t group, std::size_t partition,
                                 std::size_t block,
                                 const BatchMessages &messages) {
  return begin({group, true}, std::span(&partition, 1), block, messages);
}

/// Begins to read the edges from all blocks of these partitions, or from one.
bool ChunkScan::begin(const Column &newColumn,
                      std::span<const std::size_t> partitions,
                      std::optional<std::size_t> block,
                      const BatchMessages &messages) {
  reader.drop();
  column = newColumn;
  pieces.clear();
  soughtBlocks.clear();
  sought.clear();
  current = requested = copied = 0;
  const auto forEachPart = [&](auto work) {
    for (const std::size_t partition : partitions)
      work(partition, block.value_or(0),
           block ? *block + 1 : messages.hasAny[partition].size());
  };
  forEachPart([&](std::size_t partition, std::size_t first, std::size_t end) {
    chooseSought(partition, messages, first, end);
  });
  keepRows();
  findRows(messages);
  auto soughtBlock = soughtBlocks.cbegin();
  std::size_t vertex = 0;
  forEachPart([&](std::size_t partition, std::size_t first, std::size_t end) {
    plan(partition, messages, first, end, soughtBlock, vertex);
  });
  readAhead();
  return !pieces.empty();
}

/// Whether a block of vertices has messages, and edges to the current column.
bool ChunkScan::isUsed(std::size_t partition, std::size_t block,
                       const BatchMessages &messages) const {
  const std::vector<SourceBlock> &starts = startsOf(partition);
  return messages.hasAny[partition][block] &&
         starts[block].edge != starts[block + 1].edge;
}

void ChunkScan::chooseSought(std::size_t partition,
                             const BatchMessages &messages,
                             std::size_t firstBlock, std::size_t endBlock) {
  for (std::size_t block = firstBlock; block < endBlock; ++block)
    if (isUsed(partition, block, messages) &&
        isSought(partition, block, messages.blocks[partition][block]))
      soughtBlocks.emplace_back(partition, block);
}

/// Adds the pieces of a partition in the order of blocks, whether sought or
/// not, so that results do not depend on the cost of a seek.
void ChunkScan::plan(std::size_t partition, const BatchMessages &messages,
                     std::size_t firstBlock, std::size_t endBlock,
                     SoughtBlocks::const_iterator &nextSought,
                     std::size_t &vertex) {
  const std::vector<SourceBlock> &starts = startsOf(partition);
  PieceCutter cutter(partition, starts, pieces);
  for (std::size_t block = firstBlock; block < endBlock; ++block) {
    if (!isUsed(partition, block, messages))
      continue;
    if (nextSought == soughtBlocks.cend() ||
        *nextSought != std::pair(partition, block)) {
      cutter.add(block);
      continue;
    }
    cutter.cut();
    const std::size_t count = messages.blocks[partition][block].count;
    addSought(partition, block, vertex, vertex + count);
    vertex += count;
    ++nextSought;
  }
  cutter.cut();
  HEDDLE_ASSERT(vertex <= sought.size());
}

BlockRanges ChunkScan::rangesOf(std::size_t partition,
                                std::size_t block) const {
  return rangesOfBlock(layout, partition, block, startsOf(partition),
                       placesOf(partition), targetBytes(), weightBytes());
}

bool ChunkScan::isSought(std::size_t partition, std::size_t block,
                         const MessageBlock &messages) const {
  return chunkOf(partition).hasRows && !messages.isFromAll &&
         !messages.isOnDisk() &&
         isSeekingLess(
             rangesOf(partition, block), messages.count, seekCost.onDisk,
             keptBytes.hasRoom(),
             [&](const FileRange &range) { return file().isKept(range); });
}

/// Reads the rows of all blocks that contain sought edges, as long as there is
/// room to keep them in memory.
void ChunkScan::keepRows() {
  const auto finish = [&] {
    reader.finish();
    reader.release();
  };
  for (const auto &[partition, block] : soughtBlocks) {
    const FileRange rows = rangesOf(partition, block).rows;
    if (!keptBytes.hasRoom() || file().isKept(rows))
      continue;
    if (reader.isFull())
      finish();
    reader.begin(file(), {rows});
  }
  while (!reader.isEmpty())
    finish();
}

/// Finds the beginning and the end of the edges of each vertex that has sent a
/// message, in blocks that contain sought edges.
void ChunkScan::findRows(const BatchMessages &messages) {
  std::size_t count = 0;
  for (const auto &[partition, block] : soughtBlocks)
    count += messages.blocks[partition][block].count;
  if (count == 0)
    return;
  HEDDLE_ASSERT(sought.empty() && "addRow() keeps addresses of vertices");
  sought.reserve(count);
  soughtEdges.setFile(file(), farFile(), targetBytes(), weightBytes());
  for (const auto &[partition, block] : soughtBlocks) {
    const std::uint64_t rows = rangesOf(partition, block).rows.offset;
    const MessageBlock &sent = messages.blocks[partition][block];
    const std::uint16_t *sources =
        sent.sources(sent.memory, messages.messageBytes);
    for (std::size_t i = 0; i < sent.count; ++i)
      soughtEdges.addRow(rows + sources[i] * sizeof(std::uint32_t),
                         sought.emplace_back(sources[i]));
  }
  soughtEdges.findRows();
}

/// Adds the pieces for sought vertices of a block.
void ChunkScan::addSought(std::size_t partition, std::size_t block,
                          std::size_t begin, std::size_t end) {
  const std::vector<SourceBlock> &starts = startsOf(partition);
  ChunkPiece piece = {
      .partition = partition, .block = block, .blockEnd = block + 1};
  const auto add = [&] {
    pieces.push_back(piece);
    piece.continuesBlock = true;
  };
  // edgeBegin and edgeEnd are indices, and are set in copyRows().
  const auto endRows = [&](std::size_t vertex) {
    piece.kind = ChunkPiece::Kind::Rows;
    piece.soughtEnd = vertex;
    if (piece.edgeEnd > 0)
      add();
    piece.edgeBegin = piece.edgeEnd = 0;
    piece.soughtBegin = vertex;
  };
  piece.soughtBegin = begin;
  for (std::size_t vertex = begin; vertex < end; ++vertex) {
    const SoughtVertex &row = sought[vertex];
    if (row.begin > row.end || row.begin < starts[block].edge ||
        row.end > starts[block + 1].edge)
      failAsDamaged("rows of the edges of their block");
    if (row.end - row.begin <= SeekEdges) {
      const std::uint32_t places =
          row.begin == row.end ? 0 : SoughtEdges::placesOf(row);
      if (piece.edgeEnd + places > SoughtEdges::MostEdges)
        endRows(vertex);
      piece.edgeEnd += places;
      continue;
    }
    endRows(vertex);
    piece.kind = ChunkPiece::Kind::Row;
    piece.soughtEnd = vertex + 1;
    addEdges(piece, row.begin, row.end);
    piece.edgeBegin = piece.edgeEnd = 0;
    piece.soughtBegin = vertex + 1;
  }
  endRows(end);
}

/// Adds pieces like `piece` for contiguous edges.
void ChunkScan::addEdges(ChunkPiece &piece, std::uint32_t begin,
                         std::uint32_t end) {
  for (piece.edgeBegin = begin; piece.edgeBegin < end;
       piece.edgeBegin = piece.edgeEnd) {
    piece.edgeEnd =
        piece.edgeBegin + std::min(PieceEdges, end - piece.edgeBegin);
    pieces.push_back(piece);
    piece.continuesBlock = true;
  }
}

void ChunkScan::readAhead() {
  for (; requested < pieces.size(); ++requested) {
    const ChunkPiece &piece = pieces[requested];
    if (piece.kind == ChunkPiece::Kind::Rows)
      continue;
    if (reader.isFull())
      return;
    reader.begin(file(), rangesOfPiece(piece, placesOf(piece.partition),
                                       targetBytes(), weightBytes()));
  }
}

/// Copies the rows of the current piece and as many more as fit: seeking more
/// at a time is faster.
void ChunkScan::copyRows() {
  soughtEdges.clear();
  copiedSources.clear();
  copiedBegins.clear();
  std::uint32_t places = 0;
  for (copied = current; copied < pieces.size(); ++copied) {
    ChunkPiece &piece = pieces[copied];
    if (piece.kind != ChunkPiece::Kind::Rows)
      continue;
    if (places + piece.edgeEnd > SoughtEdges::MostEdges)
      break;
    piece.edgeBegin = places;
    places = piece.edgeEnd += places;
    addCopied(piece);
  }
  HEDDLE_ASSERT(copied > current && places <= SoughtEdges::MostEdges);
  soughtEdges.copyEdges();
}

/// Fills in where the sources and edges of a piece will be.
void ChunkScan::addCopied(ChunkPiece &piece) {
  const ChunkPlaces places = placesOf(piece.partition);
  const auto add = [&](std::uint16_t source, std::uint32_t begin) {
    copiedSources.push_back(source);
    copiedBegins.push_back(begin);
  };
  piece.sourceBegin = static_cast<std::uint32_t>(copiedSources.size());
  std::uint32_t end = piece.edgeBegin; // of the edges so far
  for (std::size_t i = piece.soughtBegin; i < piece.soughtEnd; ++i) {
    const SoughtVertex &row = sought[i];
    if (row.begin == row.end)
      continue;
    const std::uint32_t begin = soughtEdges.addEdges(places, row);
    HEDDLE_ASSERT(begin >= end && "pieces are copied in order");
    if (begin != end)
      add(NoSource, end);
    add(row.source, begin);
    end = begin + (row.end - row.begin);
  }
  piece.sourceEnd = static_cast<std::uint32_t>(copiedSources.size());
  add(NoSource, end);
}

/// Throws Error if a piece has sources or targets that are no vertices, which
/// would lead to memory that is none of theirs.
void ChunkScan::check(const ChunkPiece &piece) const {
  const std::uint64_t most = column.isOfGroup
                                 ? layout.groups[column.number].batches()
                                 : layout.batchSize(column.number);
  if (!areBelow(piece.targets, piece.edgeEnd - piece.edgeBegin, targetBytes(),
                most))
    failAsDamaged("targets below " + std::to_string(most));
  if (piece.isSought() || piece.continuesBlock)
    return;
  const std::vector<SourceBlock> &starts = startsOf(piece.partition);
  for (std::size_t block = piece.block; block < piece.blockEnd; ++block)
    if (!areSources({piece.sources + (starts[block].source - piece.sourceBegin),
                     starts[block + 1].source - starts[block].source},
                    verticesOfBlock(layout, piece.partition, block)))
      failAsDamaged("sources in ascending order");
}

void ChunkScan::failAsDamaged(const std::string &expected) const {
  throw Error(file().file().path() + ": expected " + expected + " in " +
              (column.isOfGroup ? "the dispatching graphs of group "
                                : "the chunks of batch ") +
              std::to_string(column.number) +
              ", found others: the file is damaged");
}

const ChunkPiece *ChunkScan::next() {
  if (current > 0 && pieces[current - 1].kind != ChunkPiece::Kind::Rows)
    reader.release();
  readAhead();
  HEDDLE_ASSERT(current <= pieces.size() && requested >= current);
  if (current == pieces.size()) {
    current = 0;
    pieces.clear();
    return nullptr;
  }
  if (pieces[current].kind == ChunkPiece::Kind::Rows && current >= copied)
    copyRows();
  ChunkPiece &piece = pieces[current++];
  if (piece.kind == ChunkPiece::Kind::Rows) {
    piece.targets = soughtEdges.targets(piece.edgeBegin);
    piece.weights = soughtEdges.weights(piece.edgeBegin);
    piece.sources = copiedSources.data() + piece.sourceBegin;
    piece.begins = copiedBegins.data() + piece.sourceBegin;
    check(piece);
    return &piece;
  }
  const RangeReader::Memory memory = reader.finish();
  piece.targets = memory[0];
  piece.weights = memory[1];
  if (piece.kind == ChunkPiece::Kind::Row) {
    const SoughtVertex &row = sought[piece.soughtBegin];
    blockSources.assign({row.source});
    blockBegins.assign({row.begin, row.end});
    piece.sourceEnd = piece.sourceBegin + 1;
  } else if (!piece.continuesBlock) {
    piece.sources = reinterpret_cast<const std::uint16_t *>(memory[2]);
    piece.begins = reinterpret_cast<const std::uint32_t *>(memory[3]);
    check(piece);
    if (current < pieces.size() && pieces[current].continuesBlock)
      keepIndex(piece);
    return &piece;
  }
  piece.sources = blockSources.data();
  piece.begins = blockBegins.data();
  check(piece);
  return &piece;
}

/// Keeps the sources of a block for the pieces with more of its edges.
void ChunkScan::keepIndex(const ChunkPiece &piece) {
  const std::size_t sources = piece.sourceEnd - piece.sourceBegin;
  blockSources.assign(piece.sources, piece.sources + sources);
  blockBegins.assign(piece.begins, piece.begins + sources + 1);
}

} // namespace heddle::graph::ooc
