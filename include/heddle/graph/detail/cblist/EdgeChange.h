//===- EdgeChange.h - One edge in the rows of both its ends ----*- C++ -*-===//
//
// Any number of threads may change edges at once. All threads lock rows in the
// same order, which rules out deadlocks: rows of out-edges before rows of
// in-edges, and within each, higher vertices before lower ones.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_CBLIST_EDGECHANGE_H
#define HEDDLE_GRAPH_DETAIL_CBLIST_EDGECHANGE_H

#include "heddle/graph/Update.h"
#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/cblist/RowEditor.h"

#include <algorithm>
#include <cstdint>
#include <mutex>

namespace heddle::graph::cblist {

/// A change of one edge in both of its rows: one of out-edges and one of
/// in-edges or, in an undirected graph, the rows of both ends.
template <typename Layout> class EdgeChange {
public:
  using VertexId = typename Layout::VertexId;
  using Weight = typename Layout::Weight;

  /// `in` is not used if the graph is undirected.
  EdgeChange(Rows<Layout> &out, Rows<Layout> &in, bool directed, VertexId from,
             VertexId to)
      : first{out, directed ? from : std::max(from, to),
              directed ? to : std::min(from, to)},
        second{directed ? in : out, first.target, first.vertex},
        isOnce(!directed && from == to) {
    HEDDLE_ASSERT(directed || first.vertex >= second.vertex);
  }

  /// Applies the update as CBList::updateEdge() documents; both ends must
  /// exist. Throws std::bad_alloc and has then changed nothing.
  bool apply(UpdateMode mode, Weight weight) {
    // The lock of the first row protects the edge.
    const std::lock_guard lock(first.rows.record(first.vertex));
    switch (mode) {
    case UpdateMode::Add:
      if (first.rows.record(first.vertex).isDeleted() ||
          first.rows.record(first.target).isDeleted())
        return false;
      return changeBothRows(
          [&](Editor &row, VertexId target) {
            return row.insert(target, weight);
          },
          1);
    case UpdateMode::Delete:
      return changeBothRows(
          [](Editor &row, VertexId target) { return row.erase(target); }, -1);
    case UpdateMode::Modify:
      return changeBothRows(
          [&](Editor &row, VertexId target) {
            return row.assign(target, weight);
          },
          0);
    }
    return false;
  }

private:
  using Editor = RowEditor<Layout>;

  /// A row of the edge, and the edge's target there.
  struct End {
    Rows<Layout> &rows;
    VertexId vertex, target;
  };

  /// Changes both rows, of which the first is locked. `change` returns whether
  /// it had an effect.
  template <typename Change> bool changeBothRows(Change change, int added) {
    Editor row(first.rows, first.vertex);
    if (!change(row, first.target))
      return false;
    if (!isOnce) {
      try {
        const std::lock_guard lock(second.rows.record(second.vertex));
        Editor otherRow(second.rows, second.vertex);
        const bool changed = change(otherRow, second.target);
        HEDDLE_ASSERT(changed); // both rows have the edge, or neither has
      } catch (...) {
        // Only adding an edge allocates memory, so the edge was added to the
        // first row.
        row.erase(first.target);
        throw;
      }
    }
    first.rows.addEdges(static_cast<std::uint64_t>(added));
    if (!isOnce)
      second.rows.addEdges(static_cast<std::uint64_t>(added));
    return true;
  }

  const End first, second;
  const bool isOnce;
};

} // namespace heddle::graph::cblist

#endif
