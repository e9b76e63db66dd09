//===- Load.h - Rows that are written at once ------------------*- C++ -*-===//
//
// Loading writes the chunks of all vertices one behind the other, in the order
// of vertices and targets, so that a scan of all edges is a scan of memory
// until updates change that. Inner nodes and blocks of weights come behind the
// chunks.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_CBLIST_LOAD_H
#define HEDDLE_GRAPH_DETAIL_CBLIST_LOAD_H

#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/cblist/Rows.h"
#include "heddle/graph/detail/sort/PrefixSum.h"

#include <cstddef>
#include <cstdint>
#include <utility>

namespace heddle::graph::cblist {

/// Copies one direction of a graph. `edges(v)` must return the edges of a
/// vertex sorted by target. Of parallel edges, the first is kept.
template <typename Layout, typename Edges> class RowLoader {
public:
  using VertexId = typename Layout::VertexId;
  using Weight = typename Layout::Weight;

  RowLoader(VertexId vertices, Edges edges)
      : vertices(vertices), edges(edges), chunkAt(std::size_t(vertices) + 1),
        besideAt(std::size_t(vertices) + 1), rows(vertices) {}

  /// Throws Error if the edges of a vertex are not sorted, and std::bad_alloc.
  Rows<Layout> load() && {
    measure();
    chunkLines = exclusivePrefixSum(chunkAt);
    const std::size_t besideLines = exclusivePrefixSum(besideAt);
    if (chunkLines != 0)
      base = rows.store().takeRun(chunkLines + besideLines);
    HEDDLE_ASSERT(chunkLines != 0 || besideLines == 0);
    write();
    return std::move(rows);
  }

private:
  /// The addresses of a row's pieces.
  struct RowPlace {
    Line *chunks, *beside;
    unsigned rootLines;

    Line *chunk(unsigned lines) {
      return std::exchange(chunks, chunks + lines);
    }
    Line *inner() { return std::exchange(beside, beside + Layout::InnerLines); }
    Line *root() { return std::exchange(beside, beside + rootLines); }
    Line *block(unsigned lines) {
      return std::exchange(beside, beside + Layout::blockLines(lines));
    }
  };

  /// Computes the numbers of edges and lines of each row.
  void measure() {
    chunkAt[vertices] = besideAt[vertices] = 0;
    rows.addEdges(
        detail::countEdges(vertices, edges, [&](VertexId v, VertexId size) {
          const RowPlan<Layout> plan(size);
          const PieceCount &pieces = plan.pieces();
          chunkAt[v] = pieces.chunks * pieces.chunkLines;
          besideAt[v] = pieces.template lines<Layout>() -
                        pieces.chunks * pieces.chunkLines;
          rows.record(v).size = size;
        }));
  }

  void write() {
    Line *const end = base + chunkLines;
#pragma omp parallel for schedule(dynamic, detail::RowsAtOnce)
    for (VertexId v = 0; v < vertices; ++v) {
      auto &record = rows.record(v);
      const RowPlan<Layout> plan(record.size);
      RowPlace place = {base + chunkAt[v], end + besideAt[v],
                        plan.pieces().rootLines};
      RowWriter<Layout, RowPlace> writer(plan, place);
      detail::forEachDistinct<VertexId>(edges(v),
                                        [&](VertexId target, Weight weight) {
                                          writer.append(target, weight);
                                        });
      record.setRow(writer.finish(), plan.leaves(), record.size);
      HEDDLE_ASSERT(place.chunks == base + chunkAt[v + 1] || base == nullptr);
    }
  }

  const VertexId vertices;
  const Edges edges;
  Array<std::uint64_t> chunkAt,
      besideAt; ///< first numbers of lines, then offsets
  std::size_t chunkLines = 0;
  Line *base = nullptr;
  Rows<Layout> rows;
};

/// See RowLoader.
template <typename Layout, typename Edges>
Rows<Layout> loadRows(typename Layout::VertexId vertices, Edges edges) {
  return RowLoader<Layout, Edges>(vertices, edges).load();
}

} // namespace heddle::graph::cblist

#endif
