//===- RowUpdates.h - What a batch means for rows --------------*- C++ -*-===//
//
// What stores that take updates have in common: batches are looked at before
// anything is done, taken apart into what concerns a row, and played edge by
// edge.
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

/// Throws Error for the first of `items` with an end that is no vertex. Calls
/// them by the name `what` and a number.
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

/// Throws Error for a query of an edge that cannot be, and if there is not as
/// much room for results as there are queries. `weights` may be none.
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

/// What is to be done with an edge in one row.
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

/// Updates of a graph with so many `vertices` as the rows of their ends have
/// them: of the one end if `forward`, of the other if `backward`, without those
/// for which `isVoid(from, to)`. Sorted by row and target; those of the same
/// edge are in the order in which they would be done one by one. Throws
/// std::bad_alloc.
template <VertexIdentifier VertexId, EdgeWeight Weight, typename IsVoid>
Array<RowUpdate<VertexId, Weight>>
updatesOfRows(std::span<const EdgeUpdate<VertexId, Weight>> updates,
              VertexId vertices, bool forward, bool backward, IsVoid isVoid) {
  using Update = RowUpdate<VertexId, Weight>;
  HEDDLE_ASSERT(forward || backward);
  const unsigned ways = forward + backward;
  // What is left out comes behind all others.
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

/// Does what updates of one edge ask for, one after the other, with the edge as
/// it is: those from `update` on, up to another edge's or to `end`. Returns how
/// many did something.
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
