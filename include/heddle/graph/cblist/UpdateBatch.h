//===- UpdateBatch.h - Many updates at once --------------------*- C++ -*-===//
//
// Updates are sorted by row, so that no row need be locked, and done in the
// paper's two steps, locating and operating (GastCoCo, sections 5.1 and 6.1).
// The first is an annotated loop, in which the updates of one row are one
// iteration: what the search for a place waits for is hidden behind the
// searches of other rows. Many updates of one row are merged with its edges
// instead.
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
    // So many that their searches hide what each other waits for, and few
    // enough that what they have found is still in the cache.
    constexpr std::size_t GroupsInBlock = 1024;
    std::size_t done = 0;
    std::uint64_t added = 0;
#pragma omp parallel for schedule(dynamic, 1)                                  \
    reduction(+ : done, added) if (worthThreads(groups))
    for (std::size_t first = 0; first < groups; first += GroupsInBlock) {
      const std::size_t last = std::min(first + GroupsInBlock, groups);
      locate(first, last);
      for (std::size_t group = first; group < last; ++group) {
        const Record &record = rows.record(begin(group)->row);
        const VertexId sizeBefore = record.size;
        const Line *const firstBefore = record.first;
        done += flags[group] == Merged ? merge(group, isCounted)
                                       : applyOneByOne(group, isCounted);
        added += std::uint64_t(record.size) - sizeBefore;
        flags[group] = record.first != firstBefore ? FrontChanged : FrontKept;
      }
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

  /// Where an edge is or would be.
  struct Place {
    Line *chunk;
    unsigned position;
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
    places = Array<Place>(updates.size());
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

  /// Finds the places of what some groups update. This is where a batch waits
  /// for memory, and all groups may wait at once.
  void locate(std::size_t first, std::size_t last) noexcept {
#pragma heddle async
    for (std::size_t group = first; group < last; ++group) {
      if (flags[group] == Merged)
        continue;
      const std::size_t end = groupBegin[group + 1];
      for (std::size_t i = groupBegin[group]; i < end; ++i) {
        const VertexId target = updates[i].target;
        const Chunk<Layout> chunk =
            findChunk<Layout>(rows.record(updates[i].row).root, target);
        places[i] = {chunk.line(), chunk.position(target)};
      }
    }
  }

  /// Does the updates of a group at the places that have been found.
  template <typename Counted>
  std::size_t applyOneByOne(std::size_t group, Counted isCounted) {
    const Update *const first = begin(group);
    const Update *const end = begin(group + 1);
    std::size_t done = 0;
    bool isInPlace = true;
    for (const Update *update = first; update != end;) {
      const VertexId row = update->row, target = update->target;
      const Place &place = places[groupBegin[group] + (update - first)];
      const Chunk<Layout> chunk =
          isInPlace ? Chunk<Layout>(place.chunk)
                    : findChunk<Layout>(rows.record(row).root, target);
      const unsigned position =
          update == first ? place.position : chunk.position(target);
      const std::size_t acts = applyAt(chunk, position, update, end, isInPlace);
      done += isCounted(row, target) ? acts : 0;
    }
    return done;
  }

  /// Does the next updates of a group, which are of one edge. Clears
  /// `isInPlace` if the group's other edges may now be elsewhere.
  std::size_t applyAt(Chunk<Layout> chunk, unsigned position,
                      const Update *&update, const Update *end,
                      bool &isInPlace) {
    const VertexId row = update->row, target = update->target;
    const bool found = chunk.holds(position, target);
    bool exists = found;
    Weight weight = found ? chunk.weight(position) : Weight();
    const std::size_t done = play(update, end, exists, weight);
    if (found && exists)
      chunk.setWeight(position, weight);
    else if (exists)
      isInPlace &= Editor(rows, row).insertAt(chunk, position, target, weight);
    else if (found)
      isInPlace &= Editor(rows, row).eraseAt(chunk, position);
    return done;
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
  std::size_t merge(std::size_t group, Counted isCounted) {
    const Update *const update = begin(group), *const end = begin(group + 1);
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
  Array<Place> places; ///< of all updates that are not merged
};

} // namespace heddle::graph::cblist

#endif
