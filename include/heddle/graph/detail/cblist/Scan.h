//===- Scan.h - The graph along its chain ----------------------*- C++ -*-===//
//
// Scans of all edges by vertex and target, a chunk at a time (GastCoCo, section
// 4.3). Parts of equal numbers of vertices may be badly balanced. The chain is
// cut into parts of equal numbers of chunks, also within a hub (section 5.2).
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_CBLIST_SCAN_H
#define HEDDLE_GRAPH_DETAIL_CBLIST_SCAN_H

#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/cblist/Rows.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace heddle::graph {

namespace cblist {

/// A cut before a chunk of a vertex or, if `chunk` is null, before all of its
/// edges.
template <VertexIdentifier VertexId> struct ChainCut {
  VertexId vertex;
  Line *chunk;
};

} // namespace cblist

/// Consecutive chunks. The chunks of one vertex may be in several parts. Valid
/// until the graph changes.
template <typename Layout> class ChainPart {
public:
  using VertexId = typename Layout::VertexId;
  using Weight = typename Layout::Weight;
  using Cut = cblist::ChainCut<VertexId>;

  ChainPart(const cblist::Rows<Layout> &rows, Cut begin, Cut end)
      : rows(&rows), begin(begin), end(end) {}

  /// Calls `visit(vertex, edges)` for each chunk, in order; `edges` is an
  /// EdgeRange with some or all edges of the vertex. Edges in a vertex record
  /// are visited like a chunk.
  template <typename Visit> void forEachChunk(Visit visit) const {
    const auto visitSlots = [&](VertexId vertex, const auto &slots,
                                std::size_t edges) {
      visit(vertex,
            EdgeRange<VertexId, Weight>(slots.targets, slots.targets + edges,
                                        slots.weightCursor()));
    };
    for (VertexId v = begin.vertex; v < end.vertex || isWithin(v); ++v) {
      const auto &record = rows->record(v);
      if (record.isInline()) {
        if (!record.isEmpty())
          visitSlots(v, record.slots(), record.size);
        continue;
      }
      cblist::Line *line =
          v == begin.vertex && begin.chunk ? begin.chunk : record.first();
      cblist::Line *const last = v == end.vertex ? end.chunk : nullptr;
      while (line != last) {
        const cblist::Chunk<Layout> chunk(line);
        line = chunk.next().line();
        visitSlots(v, chunk.slots(), chunk.count());
      }
    }
  }

private:
  bool isWithin(VertexId vertex) const {
    return vertex == end.vertex && end.chunk;
  }

  const cblist::Rows<Layout> *rows;
  Cut begin, end;
};

/// Neighbouring vertices, from `begin` to before `end`.
template <VertexIdentifier VertexId> struct VertexPart {
  VertexId begin, end;
};

namespace cblist {

/// Cuts a chain into parts of about equal numbers of chunks. Takes one pass
/// over the vertex table, in parallel, and one over the chunks of hubs that are
/// cut.
template <typename Layout> class ChainCuts {
public:
  using VertexId = typename Layout::VertexId;

  /// Throws std::bad_alloc.
  ChainCuts(const Rows<Layout> &rows, std::size_t parts)
      : rows(rows), parts(std::max<std::size_t>(parts, 1)) {
    countChunks();
    findCuts();
  }

  /// Parts of the chain; some may be empty.
  std::vector<ChainPart<Layout>> chainParts() const {
    std::vector<ChainPart<Layout>> result;
    for (std::size_t i = 0; i < parts; ++i)
      result.emplace_back(rows, cuts[i], cuts[i + 1]);
    return result;
  }

  /// Parts of the vertex table. Each ends before the vertex of the next part's
  /// first chunk.
  std::vector<VertexPart<VertexId>> vertexParts() const {
    std::vector<VertexPart<VertexId>> result;
    for (std::size_t i = 0; i < parts; ++i)
      result.push_back({cuts[i].vertex, cuts[i + 1].vertex});
    return result;
  }

private:
  static constexpr std::size_t Blocks = 256;

  using Cut = ChainCut<VertexId>;

  std::size_t chunksOf(std::size_t vertex) const {
    const auto &record = rows.record(static_cast<VertexId>(vertex));
    return record.isEmpty() ? 0 : std::max<std::size_t>(record.level(), 1);
  }
  std::size_t blockBegin(std::size_t block) const {
    const std::size_t vertices = rows.vertexCount();
    return std::min((vertices + Blocks - 1) / Blocks * block, vertices);
  }

  void countChunks() {
    chunksBefore.assign(Blocks + 1, 0);
#pragma omp parallel for if (worthThreads(rows.vertexCount()))
    for (std::size_t block = 0; block < Blocks; ++block)
      for (std::size_t v = blockBegin(block); v < blockBegin(block + 1); ++v)
        chunksBefore[block + 1] += chunksOf(v);
    for (std::size_t block = 0; block < Blocks; ++block)
      chunksBefore[block + 1] += chunksBefore[block];
  }

  void findCuts() {
    const std::size_t chunks = chunksBefore[Blocks];
    cuts.push_back({0, nullptr});
    for (std::size_t part = 1; part < parts; ++part)
      cuts.push_back(
          cutBefore(chunks / parts * part + chunks % parts * part / parts));
    cuts.push_back({rows.vertexCount(), nullptr});
    HEDDLE_ASSERT(cuts.size() == parts + 1 &&
                  std::ranges::is_sorted(cuts, {}, &Cut::vertex));
  }

  /// The cut before chunk `index` of the chain.
  Cut cutBefore(std::size_t index) {
    if (index >= chunksBefore[Blocks])
      return {rows.vertexCount(), nullptr};
    const auto above =
        std::upper_bound(chunksBefore.begin(), chunksBefore.end(), index);
    const auto block =
        static_cast<std::size_t>(above - chunksBefore.begin()) - 1;
    std::size_t vertex = blockBegin(block), before = chunksBefore[block];
    while (before + chunksOf(vertex) <= index)
      before += chunksOf(vertex++);
    if (before == index)
      return {static_cast<VertexId>(vertex), nullptr};
    // Cuts of the same hub are found one after the other, from where the last
    // one was.
    if (walked == nullptr || before + walkedIndex > index ||
        walkedVertex != vertex) {
      walked = rows.record(static_cast<VertexId>(vertex)).first();
      walkedVertex = vertex;
      walkedIndex = 0;
    }
    for (; before + walkedIndex < index; ++walkedIndex)
      walked = Chunk<Layout>(walked).next().line();
    return {static_cast<VertexId>(vertex), walked};
  }

  const Rows<Layout> &rows;
  const std::size_t parts;
  std::vector<std::size_t>
      chunksBefore; ///< prefix sums over blocks of vertices
  std::vector<Cut> cuts;
  Line *walked = nullptr; ///< chunk `walkedIndex` of `walkedVertex`
  std::size_t walkedVertex = 0, walkedIndex = 0;
};

} // namespace cblist
} // namespace heddle::graph

#endif
