//===- LabelPropagation.h - Check communities ------------------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_VERIFY_LABELPROPAGATION_H
#define HEDDLE_GRAPH_VERIFY_LABELPROPAGATION_H

#include "heddle/graph/Graph.h"
#include "heddle/graph/verify/Violation.h"

#include <numeric>
#include <span>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace heddle::graph {

/// Whether `label` is the result of this many iterations of synchronous label
/// propagation, computed with a map of labels. Takes the time of a map
/// operation an edge and iteration.
///
///   if (auto violation = verifyLabelPropagation(graph, label, 10))
///     std::cerr << *violation << '\n';
template <Graph Store>
Violation verifyLabelPropagation(
    const Store &graph,
    std::type_identity_t<std::span<const typename Store::VertexId>> label,
    unsigned iterations) {
  using VertexId = typename Store::VertexId;
  if (label.size() != graph.vertexCount())
    return detail::wrongSize(graph.vertexCount(), label.size());

  std::vector<VertexId> expected(graph.vertexCount());
  std::iota(expected.begin(), expected.end(), VertexId(0));
  for (unsigned i = 0; i < iterations; ++i) {
    std::vector<VertexId> next = expected;
    for (VertexId v = 0; v < graph.vertexCount(); ++v) {
      // A new one, since clearing one that was large takes long.
      std::unordered_map<VertexId, std::size_t> occurrences;
      for (const auto [target, weight] : graph.outEdges(v))
        ++occurrences[expected[target]];
      if (graph.isDirected())
        for (const auto [source, weight] : graph.inEdges(v))
          ++occurrences[expected[source]];
      std::size_t most = 0;
      for (const auto [candidate, count] : occurrences)
        if (count > most || (count == most && candidate < next[v])) {
          most = count;
          next[v] = candidate;
        }
    }
    if (next == expected)
      break;
    expected = std::move(next);
  }

  return detail::compareValues("label", expected, label);
}

} // namespace heddle::graph

#endif
