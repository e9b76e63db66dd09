//===- cpmagraph/Query.h - Edges that are asked for ------------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_DETAIL_CPMAGRAPH_QUERY_H
#define HEDDLE_GRAPH_DETAIL_CPMAGRAPH_QUERY_H

#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/EdgeQuery.h"
#include "heddle/graph/detail/cpmagraph/Rows.h"
#include "heddle/graph/detail/pma/LeafUpdate.h"
#include "heddle/graph/detail/pma/NearLeaves.h"

#include <cstddef>
#include <optional>
#include <span>

namespace heddle::graph::cpmagraph {

/// The number of elements of a leaf from the one with `key` on, or 0 if there
/// is no such key. `leaf` points to the leaf or to a copy.
template <typename Layout>
[[gnu::pure, gnu::noinline]] std::size_t restFrom(const std::byte *leaf,
                                                  detail::LeafFill fill,
                                                  Key head, Key key) noexcept {
  const detail::LeafView<typename Layout::Traits> view = {
      head, leaf + Layout::Traits::FrontBytes, nullptr, fill.codeBytes,
      fill.count};
  const auto place = detail::locate(view, key);
  return place.found ? view.count - place.index : 0;
}

/// Returns the number of elements of a leaf from the one with `target` on, or 0
/// if there is none, for a row that begins and ends in that leaf.
template <typename Layout>
[[gnu::pure, gnu::noinline]] std::size_t
restFrom(const std::byte *leaf, RowStart start, std::uint32_t target) noexcept {
  if (start.size == 0)
    return 0;
  typename Layout::Traits::Codec::Reader codes(
      leaf + Layout::Traits::FrontBytes, start.codesEnd);
  HEDDLE_ASSERT(start.size <= start.rest);
  Key at = start.target;
  std::size_t rest = start.rest;
  const std::size_t behind = rest - start.size;
  while (at < target && --rest > behind)
    codes.next(at);
  return at == target && rest > behind ? rest : 0;
}

/// The weight of the element from which on a leaf has `rest` elements.
template <typename Layout>
[[gnu::always_inline]] inline typename Layout::Weight
weightFrom(const std::byte *leaf, std::size_t rest) {
  return Layout::weightAt(leaf + Layout::Traits::LeafBytes -
                          rest * Layout::Traits::ValueBytes);
}

/// The weight of the edge `key`, if there is such an edge.
template <typename Layout>
std::optional<typename Layout::Weight>
findEdge(const typename Layout::Leaves &leaves, Key key) {
  if (leaves.empty())
    return std::nullopt;
  const std::size_t leaf = leaves.find(key);
  const std::size_t rest = restFrom<Layout>(
      leaves.start(leaf), leaves.fill(leaf), leaves.head(leaf), key);
  if (rest == 0)
    return std::nullopt;
  return weightFrom<Layout>(leaves.start(leaf), rest);
}

/// Sets `found[i]` to whether the edge of query i exists and, unless `weights`
/// is empty, `weights[i]` to its weight if it does. Returns the number of edges
/// found. Queries are interleaved: while one waits for its leaf, others run.
/// They decode copies of leaves, see NearLeaves.h. Only rows that continue in
/// other leaves have to be searched for.
template <typename Layout>
std::size_t findEdges(const Rows<Layout> &rows,
                      std::span<const EdgeQuery<std::uint32_t>> queries,
                      std::span<bool> found,
                      std::span<typename Layout::Weight> weights) {
  using Traits = typename Layout::Traits;
  const auto &leaves = rows.leaves();
  if (leaves.empty()) {
    std::fill(found.begin(), found.end(), false);
    return 0;
  }
  const bool wantsWeights = Layout::IsWeighted && !weights.empty();
  std::size_t count = 0;
#pragma omp parallel for reduction(+ : count) if (worthThreads(queries.size()))
#pragma heddle async
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const RowStart start = rows.start(queries[i].from);
    const Key key = keyOf(queries[i].from, queries[i].to);
    const bool isHere = start.size <= start.rest;
    std::size_t leaf = start.size == 0 ? 0 : start.leaf;
    if (!isHere)
      leaf = leaves.find(key);
    detail::LeafWords<Traits> words;
    detail::copyWords<Traits>(leaves.start(leaf), words);
    const auto *near = reinterpret_cast<const std::byte *>(words.data());
    const std::size_t rest =
        isHere
            ? restFrom<Layout>(near, start, queries[i].to)
            : restFrom<Layout>(near, leaves.fill(leaf), leaves.head(leaf), key);
    const bool exists = rest != 0;
    found[i] = exists;
    if (exists && wantsWeights)
      weights[i] = weightFrom<Layout>(near, rest);
    count += exists;
  }
  return count;
}

} // namespace heddle::graph::cpmagraph

#endif
