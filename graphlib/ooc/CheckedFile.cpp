//===- CheckedFile.cpp - Files whose blocks have checksums ---------------===//

#include "heddle/graph/ooc/CheckedFile.h"

#include "../io/FileError.h"
#include "heddle/graph/ooc/Layout.h"

#include <new>
#include <sys/mman.h>
#include <xxhash.h>

namespace heddle::graph::ooc {

namespace {

void expectSize(const std::string &path, std::uint64_t expected,
                std::uint64_t found) {
  if (found != expected)
    failAtByte(path, std::min(found, expected),
               "expected a file of " + std::to_string(expected) +
                   " bytes, found " + std::to_string(found));
}

} // namespace

CheckedFile::CheckedFile(std::string path, const std::string &sumsPath,
                         std::uint64_t bytes, std::uint64_t checksumOfSums)
    : blockFile(std::move(path), BlockFile::Mode::Read) {
  expectSize(blockFile.path(), bytes, blockFile.size());
  const BlockFile sums(sumsPath, BlockFile::Mode::Read);
  const std::uint64_t blocks = bytes / BlockBytes;
  const std::uint64_t sumBytes = blocks * sizeof(blockSums[0]);
  expectSize(sumsPath, roundUpToBlock(sumBytes), sums.size());
  BlockBuffer buffer(sumBytes);
  IoQueue queue;
  IoQueue::Request request;
  queue.read(sums, 0, buffer.data(), buffer.size(), request);
  queue.wait(request);
  if (XXH3_64bits(buffer.data(), sumBytes) != checksumOfSums)
    throw Error(sumsPath + ": expected the checksums of the prepared graph, "
                           "found others: the file is damaged");
  const auto *first = reinterpret_cast<const std::uint32_t *>(buffer.data());
  blockSums.assign(first, first + blocks);
  makeRoomToKeep(bytes);
}

/// Where there are too few addresses for the whole file, nothing is kept.
void CheckedFile::makeRoomToKeep(std::uint64_t bytes) {
  try {
    kept = BlockBuffer(bytes);
  } catch (const std::bad_alloc &) {
    return;
  }
  segments = (bytes + SegmentBytes - 1) / SegmentBytes;
  states = std::make_unique<std::atomic<Segment>[]>(segments);
  // A huge page would bring more than the segment that is accounted for.
  if (kept.data())
    madvise(kept.data(), kept.size(), MADV_NOHUGEPAGE);
}

void CheckedFile::check(std::uint64_t offset, const std::byte *memory,
                        std::size_t bytes) const {
  if (blockSums.empty())
    return;
  for (std::size_t at = 0; at < bytes; at += BlockBytes)
    if (blockChecksum(memory + at) != blockSums[(offset + at) / BlockBytes])
      failAtByte(blockFile.path(), offset + at,
                 "expected " + std::to_string(BlockBytes) +
                     " bytes with another checksum: the file is damaged");
}

std::uint64_t CheckedFile::forget(std::uint64_t bytes) {
  std::uint64_t forgotten = 0;
  for (std::uint64_t segment = segments; segment-- > 0 && forgotten < bytes;)
    if (states[segment] == Present) {
      const std::uint64_t begin = segment * SegmentBytes;
      madvise(kept.data() + begin, std::min(SegmentBytes, kept.size() - begin),
              MADV_DONTNEED);
      states[segment] = Absent;
      forgotten += SegmentBytes;
    }
  return forgotten;
}

RangeReader::RangeReader(IoQueue &queue, KeptBytes &keptBytes,
                         std::size_t groupCount, std::size_t bytesOfGroup)
    : queue(queue), keptBytes(keptBytes),
      groupBytes(roundUpToBlock(bytesOfGroup) + MostRanges * 2 * BlockBytes),
      buffer(groupCount * groupBytes), groups(groupCount) {}

void RangeReader::begin(CheckedFile &file, const Ranges &ranges) {
  const std::size_t index = (oldest + begun) % groups.size();
  Group &group = groups[index];
  group.file = &file;
  ++begun;
  std::byte *free = buffer.data() + index * groupBytes;
  for (std::size_t i = 0; i < MostRanges; ++i) {
    Range &range = group.ranges[i];
    range.isRead = range.isKept = false;
    group.memory[i] = nullptr;
    if (ranges[i].bytes == 0)
      continue;
    range.offset = ranges[i].offset / BlockBytes * BlockBytes;
    range.bytes =
        roundUpToBlock(ranges[i].offset + ranges[i].bytes) - range.offset;
    if (keep(file, range)) {
      group.memory[i] = file.kept.data() + ranges[i].offset;
      continue;
    }
    group.memory[i] = free + (ranges[i].offset - range.offset);
    read(file, range, free);
    free += range.bytes;
  }
}

void RangeReader::read(CheckedFile &file, Range &range, std::byte *memory) {
  range.memory = memory;
  range.isRead = true;
  queue.read(file.file(), range.offset, memory, range.bytes, range.request);
}

/// Has a range in the memory for what is kept of the file, if that is possible:
/// nobody else may be reading any of its segments.
bool RangeReader::keep(CheckedFile &file, Range &range) {
  if (file.segments == 0)
    return false;
  constexpr std::uint64_t Bytes = CheckedFile::SegmentBytes;
  std::uint64_t first = range.offset / Bytes;
  std::uint64_t end = (range.offset + range.bytes + Bytes - 1) / Bytes;
  const auto isPresent = [&](std::uint64_t segment) {
    return file.states[segment].load(std::memory_order_acquire) ==
           CheckedFile::Present;
  };
  // Neighbours have brought the segments at the ends.
  while (first < end && isPresent(first))
    ++first;
  while (first < end && isPresent(end - 1))
    --end;
  if (first == end)
    return true;
  const std::uint64_t bytes = (end - first) * Bytes;
  if (!keptBytes.take(bytes))
    return false;
  for (std::uint64_t segment = first; segment < end; ++segment) {
    auto expected = CheckedFile::Absent;
    if (file.states[segment].compare_exchange_strong(expected,
                                                     CheckedFile::Moving))
      continue;
    while (segment-- > first)
      file.states[segment] = CheckedFile::Absent;
    keptBytes.giveBack(bytes);
    return false;
  }
  range.offset = first * Bytes;
  range.bytes = std::min(end * Bytes, file.kept.size()) - range.offset;
  range.isKept = true;
  read(file, range, file.kept.data() + range.offset);
  return true;
}

RangeReader::Memory RangeReader::finish() {
  Group &group = groups[oldest];
  for (Range &range : group.ranges) {
    if (!range.isRead)
      continue;
    queue.wait(range.request);
    group.file->check(range.offset, range.memory, range.bytes);
    settle(*group.file, range, CheckedFile::Present);
  }
  return group.memory;
}

void RangeReader::settle(CheckedFile &file, Range &range,
                         CheckedFile::Segment state) {
  range.isRead = false;
  if (!range.isKept)
    return;
  range.isKept = false;
  for (std::uint64_t at = 0; at < range.bytes; at += CheckedFile::SegmentBytes)
    file.states[(range.offset + at) / CheckedFile::SegmentBytes].store(
        state, std::memory_order_release);
}

void RangeReader::release() {
  oldest = (oldest + 1) % groups.size();
  --begun;
}

void RangeReader::drop() noexcept {
  for (; begun > 0; release())
    for (Range &range : groups[oldest].ranges)
      if (range.isRead) {
        queue.settle(range.request);
        if (range.isKept)
          keptBytes.giveBack((range.bytes + CheckedFile::SegmentBytes - 1) /
                             CheckedFile::SegmentBytes *
                             CheckedFile::SegmentBytes);
        settle(*groups[oldest].file, range, CheckedFile::Absent);
      }
}

} // namespace heddle::graph::ooc
