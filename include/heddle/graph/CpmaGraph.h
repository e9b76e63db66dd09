//===- CpmaGraph.h - A graph in one ordered set ----------------*- C++ -*-===//
//
// The F-Graph of CPMA (B. Wheatman, R. Burns, A. Buluc, H. Xu: CPMA: An
// Efficient Batch-Parallel Compressed Set Without Pointers, PPoPP 2024, section
// 6): all edges are stored in one packed memory array of compressed keys,
// sorted by vertex and target, without a pointer. It takes less memory than
// compressed sparse rows, and each row begins where the previous row ends.
//
// The paper computes the offsets of vertices before each algorithm and keeps
// them until the next update. Here they are always valid: an update recomputes
// them for the leaves that it has changed. So queries from many threads need
// not compute anything first and cannot fail, and updating one edge takes no
// pass over all vertices. The offset and the number of edges take 16 bytes per
// vertex.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_CPMAGRAPH_H
#define HEDDLE_GRAPH_CPMAGRAPH_H

#include "heddle/graph/Update.h"
#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/RowUpdates.h"
#include "heddle/graph/detail/RowsBothWays.h"
#include "heddle/graph/detail/cpmagraph/Check.h"
#include "heddle/graph/detail/cpmagraph/Edit.h"
#include "heddle/graph/detail/cpmagraph/Load.h"
#include "heddle/graph/detail/cpmagraph/PointEdit.h"
#include "heddle/graph/detail/cpmagraph/Query.h"
#include "heddle/graph/detail/pma/PackedSet.h"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

namespace heddle::graph {

/// An UpdatableGraph in which an edge is there or not: there are no parallel
/// edges, and the edges of a vertex are sorted by target. Both directions are
/// kept, or one that serves as both if the graph is undirected. Usually made by
/// buildCpmaGraph() or toCpmaGraph(). Takes 16 bytes per vertex and the memory
/// of a Cpma of all edges and their weights: usually 2 to 3 bytes and a Weight
/// per edge. A directed graph takes twice as much. A new graph has full leaves:
/// the first updates that find no room in a leaf make the whole array grow,
/// which takes about as long as building the graph. RowsBothWays describes how
/// vertices, degrees and rows are read.
///
/// Any number of threads may read while none changes the graph. All functions
/// that are not const are for one thread alone, and use the threads of OpenMP
/// where that pays.
///
/// Functions throw Error for a vertex that does not exist, and std::bad_alloc;
/// the graph is then unchanged.
///
///   CpmaGraph<> graph = buildCpmaGraph(readEdgeList("wiki.txt.gz"));
///   graph.updateEdges(updates);
template <VertexIdentifier VertexIdType = std::uint32_t,
          EdgeWeight WeightType = Unweighted,
          std::size_t LeafBytes = cpmagraph::UsualLeafBytes<WeightType>>
class CpmaGraph
    : public RowsBothWays<
          cpmagraph::Rows<cpmagraph::Layout<WeightType, LeafBytes>>> {
  static_assert(std::same_as<VertexIdType, std::uint32_t>,
                "the key of an edge is two vertices of 32 bits: a graph with "
                "vertices of 64 bits can be a CBList");
  using Base = typename CpmaGraph::RowsBothWays;

public:
  using VertexId = VertexIdType;
  using Weight = WeightType;
  using Layout = cpmagraph::Layout<Weight, LeafBytes>;
  using Rows = cpmagraph::Rows<Layout>;

  /// A graph without edges. Throws Error if the growing factor is not within
  /// 1.05 to 4, and std::bad_alloc.
  explicit CpmaGraph(VertexId vertices = 0, bool directed = true,
                     const PmaOptions &options = {})
      : Base(Rows(vertices, options.growingFactor),
             Rows(directed ? vertices : 0, options.growingFactor), directed) {}

  /// An undirected graph: every edge is in the rows of both its ends.
  explicit CpmaGraph(Rows rows) : Base(std::move(rows), Rows(), false) {}

  /// A directed graph; `in` holds the edges of `out` reversed.
  CpmaGraph(Rows out, Rows in) : Base(std::move(out), std::move(in), true) {}

  using Base::isDeleted, Base::vertexCount;

  /// Whether there is an edge. Takes logarithmic time.
  bool hasEdge(VertexId from, VertexId to) const {
    return findEdge(from, to).has_value();
  }

  /// The weight of an edge, if there is such an edge. Takes logarithmic time.
  std::optional<Weight> findEdge(VertexId from, VertexId to) const {
    detail::checkVertex(from, vertexCount());
    detail::checkVertex(to, vertexCount());
    return cpmagraph::findEdge<Layout>(out.leaves(),
                                       cpmagraph::keyOf(from, to));
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
  /// Takes time O(log^2 n) amortised, and no memory unless leaves have to be
  /// redistributed.
  bool updateEdge(const EdgeUpdate<VertexId, Weight> &update);

  /// Applies many updates. The resulting graph and the number returned are the
  /// same as if updateEdge() were called for one update after the other. Runs
  /// on the threads of OpenMP. Takes about 150 bytes per update, and memory for
  /// copies of the leaves that get several updates, or of the whole graph if
  /// its array must grow. Allocates all memory before it changes anything.
  std::size_t
  updateEdges(std::span<const EdgeUpdate<VertexId, Weight>> updates);

  /// Adds a vertex without edges, either vertexCount() or a deleted vertex; or
  /// deletes a vertex with all edges from and to it. Returns whether it did. A
  /// deleted vertex keeps its number, and has no edges until it is added again.
  /// Runs on the threads of OpenMP, and takes memory in proportion to the edges
  /// that are deleted.
  bool updateVertex(VertexId vertex, UpdateMode mode);

  /// Calls `visit(from, target, weight)` with all out-edges, in the order of
  /// vertices and targets, which is that of memory. Serial.
  template <typename Visit> void scanAllEdges(Visit visit) const {
    using cpmagraph::rowOf, cpmagraph::targetOf;
    cpmagraph::forEachElement<Layout>(
        out.leaves(), [&](cpmagraph::Key key, auto, auto, auto, auto *value) {
          visit(rowOf(key), targetOf(key), Layout::weightAt(value));
        });
  }

  /// For tests: the first violated invariant, if any. Takes as long as sorting
  /// all edges, and memory for a copy of them.
  Violation check() const;

private:
  using Played = cpmagraph::PlayedChanges<Layout>;
  using Reversed = cpmagraph::ReversedChanges<Layout>;
  using Point = cpmagraph::PointEdit<Layout>;

  static cpmagraph::Effect effectOf(UpdateMode mode, bool exists) {
    using enum cpmagraph::Effect;
    switch (mode) {
    case UpdateMode::Add:
      return exists ? None : Insert;
    case UpdateMode::Delete:
      return exists ? Erase : None;
    case UpdateMode::Modify:
      return exists && Layout::IsWeighted ? Assign : None;
    }
    return None;
  }

  using Base::directed, Base::in, Base::out;
};

// Large functions are not inline, so that a program can compile them once:
// `extern template class heddle::graph::CpmaGraph<>;`

template <VertexIdentifier VertexIdType, EdgeWeight WeightType,
          std::size_t LeafBytes>
std::size_t CpmaGraph<VertexIdType, WeightType, LeafBytes>::findEdges(
    std::span<const EdgeQuery<VertexId>> queries, std::span<bool> found,
    std::span<Weight> weights) const {
  detail::checkQueries(queries, vertexCount(), found.size(), weights.size());
  return cpmagraph::findEdges<Layout>(out, queries, found, weights);
}

template <VertexIdentifier VertexIdType, EdgeWeight WeightType,
          std::size_t LeafBytes>
bool CpmaGraph<VertexIdType, WeightType, LeafBytes>::updateEdge(
    const EdgeUpdate<VertexId, Weight> &update) {
  detail::checkVertex(update.edge.from, vertexCount());
  detail::checkVertex(update.edge.to, vertexCount());
  using cpmagraph::Effect, cpmagraph::keyOf;
  const auto &[from, to, weight] = update.edge;
  if (out.leaves().empty())
    return updateEdges({&update, 1}) != 0;
  Point here(out, keyOf(from, to));
  const Effect effect = effectOf(update.mode, here.exists());
  if (effect == Effect::None ||
      (effect == Effect::Insert && (isDeleted(from) || isDeleted(to))))
    return false;
  const bool isOnce = !directed && from == to;
  Point there(directed ? in : out, keyOf(to, from));
  HEDDLE_ASSERT(here.exists() == there.exists());
  if (!here.fits(effect) ||
      (!isOnce && (!there.fits(effect) ||
                   (!directed && here.leafIndex() == there.leafIndex()))))
    return updateEdges({&update, 1}) != 0;
  here.apply(effect, weight);
  if (!isOnce)
    there.apply(effect, weight);
  return true;
}

template <VertexIdentifier VertexIdType, EdgeWeight WeightType,
          std::size_t LeafBytes>
std::size_t CpmaGraph<VertexIdType, WeightType, LeafBytes>::updateEdges(
    std::span<const EdgeUpdate<VertexId, Weight>> updates) {
  detail::checkUpdates(updates, vertexCount());
  Played played(Base::updatesOf(updates, true, !directed));
  if (played.allKeys().empty())
    return 0;
  cpmagraph::Edit<Layout, Played> forward(out, played);
  const std::size_t done = forward.prepare([this](cpmagraph::Key key) {
    return directed || cpmagraph::rowOf(key) <= cpmagraph::targetOf(key);
  });
  if (!directed) {
    forward.apply();
    return done;
  }
  Reversed reversed(played);
  if (reversed.allKeys().empty())
    return done;
  cpmagraph::Edit<Layout, Reversed> backward(in, reversed);
  backward.prepare([](cpmagraph::Key) { return true; });
  forward.apply();
  backward.apply();
  HEDDLE_ASSERT(Base::haveSameSize());
  return done;
}

template <VertexIdentifier VertexIdType, EdgeWeight WeightType,
          std::size_t LeafBytes>
bool CpmaGraph<VertexIdType, WeightType, LeafBytes>::updateVertex(
    VertexId vertex, UpdateMode mode) {
  return Base::changeVertex(
      vertex, mode, [&] { updateEdges(detail::deletionsOf(*this, vertex)); });
}

template <VertexIdentifier VertexIdType, EdgeWeight WeightType,
          std::size_t LeafBytes>
Violation CpmaGraph<VertexIdType, WeightType, LeafBytes>::check() const {
  return Base::checkBoth(cpmagraph::checkRows<Layout>);
}

static_assert(UpdatableGraph<CpmaGraph<>>);
static_assert(UpdatableGraph<CpmaGraph<std::uint32_t, double>>);

} // namespace heddle::graph

#endif
