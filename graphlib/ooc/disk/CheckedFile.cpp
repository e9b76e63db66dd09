//===- CheckedFile.cpp - Files whose blocks have checksums ---------------===//

#include "heddle/graph/detail/ooc/disk/CheckedFile.h"

#include "../../files/FileError.h"
#include "Checksum.h"
#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/ooc/Layout.h"

#include <cstring>
#include <new>
#include <sys/mman.h>

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
  const BlockFile sumsFile(sumsPath, BlockFile::Mode::Read);
  const std::uint64_t sumBytes = sumBytesOf(bytes);
  expectSize(sumsPath, roundUpToBlock(sumBytes), sumsFile.size());
  sums = BlockBuffer(sumBytes);
  IoQueue().read(sumsFile, 0, sums.data(), sums.size());
  if (checksumOf(sums.data(), sumBytes) != checksumOfSums)
    throw Error(sumsPath + ": expected the checksums of the prepared graph, "
                           "found others: the file is damaged");
  blockSums = {reinterpret_cast<const std::uint32_t *>(sums.data()),
               bytes / BlockBytes};
  makeRoomToKeep(bytes);
}

/// Keeps nothing if there is not enough address space for the whole file.
void CheckedFile::makeRoomToKeep(std::uint64_t bytes) {
  try {
    kept = BlockBuffer(bytes);
  } catch (const std::bad_alloc &) {
    return;
  }
  segments = segmentsOf(bytes);
  states = std::make_unique<std::atomic<Segment>[]>(segments);
  // A huge page would take more memory than the segment that is accounted for.
  if (kept.data())
    madvise(kept.data(), kept.size(), MADV_NOHUGEPAGE);
}

void CheckedFile::check(std::uint64_t offset, const std::byte *memory,
                        std::size_t bytes) const {
  HEDDLE_ASSERT(offset % BlockBytes == 0 && bytes % BlockBytes == 0);
  if (blockSums.empty())
    return;
  for (std::size_t at = 0; at < bytes; at += BlockBytes)
    if (!isWhole(offset + at, memory + at))
      failAsDamaged(offset + at);
}

bool CheckedFile::isWhole(std::uint64_t offset, const std::byte *block) const {
  const std::uint64_t index = offset / BlockBytes;
  return index < blockSums.size() && blockChecksum(block) == blockSums[index];
}

void CheckedFile::failAsDamaged(std::uint64_t offset) const {
  failAtByte(blockFile.path(), offset,
             "expected " + std::to_string(BlockBytes) +
                 " bytes with another checksum: the file is damaged");
}

bool CheckedFile::isKept(const FileRange &range) const {
  const std::uint64_t end = range.offset + range.bytes;
  for (std::uint64_t segment = range.offset / SegmentBytes;
       segment * SegmentBytes < end; ++segment)
    if (!isPresent(segment))
      return false;
  return true;
}

std::uint64_t CheckedFile::forget(std::uint64_t bytes) {
  std::uint64_t forgotten = 0;
  for (std::uint64_t segment = segments; segment-- > 0 && forgotten < bytes;)
    if (states[segment] == Present) {
      const auto [begin, size] = segmentRange(segment);
      madvise(kept.data() + begin, size, MADV_DONTNEED);
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
  HEDDLE_ASSERT(!isFull());
  const std::size_t index = (oldest + begun) % groups.size();
  Group &group = groups[index];
  group.file = &file;
  ++begun;
  std::byte *free = buffer.data() + index * groupBytes;
  for (std::size_t i = 0; i < MostRanges; ++i) {
    Range &range = group.ranges[i];
    range.isRead = false;
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
    HEDDLE_ASSERT(free + range.bytes <=
                  buffer.data() + (index + 1) * groupBytes);
    readTo(free, file, range);
    free += range.bytes;
  }
}

/// Reads a range to be kept, if there is room and no other thread is reading
/// any of its segments.
bool RangeReader::keep(CheckedFile &file, Range &range) {
  if (file.segments == 0)
    return false;
  if (!claim(file, range) ||
      !keptBytes.take(range.claimed.size() * CheckedFile::SegmentBytes)) {
    settle(file, range, CheckedFile::Absent);
    return false;
  }
  range.isRead = !range.claimed.empty();
  for (const std::uint64_t segment : range.claimed) {
    const auto [begin, bytes] = file.segmentRange(segment);
    queue.read(file.file(), begin, file.kept.data() + begin, bytes,
               range.request);
  }
  return true;
}

/// Reads a range to a buffer. Kept segments are copied instead.
void RangeReader::readTo(std::byte *memory, CheckedFile &file, Range &range) {
  range.memory = memory;
  range.isRead = true;
  const std::uint64_t end = range.offset + range.bytes;
  std::uint64_t begin = range.offset; // of the part that is not read yet
  const auto readUpTo = [&](std::uint64_t place) {
    if (begin < place)
      queue.read(file.file(), begin, memory + (begin - range.offset),
                 place - begin, range.request);
  };
  for (std::uint64_t at = begin, next; at < end; at = next) {
    const std::uint64_t segment = at / CheckedFile::SegmentBytes;
    next = std::min(end, (segment + 1) * CheckedFile::SegmentBytes);
    if (!file.isPresent(segment))
      continue;
    readUpTo(at);
    std::memcpy(memory + (at - range.offset), file.kept.data() + at, next - at);
    begin = next;
  }
  readUpTo(end);
}

/// Claims the absent segments of a range. Returns whether all others are
/// present, or will be before this range is finished.
bool RangeReader::claim(CheckedFile &file, Range &range) {
  constexpr std::uint64_t Bytes = CheckedFile::SegmentBytes;
  const std::uint64_t end = (range.offset + range.bytes + Bytes - 1) / Bytes;
  for (std::uint64_t segment = range.offset / Bytes; segment < end; ++segment) {
    auto state = CheckedFile::Absent;
    if (file.states[segment].compare_exchange_strong(state,
                                                     CheckedFile::Moving))
      range.claimed.push_back(segment);
    else if (state == CheckedFile::Moving && !isUnderWay(file, segment))
      return false;
  }
  return true;
}

/// Whether a range that was begun earlier reads this segment.
bool RangeReader::isUnderWay(const CheckedFile &file,
                             std::uint64_t segment) const {
  for (std::size_t i = 0; i < begun; ++i) {
    const Group &group = groups[(oldest + i) % groups.size()];
    for (const Range &range : group.ranges)
      if (group.file == &file &&
          std::ranges::find(range.claimed, segment) != range.claimed.end())
        return true;
  }
  return false;
}

RangeReader::Memory RangeReader::finish() {
  HEDDLE_ASSERT(!isEmpty());
  Group &group = groups[oldest];
  for (Range &range : group.ranges) {
    if (!range.isRead)
      continue;
    queue.wait(range.request);
    check(*group.file, range);
    settle(*group.file, range, CheckedFile::Present);
  }
  return group.memory;
}

void RangeReader::check(const CheckedFile &file, const Range &range) const {
  if (range.claimed.empty())
    return file.check(range.offset, range.memory, range.bytes);
  for (const std::uint64_t segment : range.claimed) {
    const auto [begin, bytes] = file.segmentRange(segment);
    file.check(begin, file.kept.data() + begin, bytes);
  }
}

void RangeReader::settle(CheckedFile &file, Range &range,
                         CheckedFile::Segment state) {
  range.isRead = false;
  for (const std::uint64_t segment : range.claimed) {
    HEDDLE_ASSERT(file.states[segment] == CheckedFile::Moving &&
                  "claimed by one reader");
    file.states[segment].store(state, std::memory_order_release);
  }
  range.claimed.clear();
}

void RangeReader::release() {
  HEDDLE_ASSERT(!isEmpty());
  oldest = (oldest + 1) % groups.size();
  --begun;
}

void RangeReader::copy(CheckedFile &file, const FileRange &range, void *to) {
  HEDDLE_ASSERT(isEmpty());
  begin(file, {range});
  std::memcpy(to, finish()[0], range.bytes);
  release();
}

void RangeReader::drop() noexcept {
  for (; begun > 0; release())
    for (Range &range : groups[oldest].ranges)
      if (range.isRead) {
        queue.settle(range.request);
        keptBytes.giveBack(range.claimed.size() * CheckedFile::SegmentBytes);
        settle(*groups[oldest].file, range, CheckedFile::Absent);
      }
}

} // namespace heddle::graph::ooc
