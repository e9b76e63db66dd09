//===- CallChanges.h - What a call changes of the vertex data --*- C++ -*-===//
//
// Functions of a call touch their own vertex only, and the arrays that the call
// has named: so which elements may have changed is known from the vertices that
// were worked on. Where these are few, their elements are all that a run that
// is cut off needs of the call.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_OOC_MEMORY_CALLCHANGES_H
#define HEDDLE_GRAPH_DETAIL_OOC_MEMORY_CALLCHANGES_H

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

/// Vertices of a batch that were worked on, as long as they are few. Of one
/// thread.
class TouchedVertices {
public:
  static constexpr std::size_t Most = std::size_t(1) << 14;

  void clear() {
    vertices.resize(Most);
    count = 0;
  }

  /// Adds a vertex, by its place in the batch, which may be there already.
  void add(std::uint64_t vertex) {
    if (count < Most)
      vertices[count] = static_cast<std::uint32_t>(vertex);
    ++count;
  }

  bool areTooMany() const { return count > Most; }

  /// All of them, if they are not too many. May be put in another order.
  std::span<std::uint32_t> list() { return {vertices.data(), count}; }

private:
  std::vector<std::uint32_t> vertices;
  std::size_t count = 0;
};

/// What the calls of a run change, one call after the other.
class CallChanges {
public:
  /// A call that changes more is not followed to its end.
  static constexpr std::uint64_t MostBytes = std::uint64_t(1) << 18;

  CallChanges(const GraphLayout &layout, const Share &share, bool areWanted)
      : layout(layout), firstPartition(share.firstPartition),
        areWanted(areWanted), areKnown_(areWanted),
        ofPartitions(share.partitions()) {}

  /// Before a function that uses arrays so is called for vertices of a batch:
  /// where to put which of them these are, or null if nobody wants to know. It
  /// is called for all of them unless `isForSome`.
  TouchedVertices *begin(std::span<const ArrayUse> uses, bool isForSome,
                         TouchedVertices &touched);

  /// After that, with what begin() has returned, while the windows of the batch
  /// are in memory. By any thread.
  void end(std::span<const ArrayUse> uses, std::size_t batch,
           TouchedVertices *touched);

  /// Whether all that the call has changed is here.
  bool areKnown() const { return areKnown_; }

  /// Whether it has changed nothing.
  bool areNone() const { return areKnown_ && bytes == 0; }

  /// What applyChanges() takes.
  const std::string &ofPartition(std::size_t partition) const {
    return ofPartitions[partition - firstPartition];
  }

  /// The next call begins.
  void clear();

  /// The changes of this call are not recorded any more. On any thread.
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

/// Has a checkpoint of a partition be what calls have made of it: the windows
/// that they have changed go to new places, where the device has them when this
/// returns. Throws Error if those are damaged, and WriteError.
void applyChanges(const GraphLayout &layout, std::size_t partition,
                  const RunDirectory &directory, Checkpoint &checkpoint);

} // namespace heddle::graph::ooc

#endif
