//===- RowUpdates.h - The updates of a batch by row ------------*- C++ -*-===//
//
// The parts of updates that all stores share: checking a batch before anything
// changes, sorting its updates by row, and applying the updates of one edge in
// order.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_ROWUPDATES_H
#define HEDDLE_GRAPH_DETAIL_ROWUPDATES_H

#include "heddle/graph/Error.h"
#include "heddle/graph/Update.h"
#include "heddle/graph/VertexArray.h"
#include "heddle/graph/detail/Array.h"
#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/EdgeQuery.h"
#include "heddle/graph/detail/Tasks.h"
#include "heddle/graph/detail/sort/KeySort.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace heddle::graph::detail {

template <VertexIdentifier VertexId>
void checkVertex(VertexId vertex, VertexId vertices) {
  if (vertex >= vertices)
    throw Error("vertex " + std::to_string(vertex) + ": expected one below " +
                std::to_string(vertices));
}

/// Throws Error for the first of `items` with an end that is not a vertex. The
/// message names it by `what` and its index.
template <VertexIdentifier VertexId, typename Item, typename EndsOf>
void checkEnds(const char *what, std::span<const Item> items, VertexId vertices,
               EndsOf endsOf) {
  const auto isBad = [&](std::size_t i) {
    const auto [from, to] = endsOf(items[i]);
    return from >= vertices || to >= vertices;
  };
  std::size_t firstBad = items.size();
  if (worthThreads(items.size())) {
#pragma omp parallel for reduction(min : firstBad)
    for (std::size_t i = 0; i < items.size(); ++i)
      if (isBad(i))
        firstBad = std::min(firstBad, i);
  } else {
    for (std::size_t i = items.size(); i-- > 0;)
      if (isBad(i))
        firstBad = i;
  }
  if (firstBad == items.size())
    return;
  const auto [from, to] = endsOf(items[firstBad]);
  throw Error(std::string(what) + ' ' + std::to_string(firstBad) +
              ", edge from " + std::to_string(from) + " to " +
              std::to_string(to) + ": expected vertices below " +
              std::to_string(vertices));
}

template <VertexIdentifier VertexId, EdgeWeight Weight>
void checkUpdates(std::span<const EdgeUpdate<VertexId, Weight>> updates,
                  VertexId vertices) {
  checkEnds("update", updates, vertices,
            [](const EdgeUpdate<VertexId, Weight> &update) {
              return std::pair(update.edge.from, update.edge.to);
            });
}

/// Throws Error for a query with an end that is not a vertex, and if `found` or
/// `weights` differ from the number of queries; `weights` may be 0.
template <VertexIdentifier VertexId>
void checkQueries(std::span<const EdgeQuery<VertexId>> queries,
                  VertexId vertices, std::size_t found, std::size_t weights) {
  if (found != queries.size() || (weights != 0 && weights != queries.size()))
    throw Error("edge queries: expected results for " +
                std::to_string(queries.size()) + ", found room for " +
                std::to_string(found) + " and " + std::to_string(weights) +
                " weights");
  checkEnds("query", queries, vertices, [](const EdgeQuery<VertexId> &query) {
    return std::pair(query.from, query.to);
  });
}

/// An update of an edge in one row.
template <VertexIdentifier VertexId, EdgeWeight Weight> struct RowUpdate {
  VertexId row, target;
  [[no_unique_address]] Weight weight;
  UpdateMode mode;

  /// Orders updates by row and target.
  auto key() const {
    __extension__ using Wide = unsigned __int128;
    using Key = std::conditional_t<sizeof(VertexId) == sizeof(std::uint32_t),
                                   std::uint64_t, Wide>;
    return static_cast<Key>(row) << 8 * sizeof(VertexId) | target;
  }
};

/// Updates of a graph with `vertices` vertices as updates of rows: of the rows
/// of `from` if `forward`, of the rows of `to` if `backward`. Leaves out
/// updates for which `isVoid(from, to)`. The result is sorted by row and
/// target; updates of the same edge keep their order. Throws std::bad_alloc.
template <VertexIdentifier VertexId, EdgeWeight Weight, typename IsVoid>
Array<RowUpdate<VertexId, Weight>>
updatesOfRows(std::span<const EdgeUpdate<VertexId, Weight>> updates,
              VertexId vertices, bool forward, bool backward, IsVoid isVoid) {
  using Update = RowUpdate<VertexId, Weight>;
  HEDDLE_ASSERT(forward || backward);
  const unsigned ways = forward + backward;
  // Updates that are left out are sorted behind all others.
  const auto updateAt = [&](std::size_t i) -> Update {
    const auto &[edge, mode] = updates[ways == 2 ? i / 2 : i];
    const auto &[from, to, weight] = edge;
    const bool isSecond = ways == 2 && i % 2 == 1;
    if (isVoid(from, to) || (isSecond && from == to))
      return {vertices, 0, weight, mode};
    if (isSecond || !forward)
      return {to, from, weight, mode};
    return {from, to, weight, mode};
  };
  Array<Update> sorted(updates.size() * ways);
  sortByKey(updateAt, std::span(sorted.data(), sorted.size()),
            [](const Update &update) { return update.key(); });
  const auto *const end =
      std::partition_point(sorted.begin(), sorted.end(),
                           [&](const Update &u) { return u.row < vertices; });
  sorted.shrink(static_cast<std::size_t>(end - sorted.begin()));
  HEDDLE_ASSERT(std::ranges::is_sorted(sorted, {}, &Update::key));
  return sorted;
}

/// Applies the updates of one edge, in order, to `exists` and `weight`: from
/// `update` up to the first update of another edge or to `end`, to which
/// `update` is advanced. Returns the number of those that have an effect.
template <VertexIdentifier VertexId, EdgeWeight Weight>
std::size_t playUpdates(const RowUpdate<VertexId, Weight> *&update,
                        const RowUpdate<VertexId, Weight> *end, bool &exists,
                        Weight &weight) {
  HEDDLE_ASSERT(update != end);
  std::size_t done = 0;
  const VertexId row = update->row, target = update->target;
  for (; update != end && update->target == target && update->row == row;
       ++update) {
    const bool acts = update->mode == UpdateMode::Add ? !exists
                      : update->mode == UpdateMode::Delete
                          ? exists
                          : exists && !std::same_as<Weight, Unweighted>;
    if (!acts)
      continue;
    exists = update->mode != UpdateMode::Delete;
    weight = update->weight;
    ++done;
  }
  return done;
}

/// The updates that delete a vertex's edges, in both directions. Throws
/// std::bad_alloc.
template <UpdatableGraph Store>
auto deletionsOf(const Store &graph, typename Store::VertexId vertex) {
  using Update = EdgeUpdate<typename Store::VertexId, typename Store::Weight>;
  std::vector<Update> updates;
  updates.reserve(graph.outDegree(vertex) +
                  (graph.isDirected() ? graph.inDegree(vertex) : 0));
  for (const auto edge : graph.outEdges(vertex))
    updates.push_back({{vertex, edge.target, {}}, UpdateMode::Delete});
  if (graph.isDirected())
    for (const auto edge : graph.inEdges(vertex))
      updates.push_back({{edge.target, vertex, {}}, UpdateMode::Delete});
  return updates;
}

} // namespace heddle::graph::detail

#endif
