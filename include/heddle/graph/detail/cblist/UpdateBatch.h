//===- UpdateBatch.h - Many updates at once --------------------*- C++ -*-===//
//
// Updates are sorted by row, so no row has to be locked. They are done in the
// paper's two steps, locating and operating (GastCoCo, sections 5.1 and 6.1).
// Locating is an annotated loop with one iteration per row: the cache misses of
// one search are hidden behind the searches in other rows. Both steps run for a
// block of updates at a time, so the chunks found are still in the cache when
// they are changed. Many updates of one row are merged with its edges instead.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_CBLIST_UPDATEBATCH_H
#define HEDDLE_GRAPH_DETAIL_CBLIST_UPDATEBATCH_H

#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/RowUpdates.h"
#include "heddle/graph/detail/Tasks.h"
#include "heddle/graph/detail/cblist/RowEditor.h"
#include "heddle/graph/detail/cblist/UpdatePlan.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace heddle::graph::cblist {

/// The updates of a batch for the rows of one direction. prepare() does all
/// that may fail and changes nothing; apply() cannot fail.
template <typename Layout> class UpdateBatch {
public:
  using VertexId = typename Layout::VertexId;
  using Weight = typename Layout::Weight;
  using Update = detail::RowUpdate<VertexId, Weight>;
  using Record = VertexRecord<Layout>;

  /// `updates` must be sorted by key.
  UpdateBatch(Rows<Layout> &rows, Array<Update> updates)
      : rows(rows), memory(std::move(updates)), updates(memory.data()),
        count(memory.size()) {
    HEDDLE_ASSERT(std::ranges::is_sorted(memory, {}, &Update::key));
  }

  /// Throws std::bad_alloc.
  void prepare() {
    rows.store().reserve(
        detail::sumOfTasks(blocks(), isShared(), [&](std::size_t index) {
          return linesForBlock(index);
        }));
  }

  /// Returns the number of updates that had an effect, counting only edges for
  /// which `isCounted(row, target)` is true.
  template <typename Counted> std::size_t apply(Counted isCounted) noexcept {
    return detail::sumOfTasks(blocks(), isShared(), [&](std::size_t index) {
      return applyBlock(index, isCounted);
    });
  }

private:
  using Editor = RowEditor<Layout>;
  using Plan = UpdatePlan<Layout>;

  /// Enough updates that their searches hide each other's cache misses, and few
  /// enough that the chunks found stay in the cache.
  static constexpr std::size_t UpdatesInBlock = 512;

  std::size_t blocks() const {
    return (count + UpdatesInBlock - 1) / UpdatesInBlock;
  }
  bool isShared() const { return worthThreads(count); }

  /// The updates of one row.
  struct Group {
    const Update *begin, *end;
    Tally tally;
    std::size_t size;     ///< of the row, before it is changed
    std::uint32_t leaves; ///< of the row, before it is changed
    bool isMerged;
  };

  /// The groups that begin in a block of updates.
  struct Block {
    std::array<Group, UpdatesInBlock> groups;
    std::size_t size = 0;
  };

  /// The chunks found for the first updates of a block.
  using Chunks = std::array<Line *, 2 * UpdatesInBlock>;

  void findGroups(std::size_t index, Block &block) const {
    const Update *const end = updates + count;
    const Update *update = updates + index * UpdatesInBlock;
    const Update *const next =
        updates + std::min((index + 1) * UpdatesInBlock, count);
    if (index != 0)
      while (update != next && update->row == update[-1].row)
        ++update;
    while (update < next) {
      HEDDLE_ASSERT(block.size < block.groups.size());
      Group &group = block.groups[block.size++];
      group.begin = update;
      group.tally = {0, 0, 0};
      do {
        group.tally.adds += update->mode == UpdateMode::Add;
        group.tally.deletes += update->mode == UpdateMode::Delete;
        ++update;
      } while (update != end && update->row == group.begin->row);
      group.end = update;
      group.tally.all = static_cast<std::size_t>(group.end - group.begin);
    }
  }

  /// An upper bound of the lines that the groups of a block take.
  std::size_t linesForBlock(std::size_t index) const {
    Block block;
    findGroups(index, block);
    readRows(block.groups.data(), block.size);
    std::size_t lines = 0;
    for (std::size_t i = 0; i < block.size; ++i) {
      const Group &group = block.groups[i];
      lines += Plan::mostLines(
          group.size, group.leaves, group.tally,
          Plan::isMerged(group.size, group.leaves, group.tally));
    }
    return lines;
  }

  /// Reads the vertex records of groups; the cache misses of many rows overlap.
  void readRows(Group *groups, std::size_t size) const noexcept {
    const Record *const records = rows.records();
#pragma heddle async
    for (std::size_t i = 0; i < size; ++i) {
      const Record &record = records[groups[i].begin->row];
      groups[i].size = record.size;
      groups[i].leaves = record.level();
    }
  }

  template <typename Counted>
  std::size_t applyBlock(std::size_t index, Counted isCounted) noexcept {
    Block block;
    findGroups(index, block);
    if (block.size == 0)
      return 0;
    Chunks chunks;
    locate(block.groups.data(), block.size, chunks.data());
    std::size_t done = 0;
    std::uint64_t added = 0;
    for (std::size_t i = 0; i < block.size; ++i) {
      const Group &group = block.groups[i];
      const auto offset =
          static_cast<std::size_t>(group.begin - block.groups[0].begin);
      done += group.isMerged ? merge(group, isCounted)
                             : applyOneByOne(group, chunks.data() + offset,
                                             chunks.size() - offset, isCounted);
      added += std::uint64_t(rows.degree(group.begin->row)) - group.size;
    }
    rows.addEdges(added);
    return done;
  }

  /// Decides how to apply groups, and finds the chunks of as many updates as
  /// `chunks` has room for. Loads all lines of a chunk, as a change moves their
  /// contents. Here a batch waits for memory, for all groups at once. For a
  /// group that is merged, one chunk is found, which is all that a small row
  /// has.
  void locate(Group *groups, std::size_t size, Line **chunks) const noexcept {
    const Record *const records = rows.records();
    const Update *const first = groups[0].begin;
    std::uint64_t seen = 0;
#pragma heddle async
    for (std::size_t i = 0; i < size; ++i) {
      const Update *const begin = groups[i].begin;
      const Record &record = records[begin->row];
      const std::size_t edges = record.size, leaves = record.level();
      const bool merged = Plan::isMerged(edges, leaves, groups[i].tally);
      groups[i].size = edges;
      groups[i].isMerged = merged;
      if (edges <= Layout::InlineEdges)
        continue;
      Line *const root = record.root();
      const unsigned depth = record.depth();
      const unsigned last =
          (depth == 0 ? record.rootLines() : Layout::NodeLines) - 1;
      const auto offset = static_cast<std::size_t>(begin - first);
      const std::size_t wanted = merged ? 1 : groups[i].tally.all;
      const std::size_t end =
          std::min(offset + wanted, std::tuple_size_v<Chunks>);
      for (std::size_t j = offset; j < end; ++j) {
        Line *const chunk =
            findChunk<Layout>(root, depth, first[j].target).line();
        seen += firstWord(chunk) + firstWord(chunk + std::min(1u, last)) +
                firstWord(chunk + std::min(2u, last)) + firstWord(chunk + last);
        chunks[j] = chunk;
      }
    }
    // Keeps the compiler from dropping the loads.
    volatile std::uint64_t unused = seen;
    static_cast<void>(unused);
  }

  static std::uint64_t firstWord(const Line *line) {
    std::uint64_t word;
    std::memcpy(&word, line->bytes, sizeof(word));
    return word;
  }

  /// Applies the updates of a group one by one, in the chunks that have been
  /// found.
  template <typename Counted>
  std::size_t applyOneByOne(const Group &group, Line *const *chunks,
                            std::size_t found, Counted isCounted) {
    const Record &record = rows.record(group.begin->row);
    std::size_t done = 0;
    bool isInPlace = true;
    for (const Update *update = group.begin; update != group.end;) {
      const VertexId row = update->row, target = update->target;
      const auto index = static_cast<std::size_t>(update - group.begin);
      const Place place = group.size <= Layout::InlineEdges && isInPlace
                              ? placeIn(record, nullptr, target)
                          : isInPlace && index < found
                              ? placeIn(record, chunks[index], target)
                              : findPlace(record, target);
      const std::size_t acts = applyAt(place, update, group.end, isInPlace);
      done += isCounted(row, target) ? acts : 0;
    }
    return done;
  }

  /// Returns the position of an edge that is or would be in a chunk or, without
  /// one, in the record.
  static Place placeIn(const Record &record, Line *chunk, VertexId target) {
    const auto slots = slotsAt(record, {chunk, 0, false});
    const auto size = chunk ? Chunk<Layout>(chunk).count()
                            : static_cast<unsigned>(record.size);
    const unsigned position = slots.positionNear(size, target);
    return {chunk, position,
            position < size && slots.targets[position] == target};
  }

  /// Applies the next updates of a group, all of one edge. Clears `isInPlace`
  /// if other edges of the group may have moved.
  std::size_t applyAt(const Place &place, const Update *&update,
                      const Update *end, bool &isInPlace) {
    const VertexId row = update->row, target = update->target;
    const auto slots = slotsAt(rows.record(row), place);
    bool exists = place.isThere;
    Weight weight = exists ? slots.weight(place.position) : Weight();
    const std::size_t done = detail::playUpdates(update, end, exists, weight);
    if (place.isThere && exists)
      slots.setWeight(place.position, weight);
    else if (exists)
      isInPlace &= Editor(rows, row).insertAt(place, target, weight);
    else if (place.isThere)
      isInPlace &= Editor(rows, row).eraseAt(place);
    return done;
  }

  /// The number of updates with an effect, and the number of those that are
  /// counted.
  struct Done {
    std::size_t all = 0, counted = 0;
  };

  /// Calls `visit` with the edges of a row after the updates.
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
      const std::size_t acts = detail::playUpdates(update, end, exists, weight);
      done.all += acts;
      done.counted += isCounted(row, target) ? acts : 0;
      if (exists)
        visit(target, weight);
    }
    for (; edge != behind; ++edge)
      visit((*edge).target, (*edge).weight);
    return done;
  }

  /// Merges the updates of a group with its row, and rewrites the row if they
  /// have an effect.
  template <typename Counted>
  std::size_t merge(const Group &group, Counted isCounted) {
    std::size_t size = 0;
    const Done done = forEachMerged(group.begin, group.end, isCounted,
                                    [&](VertexId, Weight) { ++size; });
    HEDDLE_ASSERT(done.counted <= done.all);
    if (done.all == 0)
      return 0;
    Editor(rows, group.begin->row).rewrite(size, [&](auto &writer) {
      forEachMerged(group.begin, group.end, isCounted,
                    [&](VertexId target, Weight weight) {
                      writer.append(target, weight);
                    });
    });
    return done.counted;
  }

  Rows<Layout> &rows;
  const Array<Update> memory;
  const Update *const updates;
  const std::size_t count;
};

} // namespace heddle::graph::cblist

#endif
