//===- CallChanges.h - The vertex data that a call changes -----*- C++ -*-===//
//
// The functions of a call write only the elements of their own vertex, in the
// arrays that the call names. Only elements of vertices that functions were
// called for can therefore have changed. If these are few, a journal records
// them, so that a resumed run need not repeat the call.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_OOC_MEMORY_CALLCHANGES_H
#define HEDDLE_GRAPH_DETAIL_OOC_MEMORY_CALLCHANGES_H

#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/ooc/memory/WindowPool.h"
#include "heddle/graph/detail/ooc/recovery/Checkpoint.h"
#include "heddle/graph/ooc/Layout.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace heddle::graph::ooc {

/// The vertices of a batch that functions were called for, as long as they are
/// few. Used by one thread.
class TouchedVertices {
public:
  static constexpr std::size_t Most = std::size_t(1) << 14;

  void clear() {
    vertices.resize(Most);
    count = 0;
  }

  /// Adds a vertex by its index in the batch. It may be in the list already.
  void add(std::uint64_t vertex) {
    if (count < Most)
      vertices[count] = static_cast<std::uint32_t>(vertex);
    ++count;
  }

  bool areTooMany() const { return count > Most; }

  /// The vertices, unless they are too many. The caller may reorder them.
  std::span<std::uint32_t> list() {
    HEDDLE_ASSERT(!areTooMany());
    return {vertices.data(), count};
  }

private:
  std::vector<std::uint32_t> vertices;
  std::size_t count = 0;
};

/// Records the changes of the current call.
class CallChanges {
public:
  /// The changes of a call that changes more are not recorded.
  static constexpr std::uint64_t MostBytes = std::uint64_t(1) << 18;

  CallChanges(const GraphLayout &layout, const Share &share, bool areWanted)
      : layout(layout), firstPartition(share.firstPartition),
        areWanted(areWanted), areKnown_(areWanted),
        ofPartitions(share.partitions()) {}

  /// Called before a function of the call works on a batch, on some of its
  /// vertices if `isForSome`, and otherwise on all. Returns the list for the
  /// vertices, or null if it is not needed. On any thread.
  TouchedVertices *begin(std::span<const ArrayUse> uses, bool isForSome,
                         TouchedVertices &touched);

  /// Called after the function, with the result of begin(), while the windows
  /// of the batch are in memory. On the same thread.
  void end(std::span<const ArrayUse> uses, std::size_t batch,
           TouchedVertices *touched);

  /// Whether all changes of the call are recorded.
  bool areKnown() const { return areKnown_; }

  /// Whether the call has changed nothing.
  bool areNone() const { return areKnown_ && bytes == 0; }

  /// The changes of a partition, as applyChanges() takes them.
  const std::string &ofPartition(std::size_t partition) const {
    return ofPartitions[partition - firstPartition];
  }

  /// Begins the next call.
  void clear();

  /// Stops recording the changes of this call. On any thread.
  void giveUp() { areKnown_ = false; }

private:
  const GraphLayout &layout;
  const std::size_t firstPartition;
  const bool areWanted;
  std::atomic<bool> areKnown_;
  std::atomic<std::uint64_t> bytes = 0;
  std::mutex mutex;
  std::vector<std::string> ofPartitions;
};

/// Applies the recorded changes to a partition's checkpoint. Changed windows
/// are written to new slots, and are on the device when this returns. Throws
/// Error if a window is damaged, or if the checkpoint or its changes refer to
/// what the graph and the files do not have, and WriteError.
void applyChanges(const GraphLayout &layout, std::size_t partition,
                  const RunDirectory &directory, Checkpoint &checkpoint);

} // namespace heddle::graph::ooc

#endif
