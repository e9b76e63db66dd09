//===- CBList.h - Rows of chunks that change -------------------*- C++ -*-===//
//
// The dynamic store of GastCoCo (H. Li et al.: GastCoCo: Graph Storage and
// Coroutine-Based Prefetch Co-Design for Dynamic Graph Processing, VLDB 2024,
// section 4). The edges of a vertex are stored in sorted order in its record in
// the vertex table, in a small chunk of one to four cache lines or, if there
// are more, in the leaves of a B+ tree: as fast to change as an adjacency list,
// and nearly as fast to read as compressed sparse rows.
//
// The paper interleaves the steps through chunks and trees with coroutines that
// are written by hand. Here they are plain loops with directives.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_CBLIST_H
#define HEDDLE_GRAPH_CBLIST_H

#include "heddle/graph/Update.h"
#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/RowUpdates.h"
#include "heddle/graph/detail/RowsBothWays.h"
#include "heddle/graph/detail/cblist/Check.h"
#include "heddle/graph/detail/cblist/EdgeChange.h"
#include "heddle/graph/detail/cblist/Load.h"
#include "heddle/graph/detail/cblist/Query.h"
#include "heddle/graph/detail/cblist/Scan.h"
#include "heddle/graph/detail/cblist/UpdateBatch.h"

#include <cstddef>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace heddle::graph {

/// An UpdatableGraph in which an edge is there or not: there are no parallel
/// edges, and the edges of a vertex are sorted by target. Both directions are
/// kept, or one that serves as both if the graph is undirected. Usually made by
/// buildCBList() or toCBList(). Takes 32 bytes per vertex, which have room for
/// 24 bytes of edges. A vertex with more edges takes about 40 bytes and, per
/// edge, a VertexId and a Weight in addition. A directed graph takes twice as
/// much. Graphs from social networks to roads take 1.3 to 2.0 times the memory
/// of a Csr. RowsBothWays describes how vertices, degrees and rows are read.
///
/// Any number of threads may read while none changes the graph. Any number of
/// threads may call updateEdge(), hasEdge(), findEdge() and edgeCount() at
/// once, while no other function runs; each of these calls is atomic. All other
/// functions that are not const are for one thread alone, and use the threads
/// of OpenMP where that pays.
///
/// Functions throw Error for a vertex that does not exist, and std::bad_alloc;
/// the graph is then unchanged.
///
///   CBList<> graph = buildCBList(readEdgeList("wiki.txt.gz"));
///   graph.updateEdge({{3, 5, {}}, UpdateMode::Add});
template <VertexIdentifier VertexIdType = std::uint32_t,
          EdgeWeight WeightType = Unweighted, CBListShape Shape = CBListShape()>
class CBList
    : public RowsBothWays<
          cblist::Rows<cblist::Layout<VertexIdType, WeightType, Shape>>> {
  using Base = typename CBList::RowsBothWays;

public:
  using VertexId = VertexIdType;
  using Weight = WeightType;
  using Layout = cblist::Layout<VertexId, Weight, Shape>;
  using Rows = cblist::Rows<Layout>;

  /// A directed graph without vertices.
  CBList() : CBList(0) {}

  /// A graph without edges.
  explicit CBList(VertexId vertices, bool directed = true)
      : Base(Rows(vertices), Rows(directed ? vertices : 0), directed) {}

  /// An undirected graph: every edge is in the rows of both its ends.
  explicit CBList(Rows rows) : Base(std::move(rows), Rows(), false) {}

  /// A directed graph; `in` holds the edges of `out` reversed.
  CBList(Rows out, Rows in) : Base(std::move(out), std::move(in), true) {}

  using Base::isDeleted, Base::vertexCount;

  /// Whether there is an edge. Takes one descent of a tree.
  bool hasEdge(VertexId from, VertexId to) const {
    return findEdge(from, to).has_value();
  }

  /// The weight of an edge, if there is such an edge. Takes one descent of a
  /// tree.
  std::optional<Weight> findEdge(VertexId from, VertexId to) const {
    detail::checkVertex(from, vertexCount());
    detail::checkVertex(to, vertexCount());
    const auto &record = out.record(from);
    const std::lock_guard lock(record);
    const auto place = cblist::findPlace(record, to);
    if (!place.isThere)
      return std::nullopt;
    return cblist::slotsAt(record, place).weight(place.position);
  }

  /// Looks up many edges. Sets `found[i]` to whether the edge of `queries[i]`
  /// exists and, if `weights` is not empty, `weights[i]` to its weight if it
  /// does. Returns the number of edges found. Runs on the threads of OpenMP,
  /// each of which interleaves many searches. Throws Error if a vertex does not
  /// exist, or if `found`, or `weights` unless it is empty, and `queries` have
  /// different sizes.
  std::size_t findEdges(std::span<const EdgeQuery<VertexId>> queries,
                        std::span<bool> found,
                        std::span<Weight> weights = {}) const;

  /// Adds an edge, deletes it, or changes its weight. Returns whether that had
  /// an effect: Add has if there is no such edge and neither end is deleted,
  /// Delete if the edge exists, Modify if it exists and the graph is weighted.
  /// Takes two descents of trees.
  bool updateEdge(const EdgeUpdate<VertexId, Weight> &update);

  /// Applies many updates. The resulting graph and the number returned are the
  /// same as if updateEdge() were called for one update after the other. Runs
  /// on the threads of OpenMP, each of which interleaves the updates of many
  /// vertices. Takes 24 bytes and two Weights per update, or twice that, and
  /// reserves all memory before it changes anything. After several updates per
  /// edge it compacts the graph like compact(), if there is memory for it.
  std::size_t
  updateEdges(std::span<const EdgeUpdate<VertexId, Weight>> updates);

  /// Adds a vertex without edges, either vertexCount() or a deleted vertex; or
  /// deletes a vertex with all edges from and to it. Returns whether it did. A
  /// deleted vertex keeps its number, and has no edges until it is added again.
  /// Runs on the threads of OpenMP, and takes memory in proportion to the edges
  /// that are deleted.
  bool updateVertex(VertexId vertex, UpdateMode mode);

  /// Moves all chunks so that the chain is a scan of memory again, as after
  /// loading, and frees unused memory. Takes time in proportion to vertices and
  /// edges, and memory for a copy of the graph. Throws std::bad_alloc; the
  /// graph is then unchanged.
  void compact();

  /// Calls `visit(vertex, edges)` for all chunks of out-edges, in the order of
  /// vertices and targets; a vertex may have several chunks. Serial.
  ///
  ///   graph.scanChain([&](auto from, auto edges) { ... });
  template <typename Visit> void scanChain(Visit visit) const {
    ChainPart<Layout>(out, {0, nullptr}, {vertexCount(), nullptr})
        .forEachChunk(visit);
  }

  /// Cuts the chain of `rows`, outRows() or inRows(), into `parts` parts of
  /// about equal numbers of chunks, for threads or tasks: the paper's GTChain
  /// partition (section 5.2).
  static std::vector<ChainPart<Layout>> chainParts(const Rows &rows,
                                                   std::size_t parts);

  /// Cuts the vertex table of `rows` into `parts` parts of about equal numbers
  /// of chunks, as far as this is possible without cutting the edges of a
  /// vertex.
  static std::vector<VertexPart<VertexId>> vertexParts(const Rows &rows,
                                                       std::size_t parts);

  /// For tests: the first violated invariant, if any. Takes as long as sorting
  /// all edges, and memory for a list of all chunks.
  Violation check() const;

private:
  using Batch = cblist::UpdateBatch<Layout>;
  using Plan = cblist::UpdatePlan<Layout>;

  static Rows compacted(const Rows &rows);

  std::size_t
  updateManyEdges(std::span<const EdgeUpdate<VertexId, Weight>> updates);

  /// Reserves memory for all updates, then does one after the other.
  std::size_t
  updateFewEdges(std::span<const EdgeUpdate<VertexId, Weight>> updates);

  using Base::directed, Base::in, Base::out;
};

// Large functions are not inline, so that a program can compile them once:
// `extern template class heddle::graph::CBList<>;`

template <VertexIdentifier VertexIdType, EdgeWeight WeightType,
          CBListShape Shape>
std::size_t CBList<VertexIdType, WeightType, Shape>::findEdges(
    std::span<const EdgeQuery<VertexId>> queries, std::span<bool> found,
    std::span<Weight> weights) const {
  detail::checkQueries(queries, vertexCount(), found.size(), weights.size());
  return cblist::findEdges(out, queries, found, weights);
}

template <VertexIdentifier VertexIdType, EdgeWeight WeightType,
          CBListShape Shape>
bool CBList<VertexIdType, WeightType, Shape>::updateEdge(
    const EdgeUpdate<VertexId, Weight> &update) {
  const auto &[from, to, weight] = update.edge;
  detail::checkVertex(from, vertexCount());
  detail::checkVertex(to, vertexCount());
  return cblist::EdgeChange<Layout>(out, in, directed, from, to)
      .apply(update.mode, weight);
}

template <VertexIdentifier VertexIdType, EdgeWeight WeightType,
          CBListShape Shape>
std::size_t CBList<VertexIdType, WeightType, Shape>::updateEdges(
    std::span<const EdgeUpdate<VertexId, Weight>> updates) {
  detail::checkUpdates(updates, vertexCount());
  constexpr std::size_t Few = 16;
  const std::size_t done = updates.size() <= Few ? updateFewEdges(updates)
                                                 : updateManyEdges(updates);
  for (Rows *rows : {&out, &in})
    if (rows->isScattered())
      try {
        *rows = compacted(*rows);
      } catch (const std::bad_alloc &) {
        // Out of memory: keep the old layout, which is still valid.
      }
  return done;
}

template <VertexIdentifier VertexIdType, EdgeWeight WeightType,
          CBListShape Shape>
bool CBList<VertexIdType, WeightType, Shape>::updateVertex(VertexId vertex,
                                                           UpdateMode mode) {
  return Base::changeVertex(
      vertex, mode, [&] { updateEdges(detail::deletionsOf(*this, vertex)); });
}

template <VertexIdentifier VertexIdType, EdgeWeight WeightType,
          CBListShape Shape>
void CBList<VertexIdType, WeightType, Shape>::compact() {
  Rows newOut = compacted(out);
  Rows newIn = compacted(in);
  out = std::move(newOut);
  in = std::move(newIn);
}

template <VertexIdentifier VertexIdType, EdgeWeight WeightType,
          CBListShape Shape>
std::vector<ChainPart<typename CBList<VertexIdType, WeightType, Shape>::Layout>>
CBList<VertexIdType, WeightType, Shape>::chainParts(const Rows &rows,
                                                    std::size_t parts) {
  return cblist::ChainCuts<Layout>(rows, parts).chainParts();
}

template <VertexIdentifier VertexIdType, EdgeWeight WeightType,
          CBListShape Shape>
std::vector<VertexPart<VertexIdType>>
CBList<VertexIdType, WeightType, Shape>::vertexParts(const Rows &rows,
                                                     std::size_t parts) {
  return cblist::ChainCuts<Layout>(rows, parts).vertexParts();
}

template <VertexIdentifier VertexIdType, EdgeWeight WeightType,
          CBListShape Shape>
Violation CBList<VertexIdType, WeightType, Shape>::check() const {
  return Base::checkBoth(cblist::checkRows<Layout>);
}

template <VertexIdentifier VertexIdType, EdgeWeight WeightType,
          CBListShape Shape>
auto CBList<VertexIdType, WeightType, Shape>::compacted(const Rows &rows)
    -> Rows {
  const VertexId vertices = rows.vertexCount();
  Rows result = cblist::loadRows<Layout>(
      vertices, [&](VertexId vertex) { return rows[vertex]; });
  for (VertexId v = 0; rows.hasDeleted() && v < vertices; ++v)
    result.setDeleted(v, rows.isDeleted(v));
  HEDDLE_ASSERT(result.edgeCount() == rows.edgeCount());
  return result;
}

template <VertexIdentifier VertexIdType, EdgeWeight WeightType,
          CBListShape Shape>
std::size_t CBList<VertexIdType, WeightType, Shape>::updateManyEdges(
    std::span<const EdgeUpdate<VertexId, Weight>> updates) {
  if (!directed) {
    Batch both(out, Base::updatesOf(updates, true, true));
    both.prepare();
    return both.apply(
        [](VertexId row, VertexId target) { return row <= target; });
  }
  Batch forward(out, Base::updatesOf(updates, true, false));
  Batch backward(in, Base::updatesOf(updates, false, true));
  forward.prepare();
  backward.prepare();
  const std::size_t done =
      forward.apply([](VertexId, VertexId) { return true; });
  backward.apply([](VertexId, VertexId) { return false; });
  HEDDLE_ASSERT(Base::haveSameSize());
  return done;
}

template <VertexIdentifier VertexIdType, EdgeWeight WeightType,
          CBListShape Shape>
std::size_t CBList<VertexIdType, WeightType, Shape>::updateFewEdges(
    std::span<const EdgeUpdate<VertexId, Weight>> updates) {
  if (updates.size() > 1) {
    std::size_t outLines = 0, inLines = 0;
    for (const auto &[edge, mode] : updates) {
      outLines += Plan::linesForPoint(out.record(edge.from));
      if (directed)
        inLines += Plan::linesForPoint(in.record(edge.to));
      else
        outLines += Plan::linesForPoint(out.record(edge.to));
    }
    out.store().reserve(outLines);
    in.store().reserve(inLines);
  }
  std::size_t done = 0;
  for (const auto &update : updates)
    done += updateEdge(update);
  return done;
}

static_assert(UpdatableGraph<CBList<>>);
static_assert(UpdatableGraph<CBList<std::uint64_t, double>>);

} // namespace heddle::graph

#endif
