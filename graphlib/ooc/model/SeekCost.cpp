//===- SeekCost.cpp - The cost of seeking a vertex's edges ---------------===//

#include "../edges/SeekLoops.h"
#include "heddle/graph/detail/ooc/messages/ChunkScan.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <random>
#include <vector>

namespace heddle::graph::ooc {

namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Reads random blocks in the way that rows are sought. Uses a FarFile of its
/// own, so that the blocks are not in the cache when the run seeks them.
double secondsToSeek(const CheckedFile &file, std::size_t seeks) {
  constexpr std::uint64_t BlockWords = BlockBytes / sizeof(std::uint32_t);
  const std::uint64_t blocks = file.file().size() / BlockBytes;
  FarFile farFile(file);
  std::minstd_rand random;
  std::vector<std::uint64_t> places(seeks);
  for (std::uint64_t &place : places)
    place = random() % blocks * BlockWords;
  std::vector<std::uint32_t> begins(seeks), ends(seeks);
  // The first seek of a thread allocates memory that later ones reuse.
  const std::array<std::uint64_t, 1> first = {0};
  findRows(farFile, first, begins.data(), ends.data());
  const Clock::time_point start = Clock::now();
  findRows(farFile, places, begins.data(), ends.data());
  return secondsSince(start);
}

double secondsToRead(const BlockFile &file, std::uint64_t offset,
                     std::size_t pieces, std::size_t pieceBytes) {
  // The queue is destroyed first, and waits for its transfers then.
  BlockBuffer buffer(pieces * pieceBytes);
  std::vector<IoQueue::Request> requests(pieces);
  IoQueue queue;
  const Clock::time_point start = Clock::now();
  for (std::size_t i = 0; i < pieces; ++i)
    queue.read(file, offset + i * pieceBytes, buffer.data() + i * pieceBytes,
               pieceBytes, requests[i]);
  for (IoQueue::Request &request : requests)
    queue.wait(request);
  return secondsSince(start);
}

} // namespace

SeekCost SeekCost::measure(const CheckedFile &file) {
  constexpr std::size_t Seeks = 64, Pieces = 8, PieceBytes = 1 << 20;
  const std::uint64_t blocks = file.file().size() / BlockBytes;
  // Smaller files are soon in memory anyway.
  if (blocks < 64 * Pieces * PieceBytes / BlockBytes)
    return {};
  const double seeking = secondsToSeek(file, Seeks);
  const double reading =
      secondsToRead(file.file(), blocks / 2 * BlockBytes, Pieces, PieceBytes);
  const double bytes = seeking / Seeks / reading * Pieces * PieceBytes;
  return {static_cast<std::uint64_t>(
      std::clamp<double>(bytes, BlockBytes, PieceBytes))};
}

} // namespace heddle::graph::ooc
