//===- Checkpoint.h - What a run can go on from ----------------*- C++ -*-===//
//
// DFOGraph's fault tolerance (section 3.2): no block that a checkpoint refers
// to is ever written again, so that a checkpoint is no more than a list of
// where the windows are. A program goes on by being run again, with the results
// of the calls that are done; what it does depends on nothing else.
//
// Each partition has its own directory with checkpoints, so that other ranks
// may go on with it. As a call ends for all partitions or for none, the last
// checkpoints of two of them are one call apart at most.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_OOC_CHECKPOINT_H
#define HEDDLE_GRAPH_OOC_CHECKPOINT_H

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

  /// Removes the checkpoints and arrays of an earlier run. Throws WriteError.
  void clear() const;

  /// The last checkpoint of a run over this graph, or the one after `calls`
  /// calls. Throws Error if there is none, or if one is damaged.
  Checkpoint read(std::uint64_t graphChecksum,
                  std::optional<std::uint64_t> calls = std::nullopt) const;

  /// Removes what there is for after more than so many calls. Throws
  /// WriteError.
  void removeAfter(std::uint64_t calls) const;

  /// Adds a checkpoint and removes the last but one. Returns when it is on the
  /// device, whole. Throws WriteError.
  void write(const Checkpoint &checkpoint, std::uint64_t graphChecksum) const;

private:
  std::string checkpointPath(std::uint64_t calls) const;
  static void remove(const std::string &path);

  const std::string directory;
  int lock = -1;
};

} // namespace heddle::graph::ooc

#endif
