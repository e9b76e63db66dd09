//===- RowEditor.h - The edges of one vertex, changed ----------*- C++ -*-===//
//
// A row with few edges is stored in the vertex record. A row with more is in a
// small chunk, which grows one line at a time; with still more edges it becomes
// a tree. A tree becomes a small chunk again when its edges fill half of one
// (GastCoCo, section 4.2).
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_CBLIST_ROWEDITOR_H
#define HEDDLE_GRAPH_DETAIL_CBLIST_ROWEDITOR_H

#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/cblist/Rows.h"
#include "heddle/graph/detail/cblist/TreeEditor.h"

#include <new>

namespace heddle::graph::cblist {

/// Changes the row of one vertex. The thread must hold its lock or have
/// exclusive access to the rows. Functions that need memory throw
/// std::bad_alloc and have then changed nothing.
template <typename Layout> class RowEditor {
public:
  using VertexId = typename Layout::VertexId;
  using Weight = typename Layout::Weight;
  using Record = VertexRecord<Layout>;

  RowEditor(Rows<Layout> &rows, VertexId vertex)
      : rows(rows), store(rows.store()), record(rows.record(vertex)),
        vertex(vertex) {}

  /// Returns false if the edge is there.
  bool insert(VertexId target, Weight weight) {
    const Place place = findPlace(record, target);
    if (!place.isThere)
      insertAt(place, target, weight);
    return !place.isThere;
  }

  /// Returns false if the edge is not there.
  bool erase(VertexId target) {
    const Place place = findPlace(record, target);
    if (place.isThere)
      eraseAt(place);
    return place.isThere;
  }

  /// Returns false if the edge is not there or the graph is unweighted.
  bool assign(VertexId target, Weight weight) {
    const Place place = findPlace(record, target);
    if (!Layout::IsWeighted || !place.isThere)
      return false;
    slotsAt(record, place).setWeight(place.position, weight);
    return true;
  }

  /// Inserts an edge that does not exist at its position. Returns whether the
  /// other edges are still in the record or in the same chunks.
  bool insertAt(const Place &place, VertexId target, Weight weight) {
    HEDDLE_ASSERT(!place.isThere && !record.isDeleted());
    HEDDLE_ASSERT((place.chunk == nullptr) == record.isInline());
    if (place.chunk == nullptr) {
      if (record.size == Layout::InlineEdges) {
        outgrow(place, target, weight);
        return false;
      }
      record.slots().insert(static_cast<unsigned>(record.size), place.position,
                            target, weight);
      ++record.size;
      return true;
    }
    Chunk<Layout> chunk(place.chunk);
    const bool isTree = record.level() != 0;
    const unsigned most =
        isTree ? Layout::MostLeafEdges : Layout::chunkEdges(record.rootLines());
    if (chunk.count() < most) {
      chunk.insert(place.position, target, weight);
      ++record.size;
      return true;
    }
    if (isTree) {
      TreeEditor<Layout>(store, record).insertIntoFullLeaf(target, weight);
      ++record.size;
    } else {
      outgrow(place, target, weight);
    }
    return false;
  }

  /// Erases the edge at a position. Returns whether the other edges are still
  /// in the record or in the same chunks.
  bool eraseAt(const Place &place) {
    HEDDLE_ASSERT(place.isThere);
    HEDDLE_ASSERT((place.chunk == nullptr) == record.isInline());
    if (place.chunk == nullptr) {
      record.slots().erase(static_cast<unsigned>(record.size), place.position);
      --record.size;
      return true;
    }
    if (record.size == Layout::InlineEdges + 1) {
      takeInline(place);
      return false;
    }
    Chunk<Layout> chunk(place.chunk);
    const VertexId target = chunk.targets()[place.position];
    chunk.erase(place.position);
    --record.size;
    bool isInPlace = true;
    if (record.level() != 0 && chunk.count() < Layout::FewestLeafEdges) {
      TreeEditor<Layout>(store, record).refill(target);
      isInPlace = false;
    }
    if (isTooLarge()) {
      makeSmaller();
      isInPlace = false;
    }
    return isInPlace;
  }

  /// Replaces the row by one of `size` edges, which `write` appends to the
  /// writer that it is given.
  template <typename Write> void rewrite(std::size_t size, Write write) {
    const RowPlan<Layout> plan(size);
    PieceSupply<Layout> supply(store, plan.pieces());
    RowWriter<Layout, PieceSupply<Layout>> writer(plan, supply);
    write(writer);
    const RowBody<Layout> &body = writer.finish();
    if (!record.isInline())
      givePieces<Layout>(store, record.root());
    record.setRow(body, plan.leaves(), size);
  }

private:
  /// A row moves to a smaller chunk only if there is room for this many more
  /// edges, so that it does not grow and shrink by turns.
  static constexpr unsigned SpareEdges = Layout::chunkEdges(1) / 2;

  /// Whether fewer or smaller pieces suffice, with room for some more edges.
  bool isTooLarge() const {
    if (record.level() != 0)
      return record.size <= Layout::DemotedEdges;
    const unsigned lines = record.rootLines();
    return lines > 1 &&
           record.size + SpareEdges <= Layout::chunkEdges(lines - 1);
  }

  /// Moves the row with a new edge to a larger chunk or to a tree.
  void outgrow(const Place &place, VertexId target, Weight weight) {
    rewrite(std::size_t(record.size) + 1, [&](auto &writer) {
      const auto slots = slotsAt(record, place);
      const auto edges = static_cast<unsigned>(record.size);
      for (unsigned i = 0; i < place.position; ++i)
        writer.append(slots.targets[i], slots.weight(i));
      writer.append(target, weight);
      for (unsigned i = place.position; i < edges; ++i)
        writer.append(slots.targets[i], slots.weight(i));
    });
  }

  /// Moves the row without one edge to the record, which takes no memory.
  void takeInline(const Place &place) {
    const VertexId erased =
        Chunk<Layout>(place.chunk).targets()[place.position];
    rewrite(Layout::InlineEdges, [&](auto &writer) {
      for (const auto edge : rows[vertex])
        if (edge.target != erased)
          writer.append(edge.target, edge.weight);
    });
    HEDDLE_ASSERT(record.isInline());
  }

  /// Moves the row to a smaller chunk. If there is no memory for it, the old
  /// pieces stay, which are still valid.
  void makeSmaller() {
    try {
      rewrite(record.size, [&](auto &writer) {
        for (const auto edge : rows[vertex])
          writer.append(edge.target, edge.weight);
      });
    } catch (const std::bad_alloc &) {
    }
  }

  Rows<Layout> &rows;
  LineStore &store;
  Record &record;
  const VertexId vertex;
};

} // namespace heddle::graph::cblist

#endif
