//===- Updates.h - Checks the effect of updates ----------------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_VERIFY_UPDATES_H
#define HEDDLE_GRAPH_VERIFY_UPDATES_H

#include "heddle/graph/Update.h"
#include "heddle/graph/verify/Violation.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>

namespace heddle::graph {

namespace detail {

/// The edges of one direction of a graph, by their ends.
template <Graph Store>
using EdgesByEnds =
    std::map<std::pair<typename Store::VertexId, typename Store::VertexId>,
             typename Store::Weight>;

/// The edges of `graph` according to its in-edges or its out-edges.
template <Graph Store>
EdgesByEnds<Store> edgesByEnds(const Store &graph, bool byInEdges) {
  using VertexId = typename Store::VertexId;
  EdgesByEnds<Store> edges;
  for (VertexId v = 0; v < graph.vertexCount(); ++v)
    if (byInEdges)
      for (const auto [source, weight] : graph.inEdges(v))
        edges.emplace(std::pair(source, v), weight);
    else
      for (const auto [target, weight] : graph.outEdges(v))
        edges.emplace_hint(edges.end(), std::pair(v, target), weight);
  return edges;
}

/// Applies one update and returns whether it had an effect.
template <typename Edges, VertexIdentifier VertexId, EdgeWeight Weight>
bool apply(Edges &edges, const EdgeUpdate<VertexId, Weight> &update) {
  const std::pair ends(update.edge.from, update.edge.to);
  switch (update.mode) {
  case UpdateMode::Add:
    return edges.emplace(ends, update.edge.weight).second;
  case UpdateMode::Delete:
    return edges.erase(ends) != 0;
  case UpdateMode::Modify:
    const auto found = edges.find(ends);
    if (found == edges.end() || std::same_as<Weight, Unweighted>)
      return false;
    found->second = update.edge.weight;
    return true;
  }
  __builtin_unreachable();
}

/// The first difference between two sets of edges.
template <typename Edges>
Violation firstDifference(const Edges &expected, const Edges &found,
                          const char *where) {
  const auto [wanted, other] = std::ranges::mismatch(expected, found);
  const bool isUnwanted =
      other != found.end() &&
      (wanted == expected.end() || other->first < wanted->first);
  if (wanted == expected.end() && !isUnwanted)
    return {};
  const auto &[from, to] = isUnwanted ? other->first : wanted->first;
  std::ostringstream text;
  text << "edge " << from << " to " << to << " among the " << where;
  if (isUnwanted)
    text << ": expected none, found one";
  else if (other == found.end() || wanted->first < other->first)
    text << ": expected one, found none";
  else if constexpr (!std::same_as<typename Edges::mapped_type, Unweighted>)
    text << ": expected weight " << wanted->second << ", found "
         << other->second;
  return text.str();
}

} // namespace detail

/// Whether `updates`, one after the other, turn `before` into `after`, and
/// `changed` of them have an effect. Both graphs must be directed or both
/// undirected, without parallel edges. Keeps the edges in maps, which take
/// dozens of bytes per edge.
///
///   if (auto violation = verifyUpdates(csr, updates, changed, graph))
///     std::cerr << *violation << '\n';
template <Graph Before, Graph After>
Violation verifyUpdates(
    const Before &before,
    std::type_identity_t<std::span<
        const EdgeUpdate<typename After::VertexId, typename After::Weight>>>
        updates,
    std::size_t changed, const After &after) {
  auto expected = detail::edgesByEnds(before, /*byInEdges=*/false);
  std::size_t expectedChanges = 0;
  for (auto update : updates) {
    expectedChanges += detail::apply(expected, update);
    if (before.isDirected())
      continue;
    std::swap(update.edge.from, update.edge.to);
    detail::apply(expected, update);
  }
  if (changed != expectedChanges)
    return "expected " + std::to_string(expectedChanges) +
           " updates to do something, found " + std::to_string(changed);
  if (after.edgeCount() != expected.size())
    return "expected " + std::to_string(expected.size()) +
           " edges, found a count of " + std::to_string(after.edgeCount());
  if (auto violation = detail::firstDifference(
          expected, detail::edgesByEnds(after, /*byInEdges=*/false),
          "out-edges"))
    return violation;
  return detail::firstDifference(
      expected, detail::edgesByEnds(after, /*byInEdges=*/true), "in-edges");
}

} // namespace heddle::graph

#endif
