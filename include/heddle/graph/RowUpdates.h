//===- RowUpdates.h - What a batch means for rows --------------*- C++ -*-===//
//
// What stores that take updates have in common: batches are looked at before
// anything is done, taken apart into what concerns a row, and played edge by
// edge.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_ROWUPDATES_H
#define HEDDLE_GRAPH_ROWUPDATES_H

#include "heddle/graph/Array.h"
#include "heddle/graph/EdgeQuery.h"
#include "heddle/graph/Error.h"
#include "heddle/graph/VertexArray.h"
#include "heddle/graph/cblist/UpdateSort.h"

#include <algorithm>
#include <cstddef>
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

/// Updates as the rows of their ends have them, in the order in which they
/// would be done one by one, and as much memory again to sort them.
template <VertexIdentifier VertexId, EdgeWeight Weight> struct RowUpdates {
  using Update = cblist::RowUpdate<VertexId, Weight>;

  Array<Update> memory;
  std::size_t count = 0;

  Update *first() { return memory.data(); }
  Update *scratch() { return memory.data() + memory.size() / 2; }
};

/// Updates for the rows of the one end if `forward`, of the other if
/// `backward`, without those for which `isVoid(from, to)`. Throws
/// std::bad_alloc.
template <VertexIdentifier VertexId, EdgeWeight Weight, typename IsVoid>
RowUpdates<VertexId, Weight>
updatesOfRows(std::span<const EdgeUpdate<VertexId, Weight>> updates,
              bool forward, bool backward, IsVoid isVoid) {
  RowUpdates<VertexId, Weight> result;
  result.memory = Array<cblist::RowUpdate<VertexId, Weight>>(
      2 * updates.size() * std::size_t(forward + backward));
  for (const auto &[edge, mode] : updates) {
    const auto &[from, to, weight] = edge;
    if (isVoid(from, to))
      continue;
    if (forward)
      result.memory[result.count++] = {from, to, weight, mode};
    if (backward && !(forward && from == to))
      result.memory[result.count++] = {to, from, weight, mode};
  }
  return result;
}

/// Does what updates of one edge ask for, one after the other, with the edge as
/// it is: those from `update` on, up to another edge's or to `end`. Returns how
/// many did something.
template <VertexIdentifier VertexId, EdgeWeight Weight>
std::size_t playUpdates(const cblist::RowUpdate<VertexId, Weight> *&update,
                        const cblist::RowUpdate<VertexId, Weight> *end,
                        bool &exists, Weight &weight) {
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
