//===- UpdateBatch.h - Many updates at once --------------------*- C++ -*-===//
//
// Updates are sorted by row, and those of one row are one iteration of an
// annotated loop (GastCoCo, section 6.1): no row is locked, and what the search
// for a place waits for is hidden behind the searches of other rows. Many
// updates of one row are merged with its edges instead.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_CBLIST_UPDATEBATCH_H
#define HEDDLE_GRAPH_CBLIST_UPDATEBATCH_H

#include "heddle/graph/cblist/RowEditor.h"
#include "heddle/graph/cblist/UpdateSort.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace heddle::graph::cblist {

/// The updates that a batch has for the rows of one direction. prepare() does
/// all that may fail and changes nothing; apply() cannot fail.
template <typename Layout> class UpdateBatch {
public:
  using VertexId = typename Layout::VertexId;
  using Weight = typename Layout::Weight;
  using Update = RowUpdate<VertexId, Weight>;
  using Record = VertexRecord<VertexId>;

  /// `updates` are in the order in which they would be done one by one.
  UpdateBatch(Rows<Layout> &rows, Array<Update> updates)
      : rows(rows), updates(std::move(updates)) {}

  /// Throws std::bad_alloc.
  void prepare() {
    UpdateSort<VertexId, Weight>(updates, rows.vertexCount()).sort();
    findGroups();
    rows.store().reserve(linesToReserve());
  }

  /// Returns how many of the updates that `isCounted(row, target)` did
  /// something.
  template <typename Counted> std::size_t apply(Counted isCounted) noexcept {
    std::size_t done = 0;
    std::uint64_t added = 0;
#pragma omp parallel for schedule(dynamic, 256)                                \
    reduction(+ : done, added) if (worthThreads(groups))
#pragma heddle async
    for (std::size_t group = 0; group < groups; ++group) {
      const Update *update = begin(group);
      const Update *const end = begin(group + 1);
      const Record &record = rows.record(update->row);
      const VertexId sizeBefore = record.size;
      const Line *const firstBefore = record.first;
      if (flags[group] == Merged) {
        done += merge(update, end, isCounted);
      } else {
        while (update != end) {
          const VertexId target = update->target;
          const Chunk<Layout> chunk = findChunk<Layout>(record.root, target);
          const unsigned position = chunk.position(target);
          done += applyAt(chunk, position, update, end, isCounted);
          do
            ++update;
          while (update != end && update->target == target);
        }
      }
      added += std::uint64_t(record.size) - sizeBefore;
      flags[group] = record.first != firstBefore ? FrontChanged : FrontKept;
    }
    rows.addEdges(added);
    repairChain();
    return done;
  }

private:
  using Editor = RowEditor<Layout, LeaveChain<Layout>>;

  /// How a group is done, and what then became of its row.
  enum Flag : std::uint8_t { OneByOne, Merged, FrontKept, FrontChanged };

  /// How many updates of a kind a group has.
  struct Tally {
    std::size_t adds = 0, deletes = 0, all = 0;
  };

  const Update *begin(std::size_t group) const {
    return updates.data() + groupBegin[group];
  }

  void findGroups() {
    const auto isFirst = [&](std::size_t i) {
      return i == 0 || updates[i].row != updates[i - 1].row;
    };
    for (std::size_t i = 0; i < updates.size(); ++i)
      groups += isFirst(i);
    groupBegin = Array<std::size_t>(groups + 1);
    flags = Array<std::uint8_t>(groups);
    std::size_t group = 0;
    for (std::size_t i = 0; i < updates.size(); ++i)
      if (isFirst(i))
        groupBegin[group++] = i;
    groupBegin[groups] = updates.size();
  }

  /// Decides how each group is done. Returns how many lines all may take.
  std::size_t linesToReserve() {
    std::size_t lines = 0;
#pragma omp parallel for schedule(dynamic, 1024)                               \
    reduction(+ : lines) if (worthThreads(groups))
#pragma heddle async
    for (std::size_t group = 0; group < groups; ++group) {
      const Update *const first = begin(group);
      const Update *const end = begin(group + 1);
      Tally tally;
      for (const Update *update = first; update != end; ++update) {
        tally.adds += update->mode == UpdateMode::Add;
        tally.deletes += update->mode == UpdateMode::Delete;
      }
      tally.all = static_cast<std::size_t>(end - first);
      const Record &record = rows.record(first->row);
      const std::size_t size = record.size, leaves = record.level();
      const bool merged = isMerged(size, leaves, tally);
      flags[group] = merged ? Merged : OneByOne;
      lines += mostLines(size, leaves, tally, merged);
    }
    return lines;
  }

  static bool isMerged(std::size_t size, std::size_t leaves,
                       const Tally &tally) {
    constexpr std::size_t FewInChunk = 4, ManyShare = 8;
    if (tally.all == 1 || (tally.adds == 0 && tally.deletes == 0))
      return false;
    if (leaves == 0)
      return tally.deletes != 0 || tally.all > FewInChunk ||
             size + tally.adds > Layout::MostChunkEdges;
    return tally.all >= size / ManyShare ||
           size <= Layout::DemotedEdges + tally.deletes;
  }

  /// At most so many lines are taken for a group, whatever is given back.
  static std::size_t mostLines(std::size_t size, std::size_t leaves,
                               const Tally &tally, bool merged) {
    constexpr std::size_t Chunk = Layout::linesWithBlock(Layout::ChunkLines);
    if (tally.adds == 0 && tally.deletes == 0)
      return 0;
    if (merged || (leaves == 0 && tally.all == 1))
      return std::max(
          Chunk,
          RowPlan<Layout>(size + tally.adds).pieces().template lines<Layout>());
    if (leaves == 0)
      return tally.adds * Chunk;
    return Chunk + mostLinesOfSplits(leaves, tally.adds);
  }

  /// Each new piece of a level is inserted in the one above and may split a
  /// node there: first one that was there before, then, after a quarter of what
  /// it holds, a part of one.
  static std::size_t mostLinesOfSplits(std::size_t leaves, std::size_t adds) {
    const auto splits = [](std::size_t pieces, std::size_t added,
                           std::size_t most) {
      return std::min(added, pieces + 4 * added / most + 1);
    };
    std::size_t added = splits(leaves, adds, Layout::MostLeafEdges);
    const std::size_t newLeaves = added;
    std::size_t nodes = leaves, newNodes = 0;
    while (nodes > 1) {
      nodes = std::max<std::size_t>(1, nodes / Layout::FewestChildren);
      added = splits(nodes, added, Layout::MostChildren);
      newNodes += added;
    }
    // Where the root has become several, there is at most one node less above.
    newNodes += added;
    return newLeaves * Layout::linesWithBlock(Layout::NodeLines) +
           newNodes * Layout::NodeLines;
  }

  /// Does what updates of one edge ask for, one after the other, with the edge
  /// as it is. Returns how many did something.
  static std::size_t play(const Update *&update, const Update *end,
                          bool &exists, Weight &weight) {
    std::size_t done = 0;
    const VertexId target = update->target;
    for (; update != end && update->target == target; ++update) {
      const bool acts = update->mode == UpdateMode::Add ? !exists
                        : update->mode == UpdateMode::Delete
                            ? exists
                            : exists && Layout::IsWeighted;
      if (!acts)
        continue;
      exists = update->mode != UpdateMode::Delete;
      weight = update->weight;
      ++done;
    }
    return done;
  }

  /// Does the first updates of a group, which are of one edge.
  template <typename Counted>
  [[gnu::noinline]] std::size_t applyAt(Chunk<Layout> chunk, unsigned position,
                                        const Update *update, const Update *end,
                                        Counted isCounted) noexcept {
    const VertexId row = update->row, target = update->target;
    const bool found = chunk.holds(position, target);
    bool exists = found;
    Weight weight = found ? chunk.weight(position) : Weight();
    const std::size_t done = play(update, end, exists, weight);
    if (found && exists)
      chunk.setWeight(position, weight);
    else if (exists)
      Editor(rows, row).insertAt(chunk, position, target, weight);
    else if (found)
      Editor(rows, row).eraseAt(chunk, position);
    return isCounted(row, target) ? done : 0;
  }

  /// How many updates do something, and how many of them are counted.
  struct Done {
    std::size_t all = 0, counted = 0;
  };

  /// Calls `visit` with the edges that a row will have.
  template <typename Counted, typename Visit>
  Done forEachMerged(const Update *update, const Update *end, Counted isCounted,
                     Visit visit) const {
    const VertexId row = update->row;
    Done done;
    const auto range = rows[row];
    auto edge = range.begin();
    const auto behind = range.end();
    while (update != end) {
      const VertexId target = update->target;
      for (; edge != behind && (*edge).target < target; ++edge)
        visit((*edge).target, (*edge).weight);
      bool exists = edge != behind && (*edge).target == target;
      Weight weight = exists ? (*edge).weight : Weight();
      if (exists)
        ++edge;
      const std::size_t acts = play(update, end, exists, weight);
      done.all += acts;
      done.counted += isCounted(row, target) ? acts : 0;
      if (exists)
        visit(target, weight);
    }
    for (; edge != behind; ++edge)
      visit((*edge).target, (*edge).weight);
    return done;
  }

  /// Rewrites the row of a group.
  template <typename Counted>
  [[gnu::noinline]] std::size_t merge(const Update *update, const Update *end,
                                      Counted isCounted) noexcept {
    VertexId size = 0;
    const Done done = forEachMerged(update, end, isCounted,
                                    [&](VertexId, Weight) { ++size; });
    if (done.all == 0)
      return 0;
    Editor(rows, update->row).rewrite(size, [&](auto &writer) {
      forEachMerged(update, end, isCounted,
                    [&](VertexId target, Weight weight) {
                      writer.append(target, weight);
                    });
    });
    return done.counted;
  }

  /// Rows that begin with another chunk, or with one at all, or have none any
  /// more.
  void repairChain() noexcept {
#pragma omp parallel for schedule(dynamic, 1024) if (worthThreads(groups))
    for (std::size_t group = 0; group < groups; ++group) {
      if (flags[group] != FrontChanged)
        continue;
      const VertexId row = begin(group)->row;
      rows.linkBefore(row);
      if (rows.degree(row) != 0)
        rows.linkBefore(row + 1);
    }
  }

  Rows<Layout> &rows;
  Array<Update> updates;
  std::size_t groups = 0;
  Array<std::size_t> groupBegin;
  Array<std::uint8_t> flags;
};

} // namespace heddle::graph::cblist

#endif
