//===- Journal.h - Calls that have changed little --------------*- C++ -*-===//
//
// A checkpoint takes several trips to the device, one after the other. A call
// that changes little adds a record to a journal beside the last checkpoint
// instead, which takes one: the blocks of the file have been written before, so
// that nothing but the record is.
//
// A record is believed if its checksum is right. What does not look like one
// and has none behind it was being written when the run was cut off; with one
// behind it, it is damaged.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_OOC_RECOVERY_JOURNAL_H
#define HEDDLE_GRAPH_DETAIL_OOC_RECOVERY_JOURNAL_H

#include "heddle/graph/detail/ooc/disk/BlockFile.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heddle::graph::ooc {

class Journal {
public:
  /// What a call has returned, and what it has changed.
  struct Record {
    std::string result, changes;
  };

  /// Of the file.
  static constexpr std::uint64_t Bytes = std::uint64_t(1) << 22;

  /// The records of one checkpoint, which bear its stamp, in a file at `path`.
  /// What is there bears another.
  Journal(std::string path, std::uint64_t stamp)
      : path(std::move(path)), stamp(stamp) {}

  /// Whether there is room for another record in the file.
  bool hasRoom(const Record &record) const;

  /// Makes the file, if it is not there. Returns false if it cannot be made,
  /// such as on a device that is full.
  bool open();

  /// Adds a record, for which there is room. Returns when it is on the device.
  /// Throws WriteError.
  void append(const Record &record);

  /// What has gone to the file.
  std::uint64_t bytesWritten() const {
    return queue ? queue->counts().written : 0;
  }

  /// The records with this stamp in the file at `path`, if there is one. Throws
  /// Error if one before the last is damaged.
  static std::vector<Record> read(const std::string &path, std::uint64_t stamp);

  /// The same of the bytes that the file has.
  static std::vector<Record> parse(std::span<const std::byte> bytes,
                                   std::uint64_t stamp,
                                   const std::string &path);

private:
  void makeFile();
  void write(std::uint64_t offset, const BlockBuffer &from,
             std::uint64_t bytes);

  const std::string path;
  const std::uint64_t stamp;
  std::uint64_t end = 0;
  std::optional<BlockFile> file;
  BlockBuffer buffer;
  std::optional<IoQueue> queue;
};

} // namespace heddle::graph::ooc

#endif
