//===- EdgeBuckets.h - Edges distributed on disk ---------------*- C++ -*-===//

#ifndef HEDDLE_GRAPHLIB_OOC_EDGES_EDGEBUCKETS_H
#define HEDDLE_GRAPHLIB_OOC_EDGES_EDGEBUCKETS_H

#include "../disk/Spool.h"
#include "heddle/graph/EdgeList.h"
#include "heddle/graph/detail/Array.h"
#include "heddle/graph/detail/Assert.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <vector>

namespace heddle::graph::ooc {

/// Sequences of edges in one temporary file. They grow in pieces, the last of
/// which is in memory. A sequence occupies extents of the file, each twice as
/// long as the one before; the unwritten part of an extent takes no disk space.
template <EdgeWeight Weight> class EdgeBuckets {
public:
  using Element = Edge<std::uint32_t, Weight>;

  /// Takes about `memoryBytes` of memory, up to finish().
  EdgeBuckets(const std::string &directory, std::size_t count,
              std::uint64_t memoryBytes)
      : file(directory, BlockFile::Mode::Temporary),
        pieceElements(elementsInPiece(memoryBytes / count)),
        memory(count * pieceBytes()), buckets(count) {}

  std::uint64_t size(std::size_t bucket) const { return buckets[bucket].size; }

  void append(std::size_t index, const Element &element) {
    Bucket &bucket = buckets[index];
    HEDDLE_ASSERT(memory.data() && "not finished");
    const std::size_t filled = bucket.size % pieceElements;
    pieceOf(index)[filled] = element;
    ++bucket.size;
    if (filled + 1 == pieceElements)
      writePiece(index);
  }

  /// Writes the last pieces, and frees their memory. Nothing is appended after
  /// this.
  void finish() {
    for (std::size_t index = 0; index < buckets.size(); ++index)
      if (buckets[index].size % pieceElements != 0)
        writePiece(index);
    memory = BlockBuffer();
  }

  /// Calls `visit` with all elements of a bucket, in the order in which they
  /// were appended, piece by piece. finish() must have been called.
  template <typename Visit> void forEachPiece(std::size_t index, Visit visit) {
    HEDDLE_ASSERT(!memory.data() && "finish() has been called");
    const Bucket &bucket = buckets[index];
    // The number of concurrent reads that use the bandwidth of the device.
    constexpr std::size_t Ahead = 16;
    BlockBuffer ring(Ahead * pieceBytes());
    std::vector<IoQueue::Request> requests(Ahead);
    const std::uint64_t pieces =
        (bucket.size + pieceElements - 1) / pieceElements;
    const auto bufferOf = [&](std::size_t piece) {
      return ring.data() + piece % Ahead * pieceBytes();
    };
    const auto request = [&](std::size_t piece) {
      queue.read(file, placeOf(bucket, piece), bufferOf(piece),
                 bytesOf(bucket, piece), requests[piece % Ahead]);
    };
    for (std::size_t piece = 0; piece < std::min<std::uint64_t>(Ahead, pieces);
         ++piece)
      request(piece);
    try {
      for (std::size_t piece = 0; piece < pieces; ++piece) {
        queue.wait(requests[piece % Ahead]);
        visit(std::span<const Element>(
            reinterpret_cast<const Element *>(bufferOf(piece)),
            elementsOf(bucket, piece)));
        if (piece + Ahead < pieces)
          request(piece + Ahead);
      }
    } catch (...) {
      for (IoQueue::Request &left : requests)
        queue.settle(left);
      throw;
    }
  }

private:
  struct Bucket {
    std::uint64_t size = 0;
    std::vector<std::uint64_t> extents; ///< offsets in the file, in pieces
  };

  /// The maximal number of elements that fill whole blocks and take at most
  /// `bytes`.
  static std::size_t elementsInPiece(std::uint64_t bytes) {
    constexpr std::uint64_t MostBytes = std::uint64_t(1) << 18;
    constexpr std::uint64_t UnitBytes = std::lcm(BlockBytes, sizeof(Element));
    const std::uint64_t units =
        std::max<std::uint64_t>(std::min(bytes, MostBytes) / UnitBytes, 1);
    return units * UnitBytes / sizeof(Element);
  }

  std::size_t pieceBytes() const { return pieceElements * sizeof(Element); }

  /// The last piece of a bucket may not be full.
  std::size_t elementsOf(const Bucket &bucket, std::size_t piece) const {
    return std::min<std::uint64_t>(bucket.size - piece * pieceElements,
                                   pieceElements);
  }

  std::size_t bytesOf(const Bucket &bucket, std::size_t piece) const {
    return roundUpToBlock(elementsOf(bucket, piece) * sizeof(Element));
  }

  Element *pieceOf(std::size_t index) {
    return reinterpret_cast<Element *>(memory.data() + index * pieceBytes());
  }

  static std::size_t extentOf(std::uint64_t piece) {
    return static_cast<std::size_t>(std::bit_width(piece + 1) - 1);
  }

  /// The offset of a piece in the file, in bytes.
  std::uint64_t placeOf(const Bucket &bucket, std::uint64_t piece) const {
    const std::size_t extent = extentOf(piece);
    HEDDLE_ASSERT(extent < bucket.extents.size());
    const std::uint64_t first = (std::uint64_t(1) << extent) - 1;
    return (bucket.extents[extent] + (piece - first)) * pieceBytes();
  }

  /// Writes the last piece of a bucket.
  void writePiece(std::size_t index) {
    Bucket &bucket = buckets[index];
    const std::uint64_t piece = (bucket.size - 1) / pieceElements;
    if (extentOf(piece) == bucket.extents.size()) {
      bucket.extents.push_back(piecesInFile);
      piecesInFile += std::uint64_t(1) << extentOf(piece);
    }
    queue.write(file, placeOf(bucket, piece),
                reinterpret_cast<const std::byte *>(pieceOf(index)),
                bytesOf(bucket, piece));
  }

  const BlockFile file;
  const std::size_t pieceElements;
  BlockBuffer memory;
  std::vector<Bucket> buckets;
  std::uint64_t piecesInFile = 0;
  IoQueue queue;
};

} // namespace heddle::graph::ooc

#endif
