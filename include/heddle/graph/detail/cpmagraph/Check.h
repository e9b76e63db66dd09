//===- cpmagraph/Check.h - Invariants of a CpmaGraph ------------*- C++ -*-===//
//
// Walks over all edges, in the simplest serial way, and reports the first
// violated invariant. For tests.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_CPMAGRAPH_CHECK_H
#define HEDDLE_GRAPH_DETAIL_CPMAGRAPH_CHECK_H

#include "heddle/graph/detail/cpmagraph/Rows.h"
#include "heddle/graph/detail/pma/Check.h"
#include "heddle/graph/verify/Violation.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle::graph::cpmagraph {

/// Calls `visit(key, leaf, rest, codesEnd, value)` with all edges, in order.
template <typename Layout, typename Visit>
void forEachElement(const typename Layout::Leaves &leaves, Visit visit) {
  for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
    const auto view = leaves.view(leaf);
    Key key = view.head;
    const std::byte *value = view.values;
    typename Layout::Traits::Codec::Reader codes(view.codes);
    for (std::size_t rest = view.count; rest > 0; --rest) {
      if (rest != view.count)
        codes.next(key);
      visit(key, leaf, rest, codes.position(), value);
      value += Layout::Traits::ValueBytes;
    }
  }
}

/// The first violated invariant of one direction, if any.
template <typename Layout> Violation checkRows(const Rows<Layout> &rows) {
  const auto &leaves = rows.leaves();
  const std::string fault = detail::checkLeaves(leaves, rows.edgeCount());
  if (!fault.empty())
    return fault;
  std::vector<std::uint32_t> sizes(rows.vertexCount());
  Violation violation;
  const auto report = [&](std::uint32_t vertex, const char *what) {
    if (!violation)
      violation = "vertex " + std::to_string(vertex) + ": " + what;
  };
  forEachElement<Layout>(leaves, [&](Key key, std::size_t leaf,
                                     std::size_t rest, std::size_t codesEnd,
                                     const std::byte *) {
    const std::uint32_t row = rowOf(key);
    if (row >= rows.vertexCount() || targetOf(key) >= rows.vertexCount()) {
      report(std::max(row, targetOf(key)), "does not exist and has edges");
      return;
    }
    const RowStart &start = rows.start(row);
    if (sizes[row]++ == 0 &&
        (start.leaf != leaf || start.rest != rest ||
         start.codesEnd != codesEnd || start.target != targetOf(key)))
      report(row, "its edges do not begin where they should");
  });
  for (std::uint32_t v = 0; v < rows.vertexCount() && !violation; ++v)
    if (rows.start(v).size != sizes[v])
      report(v, "has another number of edges than it should");
  return violation;
}

} // namespace heddle::graph::cpmagraph

#endif
