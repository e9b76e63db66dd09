//===- cpmagraph/Edit.h - Many changes of one direction --------*- C++ -*-===//
//
// The counting and redistribution phases of CPMA, section 4. All that needs
// memory comes first, and leaves everything as it is: the directions of a graph
// are prepared one after the other, and then both are changed.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_CPMAGRAPH_EDIT_H
#define HEDDLE_GRAPH_CPMAGRAPH_EDIT_H

#include "heddle/graph/Atomic.h"
#include "heddle/graph/cpmagraph/FindStarts.h"
#include "heddle/graph/cpmagraph/MergedLeaves.h"
#include "heddle/graph/cpmagraph/Segments.h"
#include "heddle/graph/pma/Regions.h"

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

  Edit(Rows<Layout> &rows, Changes &changes)
      : rows(rows), changes(changes), merged(rows.leaves(), changes.allKeys()) {
  }

  /// Decides the changes and gets all that is needed for them. Returns how many
  /// of the updates did something for whose key `isCounted(key)`. Throws
  /// std::bad_alloc; the rows are then as they were.
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
      writeRuns();
      findStarts();
    }
    rows.setEdgeCount(elements);
    changeSizes();
  }

private:
  /// Leaves that are written together: a region, or a leaf on its own.
  struct Run {
    std::size_t first, last;
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
    elements = rows.edgeCount() + inserted - erased;
    anyChanged = any;
  }

  /// What a leaf takes with its new content; if it is in several pieces, all
  /// but the first may have to have a code more.
  detail::LeafFill newFill(std::size_t group, std::size_t &load) const {
    std::size_t codeBytes = 0, count = 0;
    for (const View &piece : merged.piecesOf(group)) {
      codeBytes +=
          piece.codeBytes + (count != 0 ? Traits::Codec::MostCodeBytes : 0);
      count += piece.count;
    }
    load = codeBytes + count * Traits::ValueBytes;
    return {static_cast<std::uint16_t>(codeBytes),
            static_cast<std::uint16_t>(count)};
  }

  /// Leaves out of bounds, and the nodes above them over which their elements
  /// are spread. Nodes are counted as if the others were written.
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
      if (merged.piecesOf(group).size() == 1 &&
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
    std::size_t count = 0, region = 0;
    for (std::size_t group = 0; group < merged.groupCount(); ++group) {
      const std::size_t leaf = merged.leafOf(group);
      while (region < regions.size() && endOf(regions[region]) <= leaf)
        ++region;
      if (region < regions.size() && regions[region].first <= leaf) {
        const Run run = {regions[region].first, endOf(regions[region])};
        if (count == 0 || runs[count - 1].first != run.first ||
            runs[count - 1].last != run.last)
          runs[count++] = run;
      } else if (merged.isChanged(group)) {
        runs[count++] = {leaf, leaf + 1};
      }
    }
    runs.shrink(count);
  }

  std::size_t endOf(const Region &region) const {
    return std::min(region.first + (std::size_t(1) << region.level),
                    rows.leaves().size());
  }

  void rebuild() {
    Segments<Layout> all(rows.leaves(), merged, 0, rows.leaves().size());
    const auto &density = rows.density();
    const std::size_t before = rows.leaves().size();
    const std::size_t count = density.leavesFor(
        all.load(), all.heads(), elements,
        before == 0 ? density.built()
                    : density.resized(static_cast<double>(all.load()) /
                                      static_cast<double>(before)));
    if (count >= RowStart::NoLeaf)
      throw std::bad_alloc();
    fresh = Leaves(count);
    detail::spread(all, all.weight(), fresh, 0, count);
    isRebuilt = true;
  }

  static bool isSmall(const Run &run) {
    constexpr std::size_t MostSmall = 256;
    return run.last - run.first <= MostSmall;
  }

  /// Whether nothing is spread, but a leaf written as it will be.
  bool isOneLeaf(const Run &run) const {
    return run.last - run.first == 1 &&
           merged.piecesOf(merged.find(run.first)).size() == 1;
  }

  /// For the regions that threads spread on their own, and for one at a time of
  /// those that they spread together.
  void reserveSpace() {
    constexpr std::size_t ManyRuns = 64;
    std::size_t small = 0, large = 0, smallPieces = 0, largePieces = 0;
    for (const Run &run : runs) {
      if (isOneLeaf(run))
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
    smallSpace = SegmentSpace<Layout>(small, smallPieces, threads);
    largeSpace = SegmentSpace<Layout>(large, largePieces, 1);
  }

  void writeRuns() {
    for (const Run &run : runs)
      if (!isSmall(run))
        spreadRun(run, largeSpace, 0);
    constexpr std::size_t RunsAtOnce = 64;
    const std::size_t parts = (runs.size() + RunsAtOnce - 1) / RunsAtOnce;
    detail::forEachTask(parts, threads > 1, [&](std::size_t part) {
      const auto thread = static_cast<std::size_t>(omp_get_thread_num());
      const std::size_t begin = part * RunsAtOnce;
      const std::size_t end = std::min(begin + RunsAtOnce, runs.size());
      for (std::size_t i = begin; i < end; ++i)
        if (isOneLeaf(runs[i]))
          writeLeaf(rows.leaves(), runs[i].first,
                    merged.piecesOf(merged.find(runs[i].first))[0]);
        else if (isSmall(runs[i]))
          spreadRun(runs[i], smallSpace, thread);
    });
  }

  void spreadRun(const Run &run, SegmentSpace<Layout> &space,
                 std::size_t thread) {
    const Segments<Layout> segments(rows.leaves(), merged, run.first, run.last,
                                    space, thread);
    detail::spread(segments, segments.weight(), rows.leaves(), run.first,
                   run.last - run.first);
  }

  void findStarts() {
    constexpr std::size_t RunsAtOnce = 64;
    StartFinder<Layout> finder(rows);
    const std::size_t parts = (runs.size() + RunsAtOnce - 1) / RunsAtOnce;
    detail::forEachTask(parts, threads > 1, [&](std::size_t part) {
      const std::size_t begin = part * RunsAtOnce;
      const std::size_t end = std::min(begin + RunsAtOnce, runs.size());
      for (std::size_t i = begin; i < end; ++i)
        finder.find(runs[i].first, runs[i].last,
                    i + 1 == runs.size() || runs[i + 1].first != runs[i].last);
    });
  }

  /// The changes of a row may be two threads'.
  void changeSizes() {
    constexpr std::size_t ChangesAtOnce = 4096;
    const std::size_t size = changes.allKeys().size();
    const std::size_t parts = (size + ChangesAtOnce - 1) / ChangesAtOnce;
    detail::forEachTask(parts, parts > 1, [&](std::size_t part) {
      const std::size_t end = std::min((part + 1) * ChangesAtOnce, size);
      for (std::size_t i = part * ChangesAtOnce; i < end;) {
        const std::uint32_t row = rowOf(changes[i].key);
        std::uint32_t more = 0;
        for (; i < end && rowOf(changes[i].key) == row; ++i)
          more += changes[i].effect == Effect::Insert  ? 1u
                  : changes[i].effect == Effect::Erase ? ~0u
                                                       : 0u;
        if (more != 0)
          addShared(rows.start(row).size, more);
      }
    });
  }

  Rows<Layout> &rows;
  Changes &changes;
  MergedLeaves<Layout> merged;
  std::uint64_t elements = 0; ///< that there will be
  bool anyChanged = false, isRebuilt = false;
  Leaves fresh; ///< if rebuilt
  Array<Region> regions;
  Array<Run> runs;
  SegmentSpace<Layout> smallSpace, largeSpace;
  std::size_t threads = 1;
};

} // namespace heddle::graph::cpmagraph

#endif
