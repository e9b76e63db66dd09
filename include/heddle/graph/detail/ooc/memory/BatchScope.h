//===- BatchScope.h - A batch while a thread works on it -------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_DETAIL_OOC_MEMORY_BATCHSCOPE_H
#define HEDDLE_GRAPH_DETAIL_OOC_MEMORY_BATCHSCOPE_H

#include "heddle/graph/detail/ooc/memory/CallChanges.h"
#include "heddle/graph/detail/ooc/memory/WindowPool.h"

#include <cstddef>
#include <span>

namespace heddle::graph::ooc {

/// Holds the windows of a batch in memory.
class WindowScope {
public:
  /// Loads the windows. Throws the exceptions of WindowPool::acquire().
  WindowScope(WindowPool &pool, std::span<const ArrayUse> uses,
              std::size_t batch, IoQueue &queue)
      : pool(pool), uses(uses), batch(batch) {
    pool.acquire(uses, batch, queue);
  }
  ~WindowScope() { pool.release(uses, batch); }
  WindowScope(const WindowScope &) = delete;
  WindowScope &operator=(const WindowScope &) = delete;

private:
  WindowPool &pool;
  const std::span<const ArrayUse> uses;
  const std::size_t batch;
};

/// Holds the windows of a batch in memory while functions of a call change
/// them, and records the changes. Without a finish(), because something failed,
/// the changes of the call count as unknown.
class BatchScope {
public:
  /// The functions are called for some of the vertices if `isForSome`, and
  /// otherwise for all. `touched` is the calling thread's list.
  BatchScope(WindowPool &pool, CallChanges &changes,
             std::span<const ArrayUse> uses, std::size_t batch, IoQueue &queue,
             bool isForSome, TouchedVertices &touched)
      : windows(pool, uses, batch, queue), changes(changes), uses(uses),
        batch(batch), touched(changes.begin(uses, isForSome, touched)) {}
  ~BatchScope() {
    if (!isFinished)
      changes.giveUp();
  }

  /// The list for the vertices that functions are called for, by their index in
  /// the batch; null if it is not needed.
  TouchedVertices *list() const { return touched; }

  /// Records the changes. Throws std::bad_alloc.
  void finish() {
    changes.end(uses, batch, touched);
    isFinished = true;
  }

private:
  WindowScope windows;
  CallChanges &changes;
  const std::span<const ArrayUse> uses;
  const std::size_t batch;
  TouchedVertices *const touched;
  bool isFinished = false;
};

} // namespace heddle::graph::ooc

#endif
