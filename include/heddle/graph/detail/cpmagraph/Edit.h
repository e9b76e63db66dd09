//===- cpmagraph/Edit.h - Many changes of one direction --------*- C++ -*-===//
//
// The counting and redistribution phases of CPMA, section 4. prepare()
// allocates all memory and changes nothing; apply() cannot fail. So both
// directions of a graph are prepared before either is changed.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_CPMAGRAPH_EDIT_H
#define HEDDLE_GRAPH_DETAIL_CPMAGRAPH_EDIT_H

#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/Atomic.h"
#include "heddle/graph/detail/cpmagraph/FindStarts.h"
#include "heddle/graph/detail/cpmagraph/MergedLeaves.h"
#include "heddle/graph/detail/cpmagraph/Segments.h"
#include "heddle/graph/detail/cpmagraph/ShiftStarts.h"
#include "heddle/graph/detail/pma/Regions.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <omp.h>
#include <span>
#include <utility>

namespace heddle::graph::cpmagraph {

/// A batch of changes, see PlayedChanges, for one direction of a graph.
template <typename Layout, typename Changes> class Edit {
public:
  using Traits = typename Layout::Traits;
  using Leaves = typename Layout::Leaves;
  using View = detail::LeafView<Traits>;
  using Region = detail::Region;
  using Space = detail::SegmentSpace<Traits>;

  Edit(Rows<Layout> &rows, Changes &changes)
      : rows(rows), changes(changes), merged(rows.leaves(), changes.allKeys()) {
  }

  /// Decides the changes and allocates the memory for them. Returns the number
  /// of updates that have an effect, counting only keys for which
  /// `isCounted(key)` is true. Throws std::bad_alloc and has then changed
  /// nothing.
  template <typename Counted> std::size_t prepare(Counted isCounted) {
    const std::size_t done = merged.merge(changes, isCounted);
    countChanges();
    if (!anyChanged || elements == 0)
      return done;
    if (!rows.leaves().empty())
      findRegions();
    if (rows.leaves().empty() || (!regions.empty() && !regions[0].settled))
      rebuild();
    else
      reserveSpace();
    return done;
  }

  void apply() noexcept {
    if (!anyChanged)
      return;
    Leaves &leaves = rows.leaves();
    if (elements == 0) {
      leaves = Leaves();
    } else if (isRebuilt) {
      leaves = std::move(fresh);
      StartFinder<Layout>(rows).findAll();
    } else {
      shiftRows();
      writeRuns();
      findStarts();
    }
    rows.setEdgeCount(elements);
    changeSizes();
    HEDDLE_ASSERT(leaves.empty() == (elements == 0));
  }

private:
  static constexpr std::size_t RunsAtOnce = 64; ///< by one thread

  enum class Kind : std::uint8_t { Region, Merged, Patched };

  /// Leaves that are written together: a region, or a single leaf.
  struct Run {
    std::size_t first, last;
    std::size_t group; ///< of the leaf
    Kind kind;
  };

  void countChanges() {
    const std::size_t size = changes.allKeys().size();
    std::uint64_t inserted = 0, erased = 0;
    bool any = false;
    for (std::size_t i = 0; i < size; ++i) {
      const Effect effect = changes[i].effect;
      inserted += effect == Effect::Insert;
      erased += effect == Effect::Erase;
      any |= effect != Effect::None;
    }
    HEDDLE_ASSERT(erased <= rows.edgeCount());
    elements = rows.edgeCount() + inserted - erased;
    anyChanged = any;
  }

  /// The fill of a leaf with its new elements. If these are in several pieces,
  /// the first element of each piece but the first counts with the longest
  /// code.
  detail::LeafFill newFill(std::size_t group, std::size_t &load) const {
    std::size_t codeBytes = 0, count = 0;
    if (merged.isPatched(group)) {
      codeBytes = merged.placeOf(group).codeBytes;
      count = merged.placeOf(group).count;
    }
    for (const View &piece : merged.piecesOf(group)) {
      codeBytes +=
          piece.codeBytes + (count != 0 ? Traits::Codec::MostCodeBytes : 0);
      count += piece.count;
    }
    load = codeBytes + count * Traits::ValueBytes;
    return {static_cast<std::uint16_t>(codeBytes),
            static_cast<std::uint16_t>(count)};
  }

  /// Finds leaves out of bounds, and the nodes above them over which their
  /// elements are to be spread. The loads of nodes are counted with the new
  /// fills of the other leaves.
  void findRegions() {
    Leaves &leaves = rows.leaves();
    regions = Array<Region>(merged.groupCount());
    runs = Array<Run>(merged.groupCount());
    const detail::RegionFinder<Traits> finder(leaves, rows.density());
    const unsigned root = finder.rootLevel();
    Region *end = regions.data();
    Array<detail::LeafFill> before(merged.groupCount());
    for (std::size_t group = 0; group < merged.groupCount(); ++group) {
      const std::size_t leaf = merged.leafOf(group);
      before[group] = leaves.fill(leaf);
      if (!merged.isChanged(group))
        continue;
      std::size_t load;
      const detail::LeafFill fill = newFill(group, load);
      if (merged.piecesOf(group).size() <= 1 &&
          rows.density().leafIsWithin(root, load, fill.count))
        leaves.fill(leaf) = fill;
      else
        *end++ = {leaf, load, 0, false};
    }
    end = finder.climb(regions.data(), end, 0, root);
    for (std::size_t group = 0; group < merged.groupCount(); ++group)
      leaves.fill(merged.leafOf(group)) = before[group];
    regions.shrink(static_cast<std::size_t>(end - regions.data()));
    listRuns();
  }

  void listRuns() {
    const std::size_t leaves = rows.leaves().size();
    std::size_t count = 0, region = 0, patches = 0;
    for (std::size_t group = 0; group < merged.groupCount(); ++group) {
      const std::size_t leaf = merged.leafOf(group);
      while (region < regions.size() && regions[region].end(leaves) <= leaf)
        ++region;
      if (region < regions.size() && regions[region].first <= leaf) {
        const Run run = {regions[region].first, regions[region].end(leaves),
                         group, Kind::Region};
        HEDDLE_ASSERT(run.first < run.last && run.last <= leaves);
        if (count == 0 || runs[count - 1].first != run.first ||
            runs[count - 1].kind != Kind::Region)
          runs[count++] = run;
      } else if (merged.isChanged(group)) {
        const bool isPatched = merged.isPatched(group);
        runs[count++] = {leaf, leaf + 1, group,
                         isPatched ? Kind::Patched : Kind::Merged};
        patches += isPatched;
      }
    }
    runs.shrink(count);
    HEDDLE_ASSERT(std::ranges::is_sorted(runs, {}, &Run::first));
    shifts = Array<StartShift>(patches);
    std::size_t shift = 0;
    for (const Run &run : runs)
      if (run.kind == Kind::Patched)
        shifts[shift++] = shiftOf(run);
  }

  StartShift shiftOf(const Run &run) const {
    const std::size_t i = merged.firstKey(run.group);
    const std::span<const Key> keys = changes.allKeys();
    const bool isAlone =
        (i == 0 || rowOf(keys[i - 1]) != rowOf(keys[i])) &&
        (i + 1 == keys.size() || rowOf(keys[i + 1]) != rowOf(keys[i]));
    return shiftFor(rows, keys[i], run.first, merged.placeOf(run.group),
                    isAlone);
  }

  void rebuild() {
    auto space = Segments<Layout>::spaceForAll(rows.leaves(), merged);
    const Segments<Layout> all(rows.leaves(), merged, changes, space);
    const auto &density = rows.density();
    const std::size_t before = rows.leaves().size();
    const std::size_t count = density.leavesFor(
        all.load(), all.heads(), elements,
        before == 0 ? density.built()
                    : density.resized(static_cast<double>(all.load()) /
                                      static_cast<double>(before)));
    if (count >= RowStart::NoLeaf)
      throw std::bad_alloc();
    HEDDLE_ASSERT(count > 0 && count <= elements);
    fresh = Leaves(count);
    detail::spread(all, all.weight(), fresh, 0, count);
    isRebuilt = true;
  }

  static bool isSmall(const Run &run) {
    constexpr std::size_t MostSmall = 256;
    return run.last - run.first <= MostSmall;
  }

  /// Allocates memory for the small regions, one per thread, and for one large
  /// region, which all threads spread together.
  void reserveSpace() {
    constexpr std::size_t ManyRuns = 64;
    std::size_t small = 0, large = 0, smallPieces = 0, largePieces = 0;
    for (const Run &run : runs) {
      if (run.kind != Kind::Region)
        continue;
      const std::size_t leaves = run.last - run.first;
      const std::size_t segments =
          Segments<Layout>::most(merged, run.first, run.last);
      std::size_t &most = isSmall(run) ? small : large;
      std::size_t &mostPieces = isSmall(run) ? smallPieces : largePieces;
      most = std::max(most, leaves);
      mostPieces = std::max(mostPieces, segments);
    }
    threads = runs.size() >= ManyRuns
                  ? static_cast<std::size_t>(omp_get_max_threads())
                  : 1;
    smallSpace = {small, smallPieces, threads};
    largeSpace = {large, largePieces, 1};
  }

  /// Must come before leaves are written, as shifts refer to the old leaves.
  void shiftRows() {
    constexpr std::size_t ShiftsAtOnce = 1024;
    detail::forEachRange(shifts.size(), ShiftsAtOnce, true,
                         [&](std::size_t begin, std::size_t end) {
                           shiftPart(shifts.data() + begin, end - begin,
                                     rows.allStarts());
                         });
  }

  static void shiftPart(StartShift *shift, std::size_t count,
                        RowStart *starts) {
#pragma heddle async
    for (std::size_t i = 0; i < count; ++i)
      shift[i].isDone = shiftStarts(starts, shift[i]);
  }

  void writeRuns() {
    for (const Run &run : runs)
      if (run.kind == Kind::Region && !isSmall(run))
        spreadRun(run, largeSpace, 0);
    const auto write = [&](std::size_t begin, std::size_t end) {
      const auto thread = static_cast<std::size_t>(omp_get_thread_num());
      for (std::size_t i = begin; i < end; ++i)
        if (runs[i].kind == Kind::Patched)
          patch(runs[i].group);
        else if (runs[i].kind == Kind::Merged)
          writeMerged(runs[i]);
        else if (isSmall(runs[i]))
          spreadRun(runs[i], smallSpace, thread);
    };
    detail::forEachRange(runs.size(), RunsAtOnce, threads > 1, write);
  }

  void patch(std::size_t group) {
    patchLeaf(rows.leaves(), merged.leafOf(group), merged.placeOf(group),
              changes[merged.firstKey(group)]);
  }

  void writeMerged(const Run &run) {
    HEDDLE_ASSERT(merged.piecesOf(run.group).size() == 1);
    writeLeaf(rows.leaves(), run.first, merged.piecesOf(run.group)[0]);
  }

  void spreadRun(const Run &run, Space &space, std::size_t thread) {
    for (std::size_t group = run.group;
         group < merged.groupCount() && merged.leafOf(group) < run.last;
         ++group)
      if (merged.isPatched(group) && merged.isChanged(group))
        patch(group);
    const Segments<Layout> segments(rows.leaves(), merged, run.first, run.last,
                                    space, thread);
    detail::spread(segments, segments.weight(), rows.leaves(), run.first,
                   run.last - run.first);
  }

  /// Sets the starts of all rows in changed leaves but the shifted ones.
  void findStarts() {
    std::size_t left = 0, shift = 0;
    for (std::size_t i = 0; i < runs.size(); ++i)
      if (runs[i].kind != Kind::Patched || !shifts[shift++].isDone)
        runs[left++] = runs[i];
    StartFinder<Layout> finder(rows);
    const auto find = [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        finder.find(runs[i].first, runs[i].last,
                    i + 1 == left || runs[i + 1].first != runs[i].last);
    };
    detail::forEachRange(left, RunsAtOnce, threads > 1, find);
  }

  /// Two threads may have changes of the same row.
  void changeSizes() {
    constexpr std::size_t ChangesAtOnce = 4096;
    const auto change = [&](std::size_t i, std::size_t end) {
      while (i < end) {
        const std::uint32_t row = rowOf(changes[i].key);
        std::uint32_t more = 0;
        for (; i < end && rowOf(changes[i].key) == row; ++i)
          more += changes[i].effect == Effect::Insert  ? 1u
                  : changes[i].effect == Effect::Erase ? ~0u
                                                       : 0u;
        if (more != 0)
          addShared(rows.start(row).size, more);
      }
    };
    detail::forEachRange(changes.allKeys().size(), ChangesAtOnce, true, change);
  }

  Rows<Layout> &rows;
  Changes &changes;
  MergedLeaves<Layout> merged;
  std::uint64_t elements = 0; ///< after the edit
  bool anyChanged = false, isRebuilt = false;
  Leaves fresh; ///< if rebuilt
  Array<Region> regions;
  Array<Run> runs;
  Array<StartShift> shifts; ///< one per patched run, in order
  Space smallSpace, largeSpace;
  std::size_t threads = 1;
};

} // namespace heddle::graph::cpmagraph

#endif
