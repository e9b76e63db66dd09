//===- Checkpoint.h - What a run can go on from ----------------*- C++ -*-===//
//
// DFOGraph's fault tolerance (section 3.2): no block that a checkpoint refers
// to is ever written again, so that a checkpoint is no more than a list of
// where the windows are. A program goes on by being run again, with the results
// of the calls that are done; what it does depends on nothing else.
//
// After calls that change little there is no checkpoint, but a record in the
// journal of the last one (Journal.h). The last two checkpoints are there, each
// with its journal.
//
// Each partition has its own directory with these, so that other ranks may go
// on with it. As a call ends for all partitions or for none, the last calls
// that two of them have are one apart at most.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_OOC_RECOVERY_CHECKPOINT_H
#define HEDDLE_GRAPH_DETAIL_OOC_RECOVERY_CHECKPOINT_H

#include "heddle/graph/detail/ooc/recovery/Journal.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle::graph::ooc {

/// A copy of a window on disk, and the checksum of what it holds.
struct WindowCopy {
  std::int64_t slot = -1; ///< in units of the array's windows; -1: all zeros
  std::uint64_t checksum = 0;
};

/// The copies of an array's windows, per batch of a partition.
struct ArrayCopies {
  std::string name;
  std::uint64_t elementBits = 0;
  std::vector<WindowCopy> windows;
};

struct Checkpoint {
  std::uint64_t run = 0;            ///< by which one run is told from another
  std::string program;              ///< what is run
  std::vector<std::string> results; ///< the bytes of each call's
  std::vector<ArrayCopies> arrays;
  std::string changes; ///< since then, as CallChanges has them
};

/// The directory of a partition's run, which no other can use meanwhile.
class RunDirectory {
public:
  /// Makes `path` if it does not exist. Throws WriteError if it cannot be made,
  /// and Error if another run uses it.
  explicit RunDirectory(std::string path);
  ~RunDirectory();
  RunDirectory(const RunDirectory &) = delete;
  RunDirectory &operator=(const RunDirectory &) = delete;

  const std::string &path() const { return directory; }

  /// Removes the directory if nothing but its lock is in it; that there is no
  /// more.
  void removeEmpty() const;

  /// Where the copies of an array are.
  std::string arrayPath(std::uint32_t number) const;

  /// Removes the checkpoints, journals and arrays of an earlier run. Throws
  /// WriteError.
  void clear() const;

  /// What a run over this graph has last, or what it had after `calls` calls.
  /// Throws Error if there is none, or if something is damaged.
  Checkpoint read(std::uint64_t graphChecksum,
                  std::optional<std::uint64_t> calls = std::nullopt);

  /// Removes checkpoints of more than so many calls. Throws WriteError.
  void removeAfter(std::uint64_t calls) const;

  /// Adds a checkpoint, behind what was read or written last, in place of the
  /// last but one. Returns when it is on the device, whole. Throws WriteError.
  void write(const Checkpoint &checkpoint, std::uint64_t graphChecksum);

  /// Adds a call to the last checkpoint's journal, if there is room.
  bool hasRoom(const Journal::Record &call) {
    return journal->hasRoom(call) && journal->open();
  }
  void append(const Journal::Record &call) { journal->append(call); }

  /// What has gone to journals.
  std::uint64_t journalBytes() const {
    return earlierJournalBytes + (journal ? journal->bytesWritten() : 0);
  }

private:
  std::string checkpointPath(std::uint64_t number) const;
  std::string journalPath(std::uint64_t number) const;
  static void remove(const std::string &path);

  const std::string directory;
  int lock = -1;
  std::uint64_t nextNumber = 0; ///< of checkpoints
  std::optional<Journal> journal;
  std::uint64_t earlierJournalBytes = 0;
};

} // namespace heddle::graph::ooc

#endif
