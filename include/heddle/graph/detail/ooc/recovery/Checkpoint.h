//===- Checkpoint.h - A state from which a run resumes ----------*- C++ -*-===//
//
// DFOGraph's fault tolerance (section 3.2): no block that a checkpoint refers
// to is overwritten, so that a checkpoint only lists where the windows are. A
// resumed program runs again from the start: calls that were done return the
// results that the checkpoint lists, on which alone the program may depend.
//
// A call that changes little makes no checkpoint, but adds a record to the
// journal of the last one (Journal.h). The last two checkpoints are kept, each
// with its journal.
//
// Each partition has a directory of its own for these, so that other ranks can
// resume its part. A call ends on all ranks or on none, so that the last calls
// of two partitions are at most one apart.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_OOC_RECOVERY_CHECKPOINT_H
#define HEDDLE_GRAPH_DETAIL_OOC_RECOVERY_CHECKPOINT_H

#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/ooc/recovery/Journal.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle::graph::ooc {

/// A copy of a window on disk.
struct WindowCopy {
  std::int64_t slot = -1; ///< in the array's file; -1: all zeros, no copy
  std::uint64_t checksum = 0;

  /// In the array's file, whose slots have so many bytes.
  std::uint64_t offset(std::uint64_t slotBytes) const {
    return static_cast<std::uint64_t>(slot) * slotBytes;
  }
};

/// The copies of an array's windows, per batch of a partition.
struct ArrayCopies {
  std::string name;
  std::uint64_t elementBits = 0;
  std::vector<WindowCopy> windows;
};

struct Checkpoint {
  std::uint64_t run = 0;            ///< a random number that identifies the run
  std::string program;              ///< EngineOptions::program
  std::vector<std::string> results; ///< of each call, as bytes
  std::vector<ArrayCopies> arrays;
  std::string changes; ///< since then, from the journal (CallChanges.h)
};

/// The directory of a partition's run, locked against other runs.
class RunDirectory {
public:
  /// Makes `path` if it does not exist. Throws WriteError if it cannot be made,
  /// and Error if another run uses it.
  explicit RunDirectory(std::string path);
  ~RunDirectory();
  RunDirectory(const RunDirectory &) = delete;
  RunDirectory &operator=(const RunDirectory &) = delete;

  const std::string &path() const { return directory; }

  /// Removes the lock, and the directory if it is then empty.
  void removeEmpty() const;

  /// The file with the copies of an array's windows.
  std::string arrayPath(std::uint32_t number) const;

  /// Removes the checkpoints, journals and arrays of an earlier run. Throws
  /// WriteError.
  void clear() const;

  /// Returns the state of the last run over this graph, at its end or after
  /// `calls` calls. Throws Error if there is none, or if a file is damaged.
  Checkpoint read(std::uint64_t graphChecksum,
                  std::optional<std::uint64_t> calls = std::nullopt);

  /// Removes checkpoints of more than `calls` calls. Throws WriteError.
  void removeAfter(std::uint64_t calls) const;

  /// Writes a checkpoint after the one that was read or written last; it
  /// replaces the last but one. Returns when the device has it. Throws
  /// WriteError.
  void write(const Checkpoint &checkpoint, std::uint64_t graphChecksum);

  /// Whether the journal of the checkpoint that was written last has room for a
  /// call.
  bool hasRoom(const Journal::Record &call) {
    HEDDLE_ASSERT(journal && "a journal follows a checkpoint");
    return journal->hasRoom(call) && journal->open() && journal->hasRoom(call);
  }
  /// Adds a call, for which there is room. Throws WriteError.
  void append(const Journal::Record &call) { journal->append(call); }

  /// The bytes written to journals.
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
