//===- ChunkScan.cpp - The edges that messages go along ------------------===//

#include "heddle/graph/ooc/ChunkScan.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <random>

namespace heddle::graph::ooc {

namespace {

constexpr std::size_t PiecesAhead = 4;
constexpr std::size_t SeeksAhead = 32;
// What is sought is read together where no more edges lie between.
constexpr std::uint32_t SeekGapEdges = 1024;
// In the place of sources whose edges lie between those that are sought.
constexpr std::uint16_t NoSource = SourceBlockVertices;

std::size_t pieceBytes(WeightKind weights) {
  return ChunkScan::PieceEdges * (sizeof(std::uint32_t) + bytesOf(weights)) +
         ChunkScan::PieceSources *
             (sizeof(std::uint16_t) + sizeof(std::uint32_t)) +
         sizeof(std::uint32_t);
}

std::size_t seekBytes(WeightKind weights) {
  return ChunkScan::SeekEdges * (sizeof(std::uint32_t) + bytesOf(weights));
}

} // namespace

SeekCost SeekCost::measure(const BlockFile &file) {
  constexpr std::size_t Seeks = 64, Pieces = 8, PieceBytes = 1 << 20;
  const std::uint64_t blocks = file.size() / BlockBytes;
  // What is there of smaller files is soon in memory.
  if (blocks < 64 * Pieces * PieceBytes / BlockBytes)
    return {};
  using Clock = std::chrono::steady_clock;
  IoQueue queue;
  BlockBuffer buffer(Pieces * PieceBytes);
  const auto timeOf = [&](std::size_t count, std::size_t bytes, auto offsetOf) {
    std::vector<IoQueue::Request> requests(count);
    const Clock::time_point start = Clock::now();
    for (std::size_t i = 0; i < count; ++i)
      queue.read(file, offsetOf(i), buffer.data() + i * bytes, bytes,
                 requests[i]);
    for (IoQueue::Request &request : requests)
      queue.wait(request);
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  std::minstd_rand random;
  const double seeking = timeOf(Seeks, BlockBytes, [&](std::size_t) {
    return random() % blocks * BlockBytes;
  });
  const std::uint64_t middle = blocks / 2 * BlockBytes;
  const double reading = timeOf(Pieces, PieceBytes, [&](std::size_t i) {
    return middle + i * PieceBytes;
  });
  const double bytes = seeking / Seeks / reading * Pieces * PieceBytes;
  return {static_cast<std::uint64_t>(
      std::clamp<double>(bytes, BlockBytes, PieceBytes))};
}

std::size_t ChunkScan::bytes(WeightKind weights) {
  return PiecesAhead * (pieceBytes(weights) + 8 * BlockBytes) +
         SeeksAhead * (seekBytes(weights) + 8 * BlockBytes) +
         SourceBlockVertices * (sizeof(std::uint16_t) + sizeof(std::uint32_t));
}

ChunkScan::ChunkScan(const GraphLayout &layout, const Share &share,
                     WeightKind weights, std::deque<CheckedFile> &files,
                     const SourceIndex &index, const SeekCost &seekCost,
                     IoQueue &queue, KeptBytes &keptBytes)
    : layout(layout), firstPartition(share.firstPartition),
      bytesOfWeight(bytesOf(weights)), files(files), index(index),
      seekCost(seekCost), keptBytes(keptBytes),
      reader(queue, keptBytes, PiecesAhead, pieceBytes(weights)),
      seekReader(queue, keptBytes, SeeksAhead, seekBytes(weights)) {}

bool ChunkScan::begin(std::size_t batch,
                      std::span<const std::size_t> partitions,
                      const BatchMessages &messages) {
  start({batch, false});
  for (const std::size_t partition : partitions)
    plan(partition, messages, 0, messages.hasAny[partition].size());
  readAhead();
  return !pieces.empty();
}

bool ChunkScan::beginDispatching(std::size_t group, std::size_t partition,
                                 std::size_t block,
                                 const BatchMessages &messages) {
  start({group, true});
  plan(partition, messages, block, block + 1);
  readAhead();
  return !pieces.empty();
}

void ChunkScan::start(const Column &newColumn) {
  reader.drop();
  seekReader.drop();
  column = newColumn;
  pieces.clear();
  soughtSources.clear();
  soughtBegins.clear();
  current = requested = 0;
}

void ChunkScan::plan(std::size_t partition, const BatchMessages &messages,
                     std::size_t firstBlock, std::size_t endBlock) {
  const std::vector<SourceBlock> &starts = startsOf(partition);
  const std::span<const std::uint8_t> hasAny = messages.hasAny[partition];
  const auto edgesOf = [&](std::size_t first, std::size_t end) {
    return starts[end].edge - starts[first].edge;
  };
  const auto isUsed = [&](std::size_t block) {
    return hasAny[block] && edgesOf(block, block + 1) > 0;
  };
  std::vector<std::size_t> soughtBlocks;
  for (std::size_t block = firstBlock; block < endBlock; ++block)
    if (isUsed(block) &&
        isSought(partition, block, messages.blocks[partition][block]))
      soughtBlocks.push_back(block);
  const std::vector<Sought> sought =
      findRows(partition, soughtBlocks, messages);

  // All in the order of blocks, whether sought or not: results do not depend on
  // what a seek costs.
  std::size_t first = 0, end = 0; // of what is read together
  auto nextSought = soughtBlocks.begin();
  auto soughtOfBlock = sought.begin();
  for (std::size_t block = firstBlock; block < endBlock; ++block) {
    if (!isUsed(block))
      continue;
    if (nextSought != soughtBlocks.end() && block == *nextSought) {
      addBlocks(partition, first, end);
      first = end = 0;
      const auto count = messages.blocks[partition][block].count;
      addSought(partition, block, {soughtOfBlock, soughtOfBlock + count});
      soughtOfBlock += count;
      ++nextSought;
      continue;
    }
    const bool isFull =
        edgesOf(first, block + 1) > PieceEdges ||
        starts[block + 1].source - starts[first].source > PieceSources;
    if (first == end || isFull || edgesOf(end, block) > GapEdges) {
      addBlocks(partition, first, end);
      first = block;
    }
    end = block + 1;
  }
  addBlocks(partition, first, end);
}

/// Whether only the edges of those that have sent messages are read of a block.
/// As long as there is room to keep all of it, that is better.
bool ChunkScan::isSought(std::size_t partition, std::size_t block,
                         const MessageBlock &messages) const {
  if (!chunkOf(partition).hasRows || messages.isFromAll || messages.isOnDisk())
    return false;
  const std::vector<SourceBlock> &starts = startsOf(partition);
  const std::uint64_t edges = starts[block + 1].edge - starts[block].edge;
  const std::uint64_t sources = starts[block + 1].source - starts[block].source;
  const std::uint64_t bytes =
      edges * (targetBytes() + weightBytes()) +
      sources * (sizeof(std::uint16_t) + sizeof(std::uint32_t));
  if (!SeekCost::isLess(messages.count, SeekCost::InMemory, bytes))
    return false;
  const ChunkPlaces places = placesOf(partition);
  const FileRange targets = {places.targets +
                                 starts[block].edge * targetBytes(),
                             edges * targetBytes()};
  const FileRange rows = {places.rows + block * SourceBlockVertices *
                                            sizeof(std::uint32_t),
                          SourceBlockVertices * sizeof(std::uint32_t)};
  if (file().isKept(targets) && (file().isKept(rows) || keptBytes.hasRoom()))
    return true;
  return !keptBytes.hasRoom() &&
         SeekCost::isLess(messages.count, seekCost.onDisk, bytes);
}

/// Where the edges of all vertices begin and end that have sent messages from
/// these blocks.
std::vector<ChunkScan::Sought>
ChunkScan::findRows(std::size_t partition,
                    std::span<const std::size_t> soughtBlocks,
                    const BatchMessages &messages) {
  const std::uint64_t rows = placesOf(partition).rows;
  std::vector<Sought> sought;
  std::size_t found = 0;
  const auto findOne = [&] {
    std::uint32_t row[2];
    std::memcpy(row, seekReader.finish()[0], sizeof(row));
    seekReader.release();
    sought[found].begin = row[0];
    sought[found++].end = row[1];
  };
  for (const std::size_t block : soughtBlocks) {
    const MessageBlock &sent = messages.blocks[partition][block];
    const auto *sources = reinterpret_cast<const std::uint16_t *>(
        sent.memory + sent.sourcesOffset(messages.messageBytes));
    for (std::size_t i = 0; i < sent.count; ++i) {
      if (seekReader.isFull())
        findOne();
      const std::uint64_t vertex = block * SourceBlockVertices + sources[i];
      seekReader.begin(file(), {FileRange{rows + vertex * sizeof(std::uint32_t),
                                          2 * sizeof(std::uint32_t)}});
      sought.push_back({sources[i], 0, 0});
    }
  }
  while (!seekReader.isEmpty())
    findOne();
  return sought;
}

/// Adds pieces for vertices of a block whose edges are sought.
void ChunkScan::addSought(std::size_t partition, std::size_t block,
                          std::span<const Sought> sought) {
  ChunkPiece piece = {.partition = partition,
                      .block = block,
                      .blockEnd = block + 1,
                      .isSought = true};
  const auto add = [&](std::uint16_t source, std::uint32_t begin) {
    soughtSources.push_back(source);
    soughtBegins.push_back(begin);
  };
  const auto finish = [&] {
    if (piece.edgeBegin == piece.edgeEnd)
      return;
    piece.sourceEnd = static_cast<std::uint32_t>(soughtSources.size());
    add(NoSource, piece.edgeEnd);
    const std::uint32_t end = piece.edgeEnd;
    while (piece.edgeBegin < end) {
      piece.edgeEnd =
          piece.edgeBegin + std::min(PieceEdges, end - piece.edgeBegin);
      pieces.push_back(piece);
      piece.edgeBegin = piece.edgeEnd;
      piece.continuesBlock = true;
    }
  };
  for (const Sought &vertex : sought) {
    if (vertex.begin == vertex.end)
      continue;
    if (vertex.begin - piece.edgeEnd > SeekGapEdges ||
        piece.edgeBegin == piece.edgeEnd) {
      finish();
      piece.sourceBegin = static_cast<std::uint32_t>(soughtSources.size());
      piece.edgeBegin = vertex.begin;
    } else if (vertex.begin > piece.edgeEnd) {
      add(NoSource, piece.edgeEnd);
    }
    add(vertex.source, vertex.begin);
    piece.edgeEnd = vertex.end;
  }
  finish();
}

/// Adds pieces for blocks that are read together.
void ChunkScan::addBlocks(std::size_t partition, std::size_t first,
                          std::size_t end) {
  if (first == end)
    return;
  const std::vector<SourceBlock> &starts = startsOf(partition);
  ChunkPiece piece = {.partition = partition,
                      .block = first,
                      .blockEnd = end,
                      .sourceBegin = starts[first].source,
                      .sourceEnd = starts[end].source,
                      .edgeBegin = starts[first].edge};
  while (piece.edgeBegin < starts[end].edge) {
    piece.edgeEnd = piece.edgeBegin +
                    std::min(PieceEdges, starts[end].edge - piece.edgeBegin);
    pieces.push_back(piece);
    piece.edgeBegin = piece.edgeEnd;
    piece.continuesBlock = true;
  }
}

void ChunkScan::readAhead() {
  for (; requested < pieces.size(); ++requested) {
    const ChunkPiece &piece = pieces[requested];
    RangeReader &pieceReader = readerOf(piece);
    if (pieceReader.isFull())
      return;
    const ChunkPlaces places = placesOf(piece.partition);
    const std::uint64_t edges = piece.edgeEnd - piece.edgeBegin;
    const std::uint64_t sources = piece.sourceEnd - piece.sourceBegin;
    const bool hasIndex = !piece.continuesBlock && !piece.isSought;
    pieceReader.begin(
        file(),
        {FileRange{places.targets + piece.edgeBegin * targetBytes(),
                   edges * targetBytes()},
         FileRange{places.weights + piece.edgeBegin * weightBytes(),
                   edges * weightBytes()},
         FileRange{places.sources + piece.sourceBegin * sizeof(std::uint16_t),
                   hasIndex ? sources * sizeof(std::uint16_t) : 0},
         FileRange{places.begins + piece.sourceBegin * sizeof(std::uint32_t),
                   hasIndex ? (sources + 1) * sizeof(std::uint32_t) : 0}});
  }
}

const ChunkPiece *ChunkScan::next() {
  if (current > 0)
    readerOf(pieces[current - 1]).release();
  readAhead();
  if (current == pieces.size()) {
    current = 0;
    pieces.clear();
    return nullptr;
  }
  ChunkPiece &piece = pieces[current++];
  const RangeReader::Memory memory = readerOf(piece).finish();
  piece.targets = memory[0];
  piece.weights = memory[1];
  if (piece.isSought) {
    piece.sources = soughtSources.data() + piece.sourceBegin;
    piece.begins = soughtBegins.data() + piece.sourceBegin;
  } else if (!piece.continuesBlock) {
    piece.sources = reinterpret_cast<const std::uint16_t *>(memory[2]);
    piece.begins = reinterpret_cast<const std::uint32_t *>(memory[3]);
    if (current < pieces.size() && pieces[current].continuesBlock)
      keepIndex(piece);
  } else {
    piece.sources = blockSources.data();
    piece.begins = blockBegins.data();
  }
  return &piece;
}

/// For the pieces that have more of the edges.
void ChunkScan::keepIndex(ChunkPiece &piece) {
  const std::size_t sources = piece.sourceEnd - piece.sourceBegin;
  blockSources.assign(piece.sources, piece.sources + sources);
  blockBegins.assign(piece.begins, piece.begins + sources + 1);
}

} // namespace heddle::graph::ooc
