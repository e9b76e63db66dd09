//===- VertexData.h - The vertex arrays of a rank --------------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_DETAIL_OOC_MEMORY_VERTEXDATA_H
#define HEDDLE_GRAPH_DETAIL_OOC_MEMORY_VERTEXDATA_H

#include "heddle/graph/detail/ooc/memory/BatchScope.h"

#include <cstddef>
#include <deque>
#include <span>

namespace heddle::graph::ooc {

/// The vertex arrays of a rank, and their changes in the current call.
class VertexData {
public:
  /// Records changes if `areChangesWanted`. WindowPool describes the rest.
  VertexData(const GraphLayout &layout, const Share &share,
             std::deque<CheckedFile> &partFiles,
             const std::deque<RunDirectory> &directories, bool areChangesWanted)
      : windows(layout, share, partFiles, directories),
        changes(layout, share, areChangesWanted) {}

  /// Holds the windows of a batch in memory for a thread (BatchScope).
  BatchScope enter(std::span<const ArrayUse> uses, std::size_t batch,
                   IoQueue &queue, bool isForSome, TouchedVertices &touched) {
    return {windows, changes, uses, batch, queue, isForSome, touched};
  }

  WindowPool windows;
  CallChanges changes;
};

} // namespace heddle::graph::ooc

#endif
