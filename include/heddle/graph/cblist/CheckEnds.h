//===- CheckEnds.h - Edges that somebody asks for --------------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_CBLIST_CHECKENDS_H
#define HEDDLE_GRAPH_CBLIST_CHECKENDS_H

#include "heddle/graph/Error.h"
#include "heddle/graph/VertexArray.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>

namespace heddle::graph::cblist {

/// Throws Error for the first of `items`, each of which is a `what`, with an
/// end that is not below `vertices`. `endsOf` tells the ends of one.
template <typename Item, typename VertexId, typename EndsOf>
void checkEnds(const char *what, std::span<const Item> items, VertexId vertices,
               EndsOf endsOf) {
  std::size_t firstBad = items.size();
  const auto check = [&](std::size_t i) {
    const auto [from, to] = endsOf(items[i]);
    return from >= vertices || to >= vertices ? i : items.size();
  };
  // What OpenMP does first takes longer than a look at a few.
  if (worthThreads(items.size())) {
#pragma omp parallel for reduction(min : firstBad)
    for (std::size_t i = 0; i < items.size(); ++i)
      firstBad = std::min(firstBad, check(i));
  } else {
    for (std::size_t i = 0; i < items.size(); ++i)
      firstBad = std::min(firstBad, check(i));
  }
  if (firstBad == items.size())
    return;
  const auto [from, to] = endsOf(items[firstBad]);
  throw Error(std::string(what) + ' ' + std::to_string(firstBad) +
              ", edge from " + std::to_string(from) + " to " +
              std::to_string(to) + ": expected vertices below " +
              std::to_string(vertices));
}

} // namespace heddle::graph::cblist

#endif
