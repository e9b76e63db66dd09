//===- CheckedFile.h - Files whose blocks have checksums -------*- C++ -*-===//
//
// What is read of a prepared graph is compared with its checksums before it is
// believed, and stays in memory as long as the budget has room. What has come
// once will come again in the same order: to keep the first that came and never
// to let it go is then the best that can be done.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_OOC_DISK_CHECKEDFILE_H
#define HEDDLE_GRAPH_DETAIL_OOC_DISK_CHECKEDFILE_H

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

/// Bytes of a file.
struct FileRange {
  std::uint64_t offset = 0, bytes = 0;
};

class CheckedFile {
public:
  /// What is kept in memory, is kept in units of.
  static constexpr std::uint64_t SegmentBytes = std::uint64_t(1) << 18;

  /// Opens the edges of a partition. Throws Error if they are not what was
  /// prepared.
  CheckedFile(std::string path, const std::string &sumsPath,
              std::uint64_t bytes, std::uint64_t checksumOfSums);

  /// A file without checksums, which is not kept in memory.
  explicit CheckedFile(BlockFile file) : blockFile(std::move(file)) {}

  const BlockFile &file() const { return blockFile; }

  /// Bytes that have checksums: all that was prepared.
  std::uint64_t checkedBytes() const { return blockSums.size() * BlockBytes; }

  /// Bytes that are always in memory, of a file of so many.
  static std::uint64_t overheadBytes(std::uint64_t bytes) {
    return roundUpToBlock(sumBytesOf(bytes)) + segmentsOf(bytes);
  }

  /// Compares blocks from `offset` on with their checksums. Throws Error that
  /// names the first that differs.
  void check(std::uint64_t offset, const std::byte *memory,
             std::size_t bytes) const;

  /// Whether the block at `offset` is what its checksum says.
  bool isWhole(std::uint64_t offset, const std::byte *block) const;

  /// Throws the Error of check() for the block at `offset`.
  [[noreturn]] void failAsDamaged(std::uint64_t offset) const;

  /// Where the file would be in memory, if all of it were kept.
  const std::byte *keptBytes() const { return kept.data(); }

  /// Whether a range is in memory.
  bool isKept(const FileRange &range) const;

  /// Lets go of at least `bytes` of what is kept, if there are as many, and
  /// returns of how many. Not while anybody reads.
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
  BlockBuffer kept; ///< the whole file, of which pages come as they are used
  std::uint64_t segments = 0;
  std::unique_ptr<std::atomic<Segment>[]> states;
};

/// How many more bytes may be kept of all files. Shared by all threads.
class KeptBytes {
public:
  void setLimit(std::uint64_t bytes) { limit = bytes; }

  bool take(std::uint64_t bytes) {
    if (used.fetch_add(bytes) + bytes <= limit)
      return true;
    giveBack(bytes);
    return false;
  }
  void giveBack(std::uint64_t bytes) { used.fetch_sub(bytes); }

  /// Whether a segment more may be kept.
  bool hasRoom() const { return used + CheckedFile::SegmentBytes <= limit; }

  /// How many are kept beyond the limit.
  std::uint64_t excess() const { return used > limit ? used - limit : 0; }

private:
  std::atomic<std::uint64_t> used = 0;
  std::uint64_t limit = 0;
};

/// Reads groups of ranges in order, several groups at a time. Of one thread.
class RangeReader {
public:
  static constexpr std::size_t MostRanges = 4;
  using Ranges = std::array<FileRange, MostRanges>;
  using Memory = std::array<const std::byte *, MostRanges>;

  /// `groups` groups of ranges, of `groupBytes` in all at most, may be under
  /// way at a time.
  RangeReader(IoQueue &queue, KeptBytes &keptBytes, std::size_t groups,
              std::size_t groupBytes);
  ~RangeReader() { drop(); }

  bool isFull() const { return begun == groups.size(); }
  bool isEmpty() const { return begun == 0; }
  std::size_t bytes() const { return groups.size() * groupBytes; }

  /// Begins to read; ranges of 0 bytes are left out. Not if isFull().
  void begin(CheckedFile &file, const Ranges &ranges);

  /// Waits for the group that was begun first. What it returns is valid until
  /// release(). Throws Error.
  Memory finish();

  /// Makes room for another group.
  void release();

  /// Forgets what is under way.
  void drop() noexcept;

private:
  struct Range {
    std::uint64_t offset = 0, bytes = 0; ///< of whole blocks
    std::byte *memory = nullptr;         ///< unless it is kept
    std::vector<std::uint64_t> claimed;  ///< segments that it brings to be kept
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
