//===- CheckedFile.h - Files whose blocks have checksums -------*- C++ -*-===//
//
// The blocks of a prepared graph are compared with their checksums before they
// are used, and kept in memory as long as the budget has room. Calls read the
// graph again and again in the same order, for which the best policy is to keep
// the first blocks that were read, and never to evict them.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_OOC_DISK_CHECKEDFILE_H
#define HEDDLE_GRAPH_DETAIL_OOC_DISK_CHECKEDFILE_H

#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/ooc/disk/BlockFile.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace heddle::graph::ooc {

/// A range of bytes of a file.
struct FileRange {
  std::uint64_t offset = 0, bytes = 0;
};

class CheckedFile {
public:
  /// The unit of the data that are kept in memory.
  static constexpr std::uint64_t SegmentBytes = std::uint64_t(1) << 18;

  /// Opens the edges of a partition. Throws Error if the size or the checksums
  /// of the file differ from the prepared graph's.
  CheckedFile(std::string path, const std::string &sumsPath,
              std::uint64_t bytes, std::uint64_t checksumOfSums);

  /// A file without checksums, which is not kept in memory.
  explicit CheckedFile(BlockFile file) : blockFile(std::move(file)) {}

  const BlockFile &file() const { return blockFile; }

  /// The bytes that have checksums: the whole prepared file.
  std::uint64_t checkedBytes() const { return blockSums.size() * BlockBytes; }

  /// The bytes of memory that a file of `bytes` bytes takes, without the parts
  /// that are kept.
  static std::uint64_t overheadBytes(std::uint64_t bytes) {
    return roundUpToBlock(sumBytesOf(bytes)) + segmentsOf(bytes);
  }

  /// Compares blocks from `offset` on with their checksums. Throws Error, which
  /// names the first damaged block.
  void check(std::uint64_t offset, const std::byte *memory,
             std::size_t bytes) const;

  /// Whether the block at `offset` has the right checksum.
  bool isWhole(std::uint64_t offset, const std::byte *block) const;

  /// Throws the Error of check() for the block at `offset`.
  [[noreturn]] void failAsDamaged(std::uint64_t offset) const;

  /// The address of the file's first byte, whether it is kept or not.
  const std::byte *keptBytes() const { return kept.data(); }

  /// Whether a range is kept in memory.
  bool isKept(const FileRange &range) const;

  /// Evicts at least `bytes` bytes of kept segments, if there are as many, and
  /// returns the number of evicted bytes. Must not be called while the file is
  /// being read.
  std::uint64_t forget(std::uint64_t bytes);

private:
  friend class RangeReader;

  enum Segment : std::uint8_t { Absent, Moving, Present };

  static std::uint64_t sumBytesOf(std::uint64_t bytes) {
    return bytes / BlockBytes * sizeof(std::uint32_t);
  }
  static std::uint64_t segmentsOf(std::uint64_t bytes) {
    return (bytes + SegmentBytes - 1) / SegmentBytes;
  }
  void makeRoomToKeep(std::uint64_t bytes);
  bool isPresent(std::uint64_t segment) const {
    return segment < segments &&
           states[segment].load(std::memory_order_acquire) == Present;
  }
  FileRange segmentRange(std::uint64_t segment) const {
    const std::uint64_t begin = segment * SegmentBytes;
    return {begin, std::min(SegmentBytes, kept.size() - begin)};
  }

  BlockFile blockFile;
  BlockBuffer sums;
  std::span<const std::uint32_t> blockSums; ///< in `sums`
  BlockBuffer kept;                         ///< addresses for the whole file
  std::uint64_t segments = 0;
  std::unique_ptr<std::atomic<Segment>[]> states;
};

/// Counts the bytes that are kept of all files, up to a limit. Shared by all
/// threads.
class KeptBytes {
public:
  void setLimit(std::uint64_t bytes) { limit = bytes; }

  bool take(std::uint64_t bytes) {
    if (used.fetch_add(bytes) + bytes <= limit)
      return true;
    giveBack(bytes);
    return false;
  }
  void giveBack(std::uint64_t bytes) {
    [[maybe_unused]] const std::uint64_t before = used.fetch_sub(bytes);
    HEDDLE_ASSERT(before >= bytes);
  }

  /// Whether another segment may be kept.
  bool hasRoom() const { return used + CheckedFile::SegmentBytes <= limit; }

  /// The number of bytes that are kept beyond the limit.
  std::uint64_t excess() const { return used > limit ? used - limit : 0; }

private:
  std::atomic<std::uint64_t> used = 0;
  std::uint64_t limit = 0;
};

/// Reads groups of ranges in order, several groups at a time. Used by one
/// thread.
class RangeReader {
public:
  static constexpr std::size_t MostRanges = 4;
  using Ranges = std::array<FileRange, MostRanges>;
  using Memory = std::array<const std::byte *, MostRanges>;

  /// Up to `groups` groups, each with up to `groupBytes`, may be in flight at a
  /// time.
  RangeReader(IoQueue &queue, KeptBytes &keptBytes, std::size_t groups,
              std::size_t groupBytes);
  ~RangeReader() { drop(); }

  bool isFull() const { return begun == groups.size(); }
  bool isEmpty() const { return begun == 0; }

  /// Begins to read a group. Ranges of 0 bytes are skipped. Must not be called
  /// if isFull().
  void begin(CheckedFile &file, const Ranges &ranges);

  /// Waits for the group that was begun first, and returns the addresses of its
  /// ranges, which are valid until release(). Throws Error.
  Memory finish();

  /// Ends the use of that group, and makes room for another.
  void release();

  /// Abandons all groups.
  void drop() noexcept;

  /// Copies a range. No group is under way. Throws Error.
  void copy(CheckedFile &file, const FileRange &range, void *to);

private:
  struct Range {
    std::uint64_t offset = 0, bytes = 0; ///< of whole blocks
    std::byte *memory = nullptr;         ///< unless the range is kept
    std::vector<std::uint64_t> claimed;  ///< segments that it reads to be kept
    bool isRead = false;
    IoQueue::Request request;
  };

  struct Group {
    CheckedFile *file = nullptr;
    std::array<Range, MostRanges> ranges;
    Memory memory = {};
  };

  bool keep(CheckedFile &file, Range &range);
  void readTo(std::byte *memory, CheckedFile &file, Range &range);
  bool claim(CheckedFile &file, Range &range);
  bool isUnderWay(const CheckedFile &file, std::uint64_t segment) const;
  void check(const CheckedFile &file, const Range &range) const;
  void settle(CheckedFile &file, Range &range, CheckedFile::Segment state);

  IoQueue &queue;
  KeptBytes &keptBytes;
  const std::size_t groupBytes;
  BlockBuffer buffer;
  std::vector<Group> groups;
  std::size_t oldest = 0, begun = 0;
};

} // namespace heddle::graph::ooc

#endif
