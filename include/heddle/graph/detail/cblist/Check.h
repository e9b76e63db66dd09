//===- Check.h - Invariants of a CBList -------------------------*- C++ -*-===//
//
// Walks over all records and pieces, in the simplest serial way, and reports
// the first violated invariant. For tests.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_CBLIST_CHECK_H
#define HEDDLE_GRAPH_DETAIL_CBLIST_CHECK_H

#include "heddle/graph/detail/cblist/Rows.h"
#include "heddle/graph/verify/Violation.h"

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

namespace heddle::graph::cblist {

template <typename Layout> class RowChecker {
public:
  using VertexId = typename Layout::VertexId;

  explicit RowChecker(const Rows<Layout> &rows) : rows(rows) {}

  Violation run() && {
    for (VertexId v = 0; v < rows.vertexCount() && !violation; ++v)
      checkRow(v);
    if (!violation && total != rows.edgeCount())
      report("expected ", rows.edgeCount(), " edges, found ", total);
    if (!violation)
      checkKept();
    return violation;
  }

private:
  template <typename... Parts> void report(const Parts &...parts) {
    std::ostringstream text;
    (text << ... << parts);
    violation = text.str();
  }

  void checkRow(VertexId vertex) {
    owner = vertex;
    const auto &record = rows.record(vertex);
    if (loadShared(record.state) & record.Locked)
      return report("vertex ", vertex, ": is locked");
    if (!record.isEmpty() && record.isDeleted())
      return report("vertex ", vertex, ": is deleted and has edges");
    std::size_t edges = 0;
    if (record.isInline()) {
      if (record.level() != 0)
        return report("vertex ", vertex, ": has leaves for few edges");
      checkSlots(record.slots(), static_cast<unsigned>(record.size), 0,
                 NoVertex<VertexId>, edges);
    } else {
      checkPieces(vertex, edges);
    }
    total += edges;
  }

  void checkPieces(VertexId vertex, std::size_t &edges) {
    const auto &record = rows.record(vertex);
    chunks.clear();
    leafDepth.reset();
    checkPiece(record.root(), 0, 0, NoVertex<VertexId>, edges);
    if (violation)
      return;
    const std::size_t leaves = chunks.size();
    if (edges != record.size)
      report("vertex ", vertex, ": expected ", record.size, " edges, found ",
             edges);
    else if (Piece(record.root()).header().lines() != record.rootLines() ||
             leafDepth != record.depth())
      report("vertex ", vertex, ": the root is another than is said");
    else if (chunks[0] != record.first())
      report("vertex ", vertex,
             ": the traversal pointer is not its first "
             "chunk");
    else if (leaves != std::max(record.level(), 1u))
      report("vertex ", vertex, ": expected ", record.level(),
             " leaves, found ", leaves);
    for (std::size_t i = 0; i < leaves && !violation; ++i)
      if (Chunk<Layout>(chunks[i]).next().line() !=
          (i + 1 < leaves ? chunks[i + 1] : nullptr))
        report("vertex ", vertex, ": leaf ", i, " leads elsewhere");
  }

  /// Checks a piece, all of whose targets must be in [low, high), and the
  /// pieces below it.
  void checkPiece(Line *line, unsigned depth, VertexId low, VertexId high,
                  std::size_t &edges) {
    if (Piece(line).isInner())
      checkInner(InnerNode<Layout>(line), depth, low, high, edges);
    else
      checkChunk(Chunk<Layout>(line), depth, low, high, edges);
  }

  void checkInner(InnerNode<Layout> node, unsigned depth, VertexId low,
                  VertexId high, std::size_t &edges) {
    const unsigned size = node.count();
    const unsigned lines = node.header().lines();
    own(node.line(), lines);
    if (size < (depth == 0 ? 2 : Layout::FewestChildren) ||
        size > Layout::mostChildren(lines))
      return report("vertex ", owner, ": a node has ", size, " children");
    if (depth != 0 && lines != Layout::InnerLines)
      return report("vertex ", owner, ": a node has ", lines, " lines");
    for (unsigned i = 0; i < size && !violation; ++i) {
      const VertexId begin = i == 0 ? low : node.separators()[i];
      const VertexId end = i + 1 == size ? high : node.separators()[i + 1];
      if (begin < low || end > high || begin >= end)
        return report("vertex ", owner, ": separators out of order");
      checkPiece(node.children()[i], depth + 1, begin, end, edges);
    }
  }

  void checkChunk(Chunk<Layout> chunk, unsigned depth, VertexId low,
                  VertexId high, std::size_t &edges) {
    const auto &record = rows.record(owner);
    const HeaderWord header = chunk.header();
    const bool isLeaf = record.level() != 0;
    const unsigned size = header.count();
    own(chunk.line(), header.lines());
    if constexpr (Layout::WeightsBeside)
      own(chunk.block(), Layout::blockLines(header.lines()));
    chunks.push_back(chunk.line());
    if (leafDepth && *leafDepth != depth)
      return report("vertex ", owner, ": leaves at different depths");
    leafDepth = depth;
    if (header.kind() != (isLeaf ? Kind::Leaf : Kind::Small))
      return report("vertex ", owner, ": a chunk of the wrong kind");
    const unsigned most =
        isLeaf ? Layout::MostLeafEdges : Layout::chunkEdges(header.lines());
    const unsigned fewest = isLeaf && depth > 0 ? Layout::FewestLeafEdges : 1;
    if (size < fewest || size > most)
      return report("vertex ", owner, ": a chunk of ", size, " edges");
    checkSlots(chunk.slots(), size, low, high, edges);
  }

  void checkSlots(const Slots<VertexId, typename Layout::Weight> &slots,
                  unsigned size, VertexId low, VertexId high,
                  std::size_t &edges) {
    for (unsigned i = 0; i < size; ++i) {
      const VertexId target = slots.targets[i];
      if (target < low || target >= high || target >= rows.vertexCount() ||
          (i > 0 && target <= slots.targets[i - 1]))
        return report("vertex ", owner, ": target ", target,
                      " is out of place");
    }
    edges += size;
  }

  /// Lines that were given back are not in use, and were given back only once.
  void checkKept() {
    rows.store().forEachKept(
        [&](Line *run, unsigned lines) { own(run, lines); });
    std::sort(used.begin(), used.end());
    for (std::size_t i = 1; i < used.size(); ++i)
      if (used[i].first < used[i - 1].first + used[i - 1].second)
        return report("a line is used twice");
  }

  void own(Line *run, unsigned lines) { used.emplace_back(run, lines); }

  const Rows<Layout> &rows;
  std::vector<Line *> chunks; ///< of the vertex, in the order of targets
  std::vector<std::pair<Line *, unsigned>> used; ///< runs of lines
  std::optional<unsigned> leafDepth;
  VertexId owner = 0;
  std::uint64_t total = 0;
  Violation violation;
};

/// The first violated invariant of rows, if any.
template <typename Layout> Violation checkRows(const Rows<Layout> &rows) {
  return RowChecker<Layout>(rows).run();
}

} // namespace heddle::graph::cblist

#endif
