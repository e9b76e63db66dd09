//===- Query.h - Many edges looked up at once ------------------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_DETAIL_CBLIST_QUERY_H
#define HEDDLE_GRAPH_DETAIL_CBLIST_QUERY_H

#include "heddle/graph/detail/EdgeQuery.h"
#include "heddle/graph/detail/cblist/Rows.h"

#include <cstddef>
#include <span>

namespace heddle::graph {

namespace cblist {

/// Sets `found[i]` to whether the edge of query i exists and, unless `weights`
/// is empty, `weights[i]` to its weight if it does. Returns the number of edges
/// found. Each query is an iteration of an annotated loop (GastCoCo's algorithm
/// 2, FindNeighbor): while one waits for a node of its tree, others run.
template <typename Layout>
std::size_t
findEdges(const Rows<Layout> &rows,
          std::span<const EdgeQuery<typename Layout::VertexId>> queries,
          std::span<bool> found, std::span<typename Layout::Weight> weights) {
  const bool wantsWeights = Layout::IsWeighted && !weights.empty();
  const auto *const records = rows.records();
  std::size_t count = 0;
#pragma omp parallel for schedule(dynamic, 4096)                               \
    reduction(+ : count) if (worthThreads(queries.size()))
#pragma heddle async
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const auto &record = records[queries[i].from];
    const Place place = findPlace(record, queries[i].to);
    found[i] = place.isThere;
    if (place.isThere && wantsWeights)
      weights[i] = slotsAt(record, place).weight(place.position);
    count += place.isThere;
  }
  return count;
}

} // namespace cblist
} // namespace heddle::graph

#endif
