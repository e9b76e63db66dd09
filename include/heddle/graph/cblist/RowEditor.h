//===- RowEditor.h - The edges of one vertex, changed ----------*- C++ -*-===//
//
// Few edges are moved within a small chunk, which grows by a line at a time;
// once they are too many they become a tree, and a small chunk again when they
// are half of what fits it (GastCoCo, section 4.2).
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_CBLIST_ROWEDITOR_H
#define HEDDLE_GRAPH_CBLIST_ROWEDITOR_H

#include "heddle/graph/cblist/TreeEditor.h"

#include <array>
#include <new>

namespace heddle::graph::cblist {

/// Keeps the chain while other threads change other rows.
template <typename Layout> struct KeepChain {
  using Link = typename Rows<Layout>::Link;
};

/// Leaves the chain's links to rows that begin with another chunk to who
/// changes many of them and repairs the links then.
template <typename Layout> struct LeaveChain {
  struct Link {
    Link(Rows<Layout> &, typename Layout::VertexId) {}
    Line *next() const { return nullptr; }
    void setNext(Line *) {}
  };
};

/// Changes the row of one vertex, for the thread that holds its lock or that
/// has the rows for itself. `Chain` is KeepChain or LeaveChain. What needs
/// memory throws std::bad_alloc and has then done nothing.
template <typename Layout, typename Chain> class RowEditor {
public:
  using VertexId = typename Layout::VertexId;
  using Weight = typename Layout::Weight;
  using Record = VertexRecord<VertexId>;

  RowEditor(Rows<Layout> &rows, VertexId vertex)
      : rows(rows), store(rows.store()), record(rows.record(vertex)),
        vertex(vertex) {}

  /// False if the edge is there already.
  bool insert(VertexId target, Weight weight) {
    const Chunk<Layout> chunk = findChunk<Layout>(record.root, target);
    const unsigned position = chunk.position(target);
    if (chunk.holds(position, target))
      return false;
    insertAt(chunk, position, target, weight);
    return true;
  }

  /// False if it is not there.
  bool erase(VertexId target) {
    const Chunk<Layout> chunk = findChunk<Layout>(record.root, target);
    const unsigned position = chunk.position(target);
    if (!chunk.holds(position, target))
      return false;
    eraseAt(chunk, position);
    return true;
  }

  /// False if it is not there or has no weight.
  bool assign(VertexId target, Weight weight) {
    Chunk<Layout> chunk = findChunk<Layout>(record.root, target);
    const unsigned position = chunk.position(target);
    if (!Layout::IsWeighted || !chunk.holds(position, target))
      return false;
    chunk.setWeight(position, weight);
    return true;
  }

  /// Adds an edge that is not there; `chunk` and `position` are where it would
  /// be. True if the other edges are still in the chunks where they were.
  bool insertAt(Chunk<Layout> chunk, unsigned position, VertexId target,
                Weight weight) {
    const bool isTree = record.level() != 0;
    const unsigned most = isTree ? Layout::MostLeafEdges
                          : record.isEmpty()
                              ? 0
                              : Layout::chunkEdges(chunk.header().lines());
    if (chunk.count() < most) {
      chunk.insert(position, target, weight);
      ++record.size;
      return true;
    }
    if (isTree) {
      TreeEditor<Layout>(store, record, vertex)
          .insertIntoFullLeaf(target, weight);
      ++record.size;
    } else {
      outgrow(chunk, position, target, weight);
    }
    return false;
  }

  /// True if the other edges are still in the chunks where they were.
  bool eraseAt(Chunk<Layout> chunk, unsigned position) {
    if (record.size == 1) {
      clear();
      return false;
    }
    const VertexId target = chunk.targets()[position];
    chunk.erase(position);
    --record.size;
    bool isInPlace = true;
    if (record.level() != 0 && chunk.count() < Layout::FewestLeafEdges) {
      TreeEditor<Layout>(store, record, vertex).refill(target);
      isInPlace = false;
    }
    if (isTooLarge()) {
      makeSmaller();
      isInPlace = false;
    }
    return isInPlace;
  }

  /// Removes all edges.
  void clear() {
    if (record.isEmpty())
      return;
    {
      typename Chain::Link link(rows, vertex);
      link.setNext(lastChunk<Layout>(record.root).next().line());
      rows.occupiedRows().erase(vertex);
    }
    giveRow<Layout>(store, record.root);
    record.setPieces({});
    record.size = 0;
  }

  /// Replaces the row by one of `size` edges, which `write` appends to
  /// what it is given.
  template <typename Write> void rewrite(VertexId size, Write write) {
    if (size == 0) {
      clear();
      return;
    }
    const RowPlan<Layout> plan(size);
    PieceSupply<Layout> supply(store, plan.pieces());
    RowWriter<Layout, PieceSupply<Layout>> writer(plan, supply, vertex);
    write(writer);
    replace(writer.finish(nullptr), size);
  }

private:
  /// Replaces the row by pieces whose last chunk leads to nothing yet.
  void replace(const RowPieces &pieces, VertexId size) {
    Line *const root = record.root;
    if (record.isEmpty()) {
      typename Chain::Link link(rows, vertex);
      lastChunk<Layout>(pieces.root).setNext(Chunk<Layout>(link.next()));
      link.setNext(pieces.first);
      record.setPieces(pieces);
      rows.occupiedRows().insert(vertex);
    } else {
      // The next row's link is ours, and may be set while we wait for another.
      typename Chain::Link link(rows, vertex);
      lastChunk<Layout>(pieces.root).setNext(lastChunk<Layout>(root).next());
      link.setNext(pieces.first);
      record.setPieces(pieces);
      giveRow<Layout>(store, root);
    }
    record.size = size;
  }

  /// So many edges must fit the smaller chunk that a row is given, that it does
  /// not grow and shrink by turns.
  static constexpr unsigned SpareEdges = Layout::chunkEdges(1) / 2;

  /// Whether fewer or smaller pieces would do, with room for what may come.
  bool isTooLarge() const {
    if (record.level() != 0)
      return record.size <= Layout::DemotedEdges;
    const unsigned lines = Piece(record.root).header().lines();
    return lines > 1 &&
           record.size + SpareEdges <= Layout::chunkEdges(lines - 1);
  }

  /// A chunk that is larger than the one, if any, that is full, or a tree.
  void outgrow(Chunk<Layout> chunk, unsigned position, VertexId target,
               Weight weight) {
    rewrite(record.size + 1, [&](auto &writer) {
      const unsigned edges = chunk.count();
      for (unsigned i = 0; i < position; ++i)
        writer.append(chunk.targets()[i], chunk.weight(i));
      writer.append(target, weight);
      for (unsigned i = position; i < edges; ++i)
        writer.append(chunk.targets()[i], chunk.weight(i));
    });
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
