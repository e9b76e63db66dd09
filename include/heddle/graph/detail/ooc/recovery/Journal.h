//===- Journal.h - Calls that have changed little --------------*- C++ -*-===//
//
// To write a checkpoint, a call waits for the device several times. A call that
// changes little adds a record to the journal of the last checkpoint instead,
// and waits once: the blocks of the file exist already, so that only the record
// is written.
//
// A record is valid if its checksum is right. An invalid record at the end was
// being written when the run was cut off. An invalid record before a valid one
// is damaged.
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
  /// The result of a call, and its changes (CallChanges.h).
  struct Record {
    std::string result, changes;
  };

  /// The size of the file, or less on a device that is nearly full: it then
  /// takes at most half of what is left, since checkpoints need room as well.
  static constexpr std::uint64_t Bytes = std::uint64_t(1) << 22;

  /// The journal of one checkpoint, in a file at `path`. Records carry the
  /// checkpoint's stamp; older content of the file carries a different one.
  Journal(std::string path, std::uint64_t stamp)
      : path(std::move(path)), stamp(stamp) {}

  /// Whether the file has room for another record.
  bool hasRoom(const Record &record) const;

  /// Makes the file, unless it exists; it may have less room than before.
  /// Returns false if that fails, for example because the device is full.
  bool open();

  /// Adds a record, for which there is room. Returns when it is on the device.
  /// Throws WriteError.
  void append(const Record &record);

  /// The bytes written to the file.
  std::uint64_t bytesWritten() const {
    return queue ? queue->counts().written : 0;
  }

  /// The records with this stamp in the file at `path`, if it exists. Throws
  /// Error if a record before the last is damaged.
  static std::vector<Record> read(const std::string &path, std::uint64_t stamp);

  /// The records with this stamp in the contents of that file.
  static std::vector<Record> parse(std::span<const std::byte> bytes,
                                   std::uint64_t stamp,
                                   const std::string &path);

private:
  void makeFile();
  void create(std::uint64_t bytes);
  void write(std::uint64_t offset, const BlockBuffer &from,
             std::uint64_t bytes);

  const std::string path;
  const std::uint64_t stamp;
  std::uint64_t capacity = Bytes; ///< of the file, as far as it is known
  std::uint64_t end = 0;          ///< of the last record, in whole blocks
  std::optional<BlockFile> file;
  BlockBuffer buffer;
  std::optional<IoQueue> queue;
};

} // namespace heddle::graph::ooc

#endif
