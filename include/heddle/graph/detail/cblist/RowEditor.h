//===- RowEditor.h - The edges of one vertex, changed ----------*- C++ -*-===//
//
// Few edges are moved within the vertex record, more within a small chunk,
// which grows by a line at a time; once they are too many they become a tree,
// and a small chunk again when they are half of what fits it (GastCoCo,
// section 4.2).
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_CBLIST_ROWEDITOR_H
#define HEDDLE_GRAPH_DETAIL_CBLIST_ROWEDITOR_H

#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/cblist/Rows.h"
#include "heddle/graph/detail/cblist/TreeEditor.h"

#include <new>

namespace heddle::graph::cblist {

/// Changes the row of one vertex, for the thread that holds its lock or that
/// has the rows for itself. What needs memory throws std::bad_alloc and has
/// then done nothing.
template <typename Layout> class RowEditor {
public:
  using VertexId = typename Layout::VertexId;
  using Weight = typename Layout::Weight;
  using Record = VertexRecord<Layout>;

  RowEditor(Rows<Layout> &rows, VertexId vertex)
      : rows(rows), store(rows.store()), record(rows.record(vertex)),
        vertex(vertex) {}

  /// False if the edge is there already.
  bool insert(VertexId target, Weight weight) {
    const Place place = findPlace(record, target);
    if (!place.isThere)
      insertAt(place, target, weight);
    return !place.isThere;
  }

  /// False if it is not there.
  bool erase(VertexId target) {
    const Place place = findPlace(record, target);
    if (place.isThere)
      eraseAt(place);
    return place.isThere;
  }

  /// False if it is not there or has no weight.
  bool assign(VertexId target, Weight weight) {
    const Place place = findPlace(record, target);
    if (!Layout::IsWeighted || !place.isThere)
      return false;
    slotsAt(record, place).setWeight(place.position, weight);
    return true;
  }

  /// Adds an edge that is not there at the place where it would be. True if the
  /// other edges are still in the record or the chunks where they were.
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

  /// True if the other edges are still in the record or the chunks where they
  /// were.
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

  /// Replaces the row by one of `size` edges, which `write` appends to
  /// what it is given.
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
  /// So many edges must fit the smaller chunk that a row is given, that it does
  /// not grow and shrink by turns.
  static constexpr unsigned SpareEdges = Layout::chunkEdges(1) / 2;

  /// Whether fewer or smaller pieces would do, with room for what may come.
  bool isTooLarge() const {
    if (record.level() != 0)
      return record.size <= Layout::DemotedEdges;
    const unsigned lines = record.rootLines();
    return lines > 1 &&
           record.size + SpareEdges <= Layout::chunkEdges(lines - 1);
  }

  /// A chunk that is larger than what is full, or a tree.
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

  /// Without one edge the others fit the record, which takes no memory.
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

  /// A smaller chunk instead of a large one or a tree, if there is memory for
  /// it: without, things are as right as before.
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
