//===- ChunkScan.cpp - The edges that messages go along ------------------===//

#include "heddle/graph/ooc/ChunkScan.h"

#include <algorithm>

namespace heddle::graph::ooc {

namespace {

constexpr std::size_t PiecesAhead = 4;

std::size_t pieceBytes(WeightKind weights) {
  return ChunkScan::PieceEdges * (sizeof(std::uint32_t) + bytesOf(weights)) +
         ChunkScan::PieceSources *
             (sizeof(std::uint16_t) + sizeof(std::uint32_t)) +
         sizeof(std::uint32_t);
}

} // namespace

std::size_t ChunkScan::bytes(WeightKind weights) {
  return PiecesAhead * (pieceBytes(weights) + 8 * BlockBytes) +
         SourceBlockVertices * (sizeof(std::uint16_t) + sizeof(std::uint32_t));
}

ChunkScan::ChunkScan(const GraphLayout &layout, const Share &share,
                     WeightKind weights, std::deque<CheckedFile> &files,
                     const std::vector<std::vector<SourceBlock>> &blocks,
                     IoQueue &queue, KeptBytes &keptBytes)
    : layout(layout), firstPartition(share.firstPartition),
      weightBytes(bytesOf(weights)), files(files), blocks(blocks),
      reader(queue, keptBytes, PiecesAhead, pieceBytes(weights)) {}

bool ChunkScan::begin(std::size_t newBatch,
                      std::span<const std::size_t> partitions,
                      std::span<const std::vector<std::uint8_t>> hasMessages) {
  reader.drop();
  batch = newBatch;
  pieces.clear();
  current = requested = 0;
  for (const std::size_t partition : partitions)
    plan(partition, hasMessages[partition]);
  readAhead();
  return !pieces.empty();
}

void ChunkScan::plan(std::size_t partition,
                     const std::vector<std::uint8_t> &messages) {
  const std::vector<SourceBlock> &starts =
      blocks[batch * layout.partitions() + partition];
  const auto edgesOf = [&](std::size_t first, std::size_t end) {
    return starts[end].edge - starts[first].edge;
  };
  std::size_t first = 0, end = 0; // of what is read together
  for (std::size_t block = 0; block < messages.size(); ++block) {
    if (!messages[block] || edgesOf(block, block + 1) == 0)
      continue;
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

/// Adds pieces for blocks that are read together.
void ChunkScan::addBlocks(std::size_t partition, std::size_t first,
                          std::size_t end) {
  if (first == end)
    return;
  const std::vector<SourceBlock> &starts =
      blocks[batch * layout.partitions() + partition];
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
  for (; requested < pieces.size() && !reader.isFull(); ++requested) {
    const ChunkPiece &piece = pieces[requested];
    const Chunk &chunk = layout.chunk(piece.partition, batch);
    const ChunkPlaces places = layout.places(piece.partition, chunk);
    const std::uint64_t edges = piece.edgeEnd - piece.edgeBegin;
    const std::uint64_t sources = piece.sourceEnd - piece.sourceBegin;
    const bool hasIndex = !piece.continuesBlock;
    reader.begin(
        files[layout.partitionOf[batch] - firstPartition],
        {FileRange{places.targets + piece.edgeBegin * sizeof(std::uint32_t),
                   edges * sizeof(std::uint32_t)},
         FileRange{places.weights + piece.edgeBegin * weightBytes,
                   edges * weightBytes},
         FileRange{places.sources + piece.sourceBegin * sizeof(std::uint16_t),
                   hasIndex ? sources * sizeof(std::uint16_t) : 0},
         FileRange{places.begins + piece.sourceBegin * sizeof(std::uint32_t),
                   hasIndex ? (sources + 1) * sizeof(std::uint32_t) : 0}});
  }
}

const ChunkPiece *ChunkScan::next() {
  if (current > 0)
    reader.release();
  readAhead();
  if (current == pieces.size()) {
    current = 0;
    pieces.clear();
    return nullptr;
  }
  ChunkPiece &piece = pieces[current++];
  const RangeReader::Memory memory = reader.finish();
  piece.targets = reinterpret_cast<const std::uint32_t *>(memory[0]);
  piece.weights = memory[1];
  if (!piece.continuesBlock) {
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
